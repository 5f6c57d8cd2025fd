// Gather over every vertex, of all entries: AllLists<SHAPE>, a policy beside Tiers for passes over the whole
// graph that are limited by the number of gathers in flight. Called by the ranking primitives (PageRank, PPR,
// HITS, SALSA). SHAPE is the lists' shape:
//
//   SHORT_LISTS    no list is long: two vertices per thread at once, sums in registers.
//   EVEN_LISTS     lists are even, but longer: two lanes per list (gather_even_lists.cuh).
//   UNEVEN_LISTS   a warp takes WARP consecutive vertices and streams the entries of all their lists into
//                  shared memory, whatever their lengths, so that loads of the lists are coalesced and many
//                  gathers are in flight. A lane then folds a short list, the warp a longer one. Lists that
//                  are too long for a group are found before the first call (find_long_lists) and folded by
//                  one warp each, the longest by a block: long lists often have neighbouring numbers, and
//                  all other warps would wait for the one with such a group.
//
// A macro picks one shape for a kernel (GR_LISTS), which then has all registers to itself [D-gather-5].
#pragma once
#include "../math/pair.cuh"
#include "compute.cuh"
#include "gather.cuh"
#include "gather_even_lists.cuh"
#include "gather_on_cores.cuh"
#include "search.cuh"

