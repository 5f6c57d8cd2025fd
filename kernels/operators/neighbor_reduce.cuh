// Neighbour reduction: for every vertex, the sum of a value over its list. Gunrock, section 4.
//
// A functor has
//   using Value                 float or double
//   using Own                   what it needs of a vertex itself, loaded while the list is
//   Own own(v)
//   Value value(s)              what neighbour s contributes
//   void finish(v, own, sum)    called once a vertex, by one thread; the sum is a double
//
// A warp takes WARP consecutive vertices and streams the edges of all their lists into shared memory,
// whatever their lengths, so that loads of the lists are coalesced and many gathers are in flight.
// From there a lane sums a short list, the warp a longer one. Where no list is long there is nothing
// to balance, and sums stay in registers: a thread a short list, LANES threads a longer.
//
// Lists that are too long for that are noted before the first call (find_long_lists), and summed by a
// warp each, those of more than LONG_ROW by a block: vertices with long lists often have neighbouring
// numbers, and all would wait for the warp that gets such a group.
//
// Every list is summed in an order that depends on the graph and the grid alone: the same bits in
// every run.
// GR_LISTS: which of the three ways is compiled, so that each has all registers.
#pragma once
#include "block_sum.cuh"
#include "compute.cuh"

namespace gunrock {

enum Lists { SHORT, EVEN, UNEVEN };  // values of GR_LISTS; PageRank's defines() tells them apart

constexpr int IN_FLIGHT = 8;       // gathers that a thread has under way
constexpr int SHORT_PART = 32;     // edges in shared memory that one lane sums
constexpr i64 FEW_EDGES = 2048;    // for a warp, up to which its groups must be light
constexpr edge_t LONG_ROW = 4096;  // longest that a warp sums
constexpr int LANES = 2;           // that share a list where lists are even, but longer
constexpr i64 SKEWED = 1024;       // longest list from which on groups are drawn, not dealt

// The vertices whose lists are too long for their group.
struct LongLists {
  vertex_t* vertices;  // n: those for a warp from the front, those for a block from the back
  int* counts;         // of both; zero before they are found
};

// The longest list that is summed with its group.
GR_DEVICE edge_t longest_in_group(const Context& ctx) {
  return ctx.graph.m * WARP <= FEW_EDGES * ctx.threads() ? 64 : 256;
}

// The sum over entries [first, end) of a list, step `stride`. Few at a time are added in Value, the
// rest in double: long lists of equal values would drift in float.
template <class F>
GR_DEVICE double sum_strided(const Csr& lists, F& f, i64 first, i64 end, int stride) {
  using Value = typename F::Value;
  double sum = 0;
  for (i64 e = first; e < end; e += IN_FLIGHT * stride) {
    vertex_t s[IN_FLIGHT];
    Value x[IN_FLIGHT];
    GR_UNROLL
    for (int k = 0; k < IN_FLIGHT; ++k)
      s[k] = end - e > k * stride ? load_constant(&lists.column_indices[e + k * stride]) : -1;
    GR_UNROLL
    for (int k = 0; k < IN_FLIGHT; ++k) x[k] = s[k] >= 0 ? f.value(s[k]) : Value(0);
    GR_UNROLL
    for (int d = 1; d < IN_FLIGHT; d *= 2) {
      GR_UNROLL
      for (int k = 0; k + d < IN_FLIGHT; k += 2 * d) x[k] += x[k + d];
    }
    sum += double(x[0]);
  }
  return sum;
}

#if GR_CUDA
// Entries that a warp stages at once.
template <class Value>
GR_DEVICE constexpr int stream_capacity() {
  constexpr int room = SCRATCH_BYTES / WARPS / 8 * 8 / int(sizeof(Value));
  return room < WARP * SHORT_PART ? room : WARP * SHORT_PART;
}

// A warp: the values of entries [at, at + count) to shared memory.
template <class F>
GR_DEVICE void stream_values(const Csr& lists, F& f, edge_t at, int count,
                             typename F::Value* buffer) {
  using Value = typename F::Value;
  for (int i = lane_id(); i < count; i += WARP * IN_FLIGHT) {
    vertex_t s[IN_FLIGHT];
    Value x[IN_FLIGHT];
    GR_UNROLL
    for (int k = 0; k < IN_FLIGHT; ++k)
      s[k] = i + k * WARP < count ? load_constant(&lists.column_indices[at + i + k * WARP]) : -1;
    GR_UNROLL
    for (int k = 0; k < IN_FLIGHT; ++k) x[k] = s[k] >= 0 ? f.value(s[k]) : Value(0);
    GR_UNROLL
    for (int k = 0; k < IN_FLIGHT; ++k)
      if (i + k * WARP < count) buffer[i + k * WARP] = x[k];
  }
}

// A warp whose lanes own consecutive lists [begin, end): each lane's sum. Those of the lanes in
// `skipped` are left out.
template <class F>
GR_DEVICE double sum_group(const Csr& lists, F& f, edge_t begin, edge_t end, u32 skipped,
                           typename F::Value* buffer) {
  using Value = typename F::Value;
  constexpr int CAPACITY = stream_capacity<Value>();
  const edge_t last = warp_broadcast(end, WARP - 1);
  edge_t at = warp_broadcast(begin, 0);
  double sum = 0;
  while (at < last) {
    edge_t stop = last;
    if (skipped) {
      const int lane = lowest_bit(skipped);
      stop = warp_broadcast(begin, lane);
      if (stop == at) {
        at = warp_broadcast(end, lane);
        skipped &= skipped - 1;
        continue;
      }
    }
    const int count = stop - at < CAPACITY ? int(stop - at) : CAPACITY;
    stream_values(lists, f, at, count, buffer);
    warp_sync();
    const int first = begin > at ? (begin - at < count ? int(begin - at) : count) : 0;
    const int behind = end > at ? (end - at < count ? int(end - at) : count) : 0;
    const int length = behind - first;
    if (length > 0 && length <= SHORT_PART) {
      Value part = 0;
      for (int i = first; i < behind; ++i) part += buffer[i];
      sum += double(part);
    }
    for (u32 wide = warp_ballot(length > SHORT_PART); wide; wide &= wide - 1) {
      const int lane = lowest_bit(wide);
      const int from = warp_broadcast(first, lane), to = warp_broadcast(behind, lane);
      Value part = 0;
      for (int i = from + lane_id(); i < to; i += WARP) part += buffer[i];
      part = warp_sum(part);
      if (lane == lane_id()) sum += double(part);
    }
    warp_sync();  // before the buffer is filled again
    at += count;
  }
  return sum;
}
#endif

#if GR_CUDA
// Where lists are short: a thread a vertex, PAIR vertices at once, all loads of each under way
// together.
template <class F>
GR_DEVICE void sum_short_lists(Context& ctx, const Csr& lists, F& f) {
  using Value = typename F::Value;
  constexpr int PAIR = 2, FEW = 4;
  const i64 n = ctx.graph.n, stride = ctx.threads();
  edge_t next_first[PAIR], next_end[PAIR];  // a round ahead in where the lists are
  auto look_up = [&](i64 base) {
    GR_UNROLL
    for (int p = 0; p < PAIR; ++p) {
      const i64 v = base + p * stride;
      next_first[p] = load_constant(&lists.row_offsets[v < n ? v : n]);
      next_end[p] = load_constant(&lists.row_offsets[v < n ? v + 1 : n]);
    }
  };
  look_up(ctx.rank());
  for (i64 base = ctx.rank(); base < n; base += PAIR * stride) {
    edge_t first[PAIR], end[PAIR];
    typename F::Own own[PAIR];
    vertex_t s[PAIR][FEW];
    GR_UNROLL
    for (int p = 0; p < PAIR; ++p) {
      first[p] = next_first[p];
      end[p] = next_end[p];
      if (base + p * stride < n) own[p] = f.own(vertex_t(base + p * stride));
    }
    GR_UNROLL
    for (int p = 0; p < PAIR; ++p) {
      GR_UNROLL
      for (int k = 0; k < FEW; ++k)
        s[p][k] = first[p] + k < end[p] ? load_constant(&lists.column_indices[first[p] + k]) : -1;
    }
    look_up(base + PAIR * stride);
    GR_UNROLL
    for (int p = 0; p < PAIR; ++p) {
      Value x[FEW], sum = 0;
      GR_UNROLL
      for (int k = 0; k < FEW; ++k) x[k] = s[p][k] >= 0 ? f.value(s[p][k]) : Value(0);
      GR_UNROLL
      for (int k = 0; k < FEW; ++k) sum += x[k];
      double whole = double(sum);
      for (edge_t e = first[p] + FEW; e < end[p]; ++e)
        whole += double(f.value(load_constant(&lists.column_indices[e])));
      const i64 v = base + p * stride;
      if (v < n) f.finish(vertex_t(v), own[p], whole);
    }
  }
}

// Where lists are even: LANES lanes a list, as many rounds a warp, so that every lane ends up with
// the sum of the vertex that it owns.
template <class F>
GR_DEVICE void sum_even_lists(Context& ctx, const Csr& lists, F& f) {
  using Value = typename F::Value;
  constexpr int GROUPS = WARP / LANES, FEW = 8;
  const i64 n = ctx.graph.n;
  const int place = lane_id() % LANES;
  for (i64 base = ctx.rank() - lane_id(); base < n; base += ctx.threads()) {
    const i64 v = base + lane_id();
    const edge_t first = load_constant(&lists.row_offsets[v < n ? v : n]);
    const edge_t end = load_constant(&lists.row_offsets[v < n ? v + 1 : n]);
    typename F::Own own{};
    if (v < n) own = f.own(vertex_t(v));
    vertex_t s[LANES][FEW];
    GR_UNROLL
    for (int round = 0; round < LANES; ++round) {
      const int owner = round * GROUPS + lane_id() / LANES;
      const edge_t e = warp_broadcast(first, owner) + place, stop = warp_broadcast(end, owner);
      GR_UNROLL
      for (int k = 0; k < FEW; ++k)
        s[round][k] =
            e + k * LANES < stop ? load_constant(&lists.column_indices[e + k * LANES]) : -1;
    }
    Value own_sum = 0;
    GR_UNROLL
    for (int round = 0; round < LANES; ++round) {
      const int owner = round * GROUPS + lane_id() / LANES;
      const edge_t e = warp_broadcast(first, owner) + place, stop = warp_broadcast(end, owner);
      Value x[FEW], sum = 0;
      GR_UNROLL
      for (int k = 0; k < FEW; ++k) x[k] = s[round][k] >= 0 ? f.value(s[round][k]) : Value(0);
      GR_UNROLL
      for (int k = 0; k < FEW; ++k) sum += x[k];
      for (edge_t rest = e + FEW * LANES; rest < stop; rest += LANES)
        sum += f.value(load_constant(&lists.column_indices[rest]));
      GR_UNROLL
      for (int d = LANES / 2; d > 0; d /= 2) sum += warp_exchange(sum, d);
      const Value mine = warp_broadcast(sum, lane_id() % GROUPS * LANES);
      if (lane_id() / GROUPS == round) own_sum = mine;
    }
    if (v < n) f.finish(vertex_t(v), own, double(own_sum));
  }
}
#endif

// A step before those that call neighbor_reduce.
GR_DEVICE void find_long_lists(Context& ctx, const Csr& lists, const LongLists& found) {
#if GR_CUDA
  if (GR_LISTS != UNEVEN) return;
  const edge_t* rows = lists.row_offsets;
  const edge_t longest = longest_in_group(ctx);
  for_each_index(ctx, ctx.graph.n, [&](i64 v) {
    const edge_t length = load_constant(&rows[v + 1]) - load_constant(&rows[v]);
    if (length > LONG_ROW) found.vertices[ctx.graph.n - 1 - reserve(&found.counts[1])] = vertex_t(v);
    else if (length > longest) found.vertices[reserve(&found.counts[0])] = vertex_t(v);
  });
#endif
}

#if GR_CUDA
// The sum of one list by the whole block.
template <class F>
GR_DEVICE void sum_by_block(Context& ctx, const Csr& lists, F& f, vertex_t v) {
  const edge_t* rows = lists.row_offsets;
  const double sum = block_sum(
      ctx, sum_strided(lists, f, i64(rows[v]) + thread_id(), rows[v + 1], BLOCK));
  if (thread_id() == 0) f.finish(v, f.own(v), sum);
}

template <class F>
GR_DEVICE void sum_by_warp(const Csr& lists, F& f, vertex_t v) {
  const edge_t* rows = lists.row_offsets;
  const double sum = warp_sum(sum_strided(lists, f, i64(rows[v]) + lane_id(), rows[v + 1], WARP));
  if (lane_id() == 0) f.finish(v, f.own(v), sum);
}

// Lists of all lengths: blocks sum the longest, warps long ones, and then groups of what is left.
template <class F>
GR_DEVICE void sum_uneven_lists(Context& ctx, const Csr& lists, u64* tickets,
                                const LongLists& known, F& f) {
  using Value = typename F::Value;
  const edge_t* rows = lists.row_offsets;
  const i64 n = ctx.graph.n, warps = ctx.threads() / WARP;
  // Where degrees are even, dealing is as fair as drawing, and no atomic is waited for.
  const bool draws = lists.max_degree > SKEWED;
  auto draw = [&](i64 previous) {
    if (!draws) return previous + warps;
    u64 ticket = 0;
    if (lane_id() == 0) ticket = atomic_add(tickets, u64(1));
    return warps + i64(warp_broadcast(ticket, 0));
  };
  for (i64 i = ctx.block; i < known.counts[1]; i += ctx.blocks)
    sum_by_block(ctx, lists, f, known.vertices[n - 1 - i]);
  block_sync();  // the scratch is the warps' from here on

  const i64 alone = known.counts[0];
  i64 item = ctx.rank() / WARP;
  while (item < alone) {
    const i64 next = draw(item);
    sum_by_warp(lists, f, known.vertices[item]);
    item = next;
  }
  // A group ahead in what to work on and where its lists are.
  Value* buffer = (Value*)scratch_of(ctx) + warp_id() * stream_capacity<Value>();
  auto bound = [&](i64 v) { return load_constant(&rows[v < n ? v : n]); };
  const edge_t longest = longest_in_group(ctx);
  i64 group = item - alone;
  edge_t begin = bound(group * WARP + lane_id()), end = bound(group * WARP + lane_id() + 1);
  while (group * WARP < n) {
    const i64 v = group * WARP + lane_id();
    typename F::Own own{};
    if (v < n) own = f.own(vertex_t(v));
    const i64 next = draw(group + alone) - alone;
    const edge_t next_begin = bound(next * WARP + lane_id());
    const edge_t next_end = bound(next * WARP + lane_id() + 1);
    const bool noted = end - begin > longest;
    const double sum = sum_group(lists, f, begin, end, warp_ballot(noted), buffer);
    if (v < n && !noted) f.finish(vertex_t(v), own, sum);
    group = next;
    begin = next_begin;
    end = next_end;
  }
}
#endif

// A step's work. `tickets` is zero when the step begins.
template <class F>
GR_DEVICE void neighbor_reduce(Context& ctx, const Csr& lists, u64* tickets, const LongLists& known,
                               F& f) {
#if GR_CUDA
  if (GR_LISTS == SHORT) sum_short_lists(ctx, lists, f);
  else if (GR_LISTS == EVEN) sum_even_lists(ctx, lists, f);
  else sum_uneven_lists(ctx, lists, tickets, known, f);
#else
  constexpr i64 SHARE = 256;  // vertices that a thread draws at once
  const edge_t* rows = lists.row_offsets;
  const i64 n = ctx.graph.n;
  for (;;) {
    const i64 first = i64(atomic_add(tickets, u64(1))) * SHARE;
    if (first >= n) return;
    for (i64 v = first; v < n && v < first + SHARE; ++v)
      f.finish(vertex_t(v), f.own(vertex_t(v)), sum_strided(lists, f, rows[v], rows[v + 1], 1));
  }
#endif
}

}  // namespace gunrock
