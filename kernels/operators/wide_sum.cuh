// Sums over neighbour lists in numbers with a wide exponent, by a thread, a warp or a block a list.
#pragma once
#include "../core/collector.cuh"
#include "../math/wide_number.cuh"
#include "entries.cuh"

namespace gunrock {

constexpr edge_t THREAD_EDGES = GR_CUDA ? 32 : edge_t(1) << 30;  // longer lists go to the warp,
constexpr edge_t WARP_EDGES = 4096;                              // and those to the block
constexpr int LONG_LISTS = GR_CUDA ? PASS : 1;                   // that a block can remember

// The part of a list that begins at `e` and goes on in steps of `stride`.
template <class F>
GR_DEVICE void sum_part(const Csr& csr, const F& f, edge_t e, edge_t end, edge_t stride,
                        Wide& sum) {
  for (; e < end; e += TOGETHER * stride) {
    vertex_t u[TOGETHER];
    bool counts[TOGETHER];
    load_entries(csr, e, end, stride, u);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k) counts[k] = u[k] >= 0 && f.counts(u[k]);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k)
      if (counts[k]) f.add(sum, u[k]);
  }
}

#if GR_CUDA
// The whole block: the sum of all its threads' sums, for thread 0.
GR_DEVICE void add_block(Context& ctx, Wide& sum) {
  u64(*parts)[WARPS] = ctx.shared.wide_scan.totals;
  sum.add_lanes(WARP);
  block_sync();
  if (lane_id() == 0) {
    parts[0][warp_id()] = double_bits(sum.mantissa);
    parts[1][warp_id()] = u64(i64(sum.exponent));
  }
  block_sync();
  if (thread_id() == 0)
    for (int w = 1; w < WARPS; ++w) sum.add(bits_double(parts[0][w]), i32(i64(parts[1][w])));
}
#endif

// For each vertex of items[0, count) that the functor wants (without items: of all vertices): sum
// its list, by a thread, a warp or the block. A part of a step.
//
// A functor has
//   bool wants(v)
//   bool counts(u)            does neighbour u contribute?
//   void add(sum, u)          what it does
//   void finish(v, sum, c)    asked of one thread; may push v to collector c
template <class F, class Item, class C>
GR_DEVICE void sum_lists(Context& ctx, const Csr& csr, const Item* items, i64 count, const F& f,
                         C& collect) {
#if GR_CUDA
  item_t* long_lists = ctx.shared.window.items;
  if (thread_id() == 0) ctx.shared.turn_winner = 0;  // how many are remembered
  block_sync();
#endif
  for (i64 base = i64(ctx.block) * BLOCK; base < count; base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    vertex_t v = 0;
    edge_t first = 0, end = 0;
    bool wanted = false;
    if (i < count) {
      v = items ? vertex_t(items[i]) : vertex_t(i);
      wanted = f.wants(v);
      if (wanted) {
        first = load_constant(&csr.row_offsets[v]);
        end = load_constant(&csr.row_offsets[v + 1]);
      }
    }
    const bool wide = WARP > 1 && end - first > THREAD_EDGES;
    if (wanted && !wide) {
      Wide sum;
      sum_part(csr, f, first, end, edge_t(1), sum);
      f.finish(v, sum, collect);
    }
#if GR_CUDA
    bool later = false;
    if (end - first > WARP_EDGES) {
      const int place = reserve(&ctx.shared.turn_winner);
      later = place < LONG_LISTS;
      if (later) long_lists[place] = item_t(v);
    }
    for (u32 left = warp_ballot(wide && !later); left; left &= left - 1) {
      const int lane = lowest_bit(left);
      Wide sum;
      sum_part(csr, f, warp_broadcast(first, lane) + lane_id(), warp_broadcast(end, lane),
               edge_t(WARP), sum);
      sum.add_lanes(WARP);
      if (lane == lane_id()) f.finish(v, sum, collect);
    }
#endif
  }
#if GR_CUDA
  block_sync();
  const int remembered = ctx.shared.turn_winner;
  for (int k = 0; k < remembered && k < LONG_LISTS; ++k) {
    const vertex_t v = vertex_t(long_lists[k]);
    Wide sum;
    sum_part(csr, f, csr.row_offsets[v] + thread_id(), csr.row_offsets[v + 1], edge_t(BLOCK), sum);
    add_block(ctx, sum);
    if (thread_id() == 0) f.finish(v, sum, collect);
  }
  block_sync();
#endif
}

}  // namespace gunrock