namespace gunrock {

namespace gathering {

template <class Value>
constexpr int STREAM_BATCH = sizeof(Value) > 8 ? 4 : 8;  // gathers that a thread has in flight, in registers
constexpr int LANE_MAX = 32;            // most entries in shared memory that one lane folds
constexpr i64 LIGHT_WARP = 2048;        // a warp's share up to which groups must be light [D-gather-4]
constexpr edge_t LIGHT_GROUP_MAX = 64;  // longest list that is folded with its group then
constexpr edge_t GROUP_MAX = 256;       // the same for heavier groups
constexpr edge_t STREAM_WARP_MAX = 4096;  // longest that a warp folds [D-sum-1]
constexpr i64 SKEWED = 1024;            // groups are dealt out dynamically if the longest list exceeds this

// The longest list that is folded with its group.
GR_DEVICE edge_t longest_in_group(const Context& ctx) {
  return ctx.graph.m * WARP <= LIGHT_WARP * ctx.threads() ? LIGHT_GROUP_MAX : GROUP_MAX;
}

// The number of entries that a warp stages at once.
template <class Value>
GR_DEVICE constexpr int stream_capacity() {
  constexpr int room = int(sizeof(BlockShared::scratch)) / WARPS / 8 * 8 / int(sizeof(Value));
  return room < WARP * LANE_MAX ? room : WARP * LANE_MAX;
}

// The number of gathers that a lane has in flight while its warp stages entries: at most its share of the
// entries, in even passes. More would take registers from other values [D-stage-1].
template <class Value>
GR_DEVICE constexpr int stage_batch() {
  constexpr int each = (stream_capacity<Value>() + WARP - 1) / WARP;
  constexpr int passes = (each + STREAM_BATCH<Value> - 1) / STREAM_BATCH<Value>;
  return (each + passes - 1) / passes;
}

// Folds Values (rather than Totals) over a warp.
template <class Monoid>
GR_DEVICE typename Monoid::Value join_lanes(typename Monoid::Value x) {
  GR_UNROLL
  for (int d = WARP / 2; d > 0; d /= 2) Monoid::join(x, warp_exchange(x, d));
  return x;
}

template <class F, class Total, class C>
GR_DEVICE void finish(F& f, vertex_t v, const typename F::Own& own, const Total& total, C& collect) {
  if (finish_vertex(f, v, own, total)) collect.push(item_t(v));
}

// The whole warp: writes the values of entries [at, at + count), at least one, to shared memory.
template <class Monoid, class F>
GR_DEVICE void stream_values(Context& ctx, const Csr& lists, F& f, edge_t at, int count,
                             typename Monoid::Value* buffer) {
  using Value = typename Monoid::Value;
  constexpr int BATCH = stage_batch<Value>();
  constexpr bool ONCE = stream_capacity<Value>() <= WARP * BATCH;
  for (int base = 0; base < count; base += WARP * BATCH) {
    const int i = base + lane_id();
    vertex_t s[BATCH];
    Value x[BATCH];
    load_entries(ctx, lists, at + i, at + count, edge_t(WARP), s);
    // No data is shared yet, but without this barrier the assembler, short of registers, delays the loads of
    // some columns until the values of others have arrived [D-stage-1].
    warp_sync();
    load_values<Monoid>(f, s, at + i, edge_t(WARP), x);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (i + k * WARP < count) buffer[i + k * WARP] = x[k];
    if constexpr (ONCE) break;
  }
}

// A warp whose lanes own consecutive lists [begin, end): each lane's total. The lists of the lanes in `skipped`
// are left out.
template <class Monoid, class F>
GR_DEVICE typename Monoid::Total fold_group(Context& ctx, const Csr& lists, F& f, edge_t begin,
                                            edge_t end, u32 skipped,
                                            typename Monoid::Value* buffer) {
  using Value = typename Monoid::Value;
  constexpr int CAPACITY = stream_capacity<Value>();
  const edge_t last = warp_broadcast(end, WARP - 1);
  edge_t at = warp_broadcast(begin, 0);
  auto total = Monoid::nothing();
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
    stream_values<Monoid>(ctx, lists, f, at, count, buffer);
    warp_sync();
    const int first = begin > at ? (begin - at < count ? int(begin - at) : count) : 0;
    const int behind = end > at ? (end - at < count ? int(end - at) : count) : 0;
    const int length = behind - first;
    if (length > 0 && length <= LANE_MAX) {
      Value part = Monoid::zero();
      for (int i = first; i < behind; ++i) Monoid::join(part, buffer[i]);
      Monoid::add(total, part);
    }
    for (u32 wide = warp_ballot(length > LANE_MAX); wide; wide &= wide - 1) {
      const int lane = lowest_bit(wide);
      const int from = warp_broadcast(first, lane), to = warp_broadcast(behind, lane);
      Value part = Monoid::zero();
      for (int i = from + lane_id(); i < to; i += WARP) Monoid::join(part, buffer[i]);
      part = join_lanes<Monoid>(part);
      if (lane == lane_id()) Monoid::add(total, part);
    }
    warp_sync();  // before the buffer is filled again
    at += count;
  }
  return total;
}

// One thread per vertex, VERTICES of them at once; all loads of each kind are in flight together [D-gather-1].
template <class Monoid, class F, class C>
GR_DEVICE void by_threads(Context& ctx, const Csr& lists, F& f, C& collect) {
  using Value = typename Monoid::Value;
  constexpr int VERTICES = 2, BATCH = 4;
  const i64 n = ctx.graph.n, stride = ctx.threads();
  Row next[VERTICES];  // where the next round's lists are [D-gather-3]
  auto look_up = [&](i64 base) {
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) next[p] = lists.row_within(base + p * stride, n);
  };
  look_up(ctx.rank());
  for (i64 base = ctx.rank(); base < n; base += VERTICES * stride) {
    Row row[VERTICES];
    typename F::Own own[VERTICES];
    vertex_t s[VERTICES][BATCH];
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      row[p] = next[p];
      if (base + p * stride < n) own[p] = f.own(vertex_t(base + p * stride), row[p].length);
    }
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) load_entries(ctx, lists, row[p].begin, row[p].end(), edge_t(1), s[p]);
    look_up(base + VERTICES * stride);
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      Value x[BATCH], few = Monoid::zero();
      load_values<Monoid>(f, s[p], row[p].begin, edge_t(1), x);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) Monoid::join(few, x[k]);
      auto total = Monoid::widen(few);
      fold_all<Monoid, BATCH>(ctx, lists, f, row[p].begin + BATCH, row[p].end(), 1, total);
      const i64 v = base + p * stride;
      if (v < n) finish(f, vertex_t(v), own[p], total, collect);
    }
  }
}

// One list by the whole block; one_by_warp: by a warp.
template <class Monoid, class F, class C>
GR_DEVICE void one_by_block(Context& ctx, const Csr& lists, F& f, vertex_t v, C& collect) {
  const Row row = lists.row(v);
  constexpr int BATCH = STREAM_BATCH<typename Monoid::Value>;
  typename Monoid::Total total;
  if (by_block<Monoid, BATCH>(ctx, lists, f, v, row.begin, row.end(), total))
    finish(f, v, f.own(v, row.length), total, collect);
}
template <class Monoid, class F, class C>
GR_DEVICE void one_by_warp(Context& ctx, const Csr& lists, F& f, vertex_t v, C& collect) {
  const Row row = lists.row(v);
  constexpr int BATCH = STREAM_BATCH<typename Monoid::Value>;
  const auto total = by_warp<Monoid, BATCH>(ctx, lists, f, v, row.begin, row.end());
  if (lane_id() == 0) finish(f, v, f.own(v, row.length), total, collect);
}

