// The functor of a breadth-first search whose blocks run ahead: depths only fall.
#pragma once
#include "operators/advance_ahead.cuh"

struct LowerDepth {
  static constexpr bool WAITS = false;
  i32* labels;  // depth, -1 (the largest, unsigned) while unvisited
  u32 bound;    // depths from here on are for the next step

  GR_DEVICE u32 value(vertex_t v) { return u32(load_relaxed(&labels[v])); }
  GR_DEVICE bool peek(u32 depth, vertex_t d, edge_t) {
    return u32(load_relaxed(&labels[d])) > depth + 1;
  }
  GR_DEVICE Slice visit(u32 depth, vertex_t d, edge_t, u32& now) {
    now = depth + 1;
    if (atomic_min((u32*)&labels[d], now) <= now) return DROP;
    return now < bound ? NEAR : FAR;
  }
};
