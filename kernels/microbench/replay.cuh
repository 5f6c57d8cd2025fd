// The common part of the microbenchmarks: the frontiers of a traversal that was recorded before the clock starts
// (record.cuh), replayed level by level, one step each. A Problem that replays has
//   items, scan, rows    vertex frontiers, one after the other, each with the scanned lengths of its lists
//   vertex_starts        where each level's vertices begin; one more entry than there are levels
//   edges                edge frontiers: the ends of these lists, level by level
//   edge_starts          where each level's edges begin
#pragma once
#include "core/enactor.cuh"

namespace gunrock {

constexpr int SUMS = 1024;  // words that sums are spread over, so that warps do not wait for the same one

// A level's vertex frontier, as an advance reads it.
template <class P>
GR_DEVICE Frontier recorded_vertices(const P& p, i64 level) {
  const i64 first = p.vertex_starts[level], count = p.vertex_starts[level + 1] - first;
  return {{p.items + first, p.scan + first, p.rows + first, u64(count)},
          {u32(count), u64(p.edge_starts[level + 1] - p.edge_starts[level])}};
}

// f(ids, live) for a level's edge frontier, by whole blocks: BATCH edges per thread at once.
template <class P, class F>
GR_DEVICE void for_recorded_edges(const Context& ctx, const P& p, i64 level, F f) {
  const i64 first = p.edge_starts[level], last = p.edge_starts[level + 1];
  for (i64 base = first + i64(ctx.block) * PASS; base < last; base += i64(ctx.blocks) * PASS) {
    vertex_t ids[BATCH];
    bool live[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 i = base + k * BLOCK + thread_id();
      live[k] = i < last;
      ids[k] = live[k] ? load_constant(&p.edges[i]) : 0;
    }
    f(ids, live);
  }
}

// All threads of a warp: adds up their sums, so that their loads are not optimised away.
GR_DEVICE void add_up(const Context& ctx, u64* sums, u64 x) {
  const u64 all = warp_sum(x);
  if (lane_id() == 0 && all) atomic_add(&sums[ctx.rank() / WARP % SUMS], all);
}

}  // namespace gunrock
