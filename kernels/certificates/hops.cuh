// Certificate of answers that are made of hops: those from one vertex, or to it. Every edge is relaxed until nothing
// changes, which no operator does, and the host compares what the answer says of that vertex.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* hops;      // NO_PATH before, and 0 at the vertex
  u32* changed;   // three words, zero before
  i64 backward;   // true for hops to the vertex
};

constexpr i32 NO_PATH = 0x3fffffff;

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Flag changed{p.changed, s.step};
    changed.clear_next(ctx);
    if (s.step > 0 && !changed.was_raised()) return false;
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      const i32 from = load_relaxed(&p.hops[p.backward ? v : u]);
      i32* const to = &p.hops[p.backward ? u : v];
      if (from >= NO_PATH || load_relaxed(to) <= from + 1) return;
      atomic_min(to, from + 1);
      changed.raise();
    });
    return true;
  }
};
