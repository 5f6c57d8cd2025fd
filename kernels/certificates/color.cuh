// Certificate of a coloring: it is proper if and only if every vertex has a color and no edge has two ends of
// the same color. Loops do not count. (The number of colors does not matter.)
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* colors;
  u64* broken;
  i64* first;
};

enum Condition { COLOR, CLASH };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    const Tally tally{p.broken, p.first};
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      tally.require(u == v || p.colors[u] != p.colors[v], CLASH, v);
    });
    for_each_vertex(ctx, [&](vertex_t v) { tally.require(p.colors[v] >= 0, COLOR, v); });
    return true;
  }
};
