// LowerDepth: the functor of a breadth-first search whose blocks run ahead: depths only fall. Used by BFS and
// BC.
#pragma once
#include "operators/advance_ahead.cuh"

struct LowerDepth {
  static constexpr bool WAITS = false;
  i32* labels;  // depth, -1 (the largest, unsigned) while unvisited
  u32 bound;    // greater depths are for the next step

  GR_DEVICE u32* cell(vertex_t v) const { return (u32*)&labels[v]; }
  GR_DEVICE u32 value(vertex_t v) { return load_relaxed(cell(v)); }
  GR_DEVICE u32 offer(u32 depth, edge_t) const { return depth + 1; }
  GR_DEVICE bool peek(vertex_t d, u32 now) { return value(d) > now; }
  GR_DEVICE Slice slice(vertex_t, u32 before, u32 now) {
    return before <= now ? DROP : now < bound ? NEAR : FAR;
  }
};
