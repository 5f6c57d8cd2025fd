// Which tree of a forest most edges lead to: the component of a graph that is worth leaving out.
#pragma once
#include "core/enactor.cuh"

constexpr int SAMPLES = 32;

struct Sample {
  vertex_t root;
  int count;
};

// The commonest root among the ends of some edges. Every thread of the grid gets the same answer
// while roots stay what they are, as they do in a step that only compresses.
GR_DEVICE Sample commonest(Context& ctx, const vertex_t* parents) {
  constexpr int PER_LANE = SAMPLES / WARP;
  vertex_t mine[PER_LANE];
  Sample best = {-1, 0};
  if (warp_id() == 0) {
    for (int k = 0; k < PER_LANE; ++k) {
      const u64 random = u64(lane_id() * PER_LANE + k + 1) * 0x9e3779b97f4a7c15ull;
      const i64 e = i64((random >> 11) % u64(ctx.graph.m));
      vertex_t at = ctx.graph.csr.neighbor(e);
      ctx.count_edges(1);
      while ((mine[k] = load_relaxed(&parents[at])) != at) at = mine[k];
    }
    for (int i = 0; i < SAMPLES; ++i) {
      const vertex_t root = warp_broadcast(mine[i % PER_LANE], i / PER_LANE);
      int count = 0;
      for (int k = 0; k < PER_LANE; ++k) count += popcount(warp_ballot(mine[k] == root));
      if (count > best.count) best = {root, count};
    }
    if (thread_id() == 0) ctx.shared.broadcast = u64(best.root) << 32 | u64(best.count);
  }
  block_sync();
  const u64 found = ctx.shared.broadcast;
  block_sync();
  return {vertex_t(found >> 32), int(found & 0xffffffffu)};
}
