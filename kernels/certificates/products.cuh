// What one step along edges makes of values: each vertex passes its own on, and those that meet are summed.
// They are scattered by atomics along out-edges, so neither a gather nor a reverse graph has a part in it. The
// host says what comes between the steps of an iteration (gunrock_cli/primitives/references.py).
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  const double* from;  // `columns` values of every vertex, side by side
  double* to;          // the same, zero before
  i64 columns;
  i64 back;            // against the edges, from their ends to where they begin
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State&) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      const double* from = p.from + (p.back ? v : u) * p.columns;
      double* to = p.to + (p.back ? u : v) * p.columns;
      for (i64 c = 0; c < p.columns; ++c)
        if (from[c] != 0) atomic_add(&to[c], from[c]);
    });
    return false;
  }
};
