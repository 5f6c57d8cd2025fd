// What a breadth-first search knows of its vertices: how deep each lies, -1 while it is unvisited.
#pragma once
#include "core/graph.cuh"

// Of all vertices or, on one of several devices, of its own, from the first.
struct Depths {
  i32* labels;
  i64 first;

  GR_DEVICE i32* at(vertex_t v) const { return &labels[v - first]; }
  GR_DEVICE bool is_new(vertex_t v) const { return *at(v) == -1; }
  // Where others may reach v meanwhile: by a look, and for good (true for one of all that ask).
  GR_DEVICE bool looks_new(vertex_t v) const { return load_relaxed(at(v)) == -1; }
  GR_DEVICE bool claim(vertex_t v, i32 depth) const { return atomic_cas(at(v), -1, depth) == -1; }
};
