// Neighbour reduction: for every vertex, the sum of a value over its list. Gunrock, section 4.
//
// A functor has
//   using Value                 float or double
//   using Own                   what it needs of a vertex itself, loaded while the list is
//   Own own(v)
//   Value value(s)              what neighbour s contributes
//   void finish(v, own, sum)    called once a vertex, by one thread; the sum is a double
//
// A warp takes WARP consecutive vertices, whose lists are consecutive too: it streams all their
// edges into shared memory, whatever their lengths, so that loads of the lists are coalesced and
// many gathers are in flight. From there a lane sums a short list, the warp a longer one. Lists
// longer than LONG_ROW are left to the whole block when all else is done. Where no list is long there
// is nothing to balance, and sums stay in registers: a thread a short list, LANES threads a longer.
//
// Every list is summed in an order that depends on the graph alone: the same bits in every run.
#pragma once
#include "frontier.cuh"

constexpr int IN_FLIGHT = 8;       // gathers that a thread has under way
constexpr int SHORT_PART = 32;     // edges in shared memory that one lane sums
constexpr edge_t LONG_ROW = 4096;  // edges
constexpr i64 EVEN_LISTS = 64;     // longest list up to which no list is long enough to stream
constexpr i64 SHORT_LIST = 8;      // mean length up to which a thread sums lists by itself
constexpr int LANES = 2;           // that share a list where lists are even, but longer
constexpr i64 SKEWED = 1024;       // longest list from which on groups are drawn, not dealt

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
// The queues of a lone block are idle here. Their storage is aligned for indices only.
constexpr int SCRATCH_BYTES =
    int(sizeof(SoloQueue[2]) > sizeof(Window) ? sizeof(SoloQueue[2]) : sizeof(Window)) - 8;
GR_DEVICE double* scratch_of(Context& ctx) {
  const u64 address = (u64)&ctx.shared.window;
  return (double*)(address + (8 - address % 8) % 8);
}

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

// The whole block: the sum of x over its threads, for thread 0.
GR_DEVICE double block_sum(Context& ctx, double x) {
#if GR_CUDA
  double* sums = scratch_of(ctx);
  x = warp_sum(x);
  block_sync();
  if (lane_id() == 0) sums[warp_id()] = x;
  block_sync();
  if (thread_id() == 0)
    for (int w = 1; w < WARPS; ++w) x += sums[w];
#endif
  return x;
}

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

// A step's work. `tickets` is zero when the step begins.
template <class F>
GR_DEVICE void neighbor_reduce(Context& ctx, const Csr& lists, u64* tickets, F& f) {
  const edge_t* rows = lists.row_offsets;
  const i64 n = ctx.graph.n;
#if GR_CUDA
  using Value = typename F::Value;
  Value* buffer = (Value*)scratch_of(ctx) + warp_id() * stream_capacity<Value>();
  const i64 warps = ctx.threads() / WARP;
  // Where degrees are even, dealing is as fair as drawing, and no atomic is waited for.
  const bool draws = ctx.graph.max_degree > SKEWED;
  auto draw = [&](i64 previous) {
    if (!draws) return previous + warps;
    u64 ticket = 0;
    if (lane_id() == 0) ticket = atomic_add(tickets, u64(1));
    return warps + i64(warp_broadcast(ticket, 0));
  };
  auto bound = [&](i64 v) { return load_constant(&rows[v < n ? v : n]); };

  // (The longest list is known of csr only.)
  if (ctx.graph.max_degree <= EVEN_LISTS && rows == ctx.graph.csr.row_offsets) {
    if (ctx.graph.m <= SHORT_LIST * n) sum_short_lists(ctx, lists, f);
    else sum_even_lists(ctx, lists, f);
    return;
  }
  // A group ahead in what to work on and where its lists are.
  i64 group = ctx.rank() / WARP;
  edge_t begin = bound(group * WARP + lane_id()), end = bound(group * WARP + lane_id() + 1);
  while (group * WARP < n) {
    const i64 v = group * WARP + lane_id();
    typename F::Own own{};
    bool later = false;
    if (v < n) {
      own = f.own(vertex_t(v));
      if (end - begin > LONG_ROW) {
        const int place = reserve(&ctx.shared.staged);
        later = place < STAGE;
        if (later) ctx.shared.stage[place] = item_t(v);
      }
    }
    const i64 next = draw(group);
    const edge_t next_begin = bound(next * WARP + lane_id());
    const edge_t next_end = bound(next * WARP + lane_id() + 1);
    const double sum = sum_group(lists, f, begin, end, warp_ballot(later), buffer);
    if (v < n && !later) f.finish(vertex_t(v), own, sum);
    group = next;
    begin = next_begin;
    end = next_end;
  }

  block_sync();
  const int left = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
  for (int i = 0; i < left; ++i) {
    const vertex_t v = vertex_t(ctx.shared.stage[i]);
    const double sum = block_sum(
        ctx, sum_strided(lists, f, i64(rows[v]) + thread_id(), rows[v + 1], BLOCK));
    if (thread_id() == 0) f.finish(v, f.own(v), sum);
  }
  block_sync();
  if (thread_id() == 0) ctx.shared.staged = 0;
#else
  constexpr i64 SHARE = 256;  // vertices that a thread draws at once
  for (;;) {
    const i64 first = i64(atomic_add(tickets, u64(1))) * SHARE;
    if (first >= n) return;
    for (i64 v = first; v < n && v < first + SHARE; ++v)
      f.finish(vertex_t(v), f.own(vertex_t(v)), sum_strided(lists, f, rows[v], rows[v + 1], 1));
  }
#endif
}
