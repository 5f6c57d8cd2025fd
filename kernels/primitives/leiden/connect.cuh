// What Leiden adds to Louvain's kernel (louvain.cuh): finding the connected parts of communities.
#pragma once
#include "operators/gather.cuh"

// Passes on the least number that has reached a vertex of the same community.
struct Connect : GatherFunctor {
  static constexpr bool PEEKS = true;
  using Own = vertex_t;
  const Problem& p;
  u64 changes = 0;
  GR_DEVICE explicit Connect(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return p.wholes[u] == p.wholes[v]; }
  GR_DEVICE vertex_t value(vertex_t u, edge_t) { return load_relaxed(&p.wanted[u]); }
  GR_DEVICE vertex_t own(vertex_t v, edge_t) { return load_relaxed(&p.wanted[v]); }
  GR_DEVICE bool finish(vertex_t v, vertex_t own, vertex_t least) {
    const vertex_t to = least < own ? least : own, beyond = load_relaxed(&p.wanted[to]);
    const vertex_t found = beyond < to ? beyond : to;
    if (found < own) store_relaxed(&p.wanted[v], found);
    changes += found < own;
    return false;
  }
};
