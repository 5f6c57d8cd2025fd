// The tree of a forest that most edges lead to, found from samples: the component that is worth leaving out.
// Used by connected components and MST.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"

constexpr int SAMPLES = 32;

struct Sample {
  vertex_t root;
  int count;
};

// The ends of some edges; their loads begin on construction. Every block has all of them, each lane of its
// first warp a few.
struct SampledEnds {
  static constexpr int PER_LANE = SAMPLES / WARP;
  vertex_t ends[PER_LANE];

  GR_DEVICE explicit SampledEnds(Context& ctx) {
    if (warp_id() != 0) return;
    GR_UNROLL
    for (int k = 0; k < PER_LANE; ++k) {
      const u64 random = scramble(u32(lane_id() * PER_LANE + k + 1)) >> 8;
      ends[k] = ctx.graph.csr.neighbor(edge_t(random * u64(ctx.graph.m) >> 24));
      ctx.count_edges(1);
    }
  }

  // The commonest root among the samples. Every thread of the grid gets the same answer if roots do not change,
  // as in a step that only compresses. Walks read the multiprocessor's cache, as all blocks read the same few
  // words [D-cc-8].
  GR_DEVICE Sample commonest(Context& ctx, const vertex_t* parents) {
    if (warp_id() == 0) {
      GR_UNROLL
      for (int k = 0; k < PER_LANE; ++k)
        for (vertex_t above; (above = load_cached(&parents[ends[k]])) != ends[k];) ends[k] = above;
      warp_sync();
      const Sample best = most_common();
      if (thread_id() == 0) ctx.shared.broadcast = u64(best.root) << 32 | u64(best.count);
    }
    block_sync();
    const u64 found = ctx.shared.broadcast;
    block_sync();
    return {vertex_t(found >> 32), int(found & 0xffffffffu)};
  }

 private:
  GR_DEVICE Sample most_common() const {
    if constexpr (PER_LANE == 1) {  // each lane knows how many have its root; the most, and then the first, wins
      u32 most = u32(popcount(warp_match(ends[0]))) << 8 | u32(WARP - 1 - lane_id());
      GR_UNROLL
      for (int d = WARP / 2; d > 0; d /= 2) {
        const u32 other = warp_exchange(most, d);
        if (other > most) most = other;
      }
      return {warp_broadcast(ends[0], WARP - 1 - int(most & 0xff)), int(most >> 8)};
    }
    Sample best = {-1, 0};
    for (int i = 0; i < SAMPLES; ++i) {
      const vertex_t root = warp_broadcast(ends[i % PER_LANE], i / PER_LANE);
      int count = 0;
      for (int k = 0; k < PER_LANE; ++k) count += popcount(warp_ballot(ends[k] == root));
      if (count > best.count) best = {root, count};
    }
    return best;
  }
};

GR_DEVICE Sample commonest(Context& ctx, const vertex_t* parents) {
  return SampledEnds(ctx).commonest(ctx, parents);
}
