// Status lookup (Merrill, section 4.2): which ends of edges have not been visited yet. Used by fused.cuh and
// lookup.cuh.
//
// GR_LOOK_AT_LABEL: by their labels, which is safe against earlier levels; GR_CULL_...: by the heuristics of
// operators/culling.cuh; GR_CLAIM: by one atomic each, which lets every vertex through once.
#pragma once
#include "microbench/replay.cuh"
#include "operators/culling.cuh"

namespace gunrock {

struct Lookup : EdgeFunctor {
  Context& ctx;
  i32* labels;
  u32* visited;
  i32 depth;  // of the vertices that this level finds
  u64 passed = 0;

  GR_DEVICE Lookup(Context& c, i32* l, u32* v, i64 level)
      : ctx(c), labels(l), visited(v), depth(i32(level) + 1) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return survives_bitmask(ctx, d, visited) && (!GR_LOOK_AT_LABEL || load_relaxed(&labels[d]) == -1);
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) {
    if constexpr (GR_CLAIM) return atomic_cas(&labels[d], -1, depth) == -1;
    else return survives_recent(ctx, d);
  }
  GR_DEVICE void apply(vertex_t, vertex_t d, edge_t) {
    if constexpr (!GR_CLAIM) store_relaxed(&labels[d], depth);
    ++passed;
  }
};

}  // namespace gunrock