// Lists of all lengths: blocks fold the longest, warps the long ones, and then groups of the rest.
template <class Monoid, class F, class C>
GR_DEVICE void by_stream(Context& ctx, const Csr& lists, u64* tickets, const LongLists& known, F& f,
                         C& collect) {
  using Value = typename Monoid::Value;
  const i64 n = ctx.graph.n, warps = ctx.threads() / WARP;
  // If degrees are even, a fixed distribution is as balanced as a dynamic one, and needs no atomic.
  const bool dynamic = lists.max_degree > SKEWED;
  auto next_item = [&](i64 previous) {
    if (!dynamic) return previous + warps;
    u64 ticket = 0;
    if (lane_id() == 0) ticket = atomic_add(tickets, u64(1));
    return warps + i64(warp_broadcast(ticket, 0));
  };
  for (i64 i = ctx.block; i < known.counts[1]; i += ctx.blocks)
    one_by_block<Monoid>(ctx, lists, f, known.vertices[n - 1 - i], collect);
  block_sync();  // from here on the scratch belongs to the warps

  const i64 warp_lists = known.counts[0];
  i64 item = ctx.rank() / WARP;
  while (item < warp_lists) {
    const i64 next = next_item(item);
    one_by_warp<Monoid>(ctx, lists, f, known.vertices[item], collect);
    item = next;
  }
  // The next group, and where its lists lie, is loaded one group ahead.
  constexpr int CAPACITY = stream_capacity<Value>();
  Value* buffer = ctx.shared.as<Value[WARPS][CAPACITY]>()[warp_id()];
  const edge_t longest = longest_in_group(ctx);
  i64 group = item - warp_lists;
  Row row = lists.row_within(group * WARP + lane_id(), n);
  while (group * WARP < n) {
    const i64 v = group * WARP + lane_id();
    typename F::Own own{};
    if (v < n) own = f.own(vertex_t(v), row.length);
    const i64 next = next_item(group + warp_lists) - warp_lists;
    const Row next_row = lists.row_within(next * WARP + lane_id(), n);
    const bool noted = row.length > longest;
    const auto total = fold_group<Monoid>(ctx, lists, f, row.begin, row.end(), warp_ballot(noted), buffer);
    if (v < n && !noted) finish(f, vertex_t(v), own, total, collect);
    group = next;
    row = next_row;
  }
}

}  // namespace gathering

// The values of GR_LISTS (the primitive's defines() picks one).
enum Shape { SHORT_LISTS, EVEN_LISTS, UNEVEN_LISTS };

// A step of its own, before steps that gather with UNEVEN_LISTS.
template <Shape SHAPE>
GR_DEVICE void find_long_lists(Context& ctx, const Csr& lists, const LongLists& found) {
  if constexpr (WARP == 1 || SHAPE != UNEVEN_LISTS) return;
  const edge_t longest = gathering::longest_in_group(ctx);
  for_each_index(ctx, ctx.graph.n, [&](i64 v) {
    const edge_t length = lists.row(v).length;
    if (length > gathering::STREAM_WARP_MAX)
      found.vertices[ctx.graph.n - 1 - reserve(&found.counts[1])] = vertex_t(v);
    else if (length > longest) found.vertices[reserve(&found.counts[0])] = vertex_t(v);
  });
}

template <Shape SHAPE>
struct AllLists {
  u64* tickets;  // zero when the step begins
  LongLists known;

  template <class Monoid, class C, class F>
  GR_DEVICE void run(Context& ctx, const Range&, const Csr& lists, F& f, C& collect) const {
    static_assert(!F::PEEKS && !F::NOTIFIES, "every entry counts here, and once");
    static_assert(!F::SPLIT_LOADS || WARP == 1 || SHAPE == UNEVEN_LISTS, "other shapes look in one place");
    if constexpr (WARP == 1) gathering::by_cores<Monoid>(ctx, lists, tickets, f, collect);
    else if constexpr (SHAPE == SHORT_LISTS) gathering::by_threads<Monoid>(ctx, lists, f, collect);
    else if constexpr (SHAPE == EVEN_LISTS) gathering::by_lanes<Monoid>(ctx, lists, f, collect);
    else gathering::by_stream<Monoid>(ctx, lists, tickets, known, f, collect);
  }
};

}  // namespace gunrock
