// The labels of a breadth-first search: a vertex's depth, or -1 while it is unvisited.
#pragma once
#include "core/graph.cuh"

// A loaded label. True if the vertex was new; tested only when the answer is used, so that a thread's other
// loads stay in flight meanwhile.
struct IsNew {
  i32 depth;
  GR_DEVICE operator bool() const { return depth == -1; }
};

// The labels of all vertices or, on one of several devices, of its own, starting at `first`.
struct Depths {
  static constexpr i32 KNOWN = 0;  // if not asked about, a vertex is not new
  i32* labels;
  i64 first;

  GR_DEVICE i32* at(vertex_t v) const { return &labels[v - first]; }
  GR_DEVICE IsNew is_new(vertex_t v) const { return {*at(v)}; }
  // For steps in which other threads may reach v: a plain look, and a claim (true for one of the threads that
  // ask).
  GR_DEVICE IsNew looks_new(bool asked, vertex_t v) const {
    return {load_relaxed_if(asked, at(v), KNOWN)};
  }
  GR_DEVICE IsNew claim(bool asked, vertex_t v, i32 depth) const {
    return {atomic_cas_if(asked, at(v), -1, depth, KNOWN)};
  }
};
