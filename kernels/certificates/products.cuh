// One step along edges, for certificates of ranking primitives: each vertex passes its values on, and the
// values that meet are summed. They are scattered by atomics along out-edges, so this uses neither a gather nor
// a reverse graph. The host does what comes between the steps of an iteration
// (gunrock_cli/primitives/references.py).
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  const double* from;  // `columns` values of every vertex, side by side
  double* to;          // as many values; zero before
  i64 columns;
  i64 back;            // true: against the edges, from their ends to their sources
  i64 weighted;        // true: times the edges' weights
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State&) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const double weight = p.weighted ? double(ctx.graph.csr.values[e]) : 1;
      const double* from = p.from + (p.back ? v : u) * p.columns;
      double* to = p.to + (p.back ? u : v) * p.columns;
      for (i64 c = 0; c < p.columns; ++c)
        if (from[c] != 0) atomic_add(&to[c], from[c] * weight);
    });
    return false;
  }
};
