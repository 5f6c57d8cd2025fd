// Certificate of core numbers, from an order in which the vertices were removed. They are right if
//   - every vertex has as many edges as its core number to vertices whose core numbers are no smaller, so that these
//     form a subgraph that shows it is no smaller;
//   - no vertex has more edges than its core number to vertices after it in the order, along which core numbers do not
//     fall: of any subgraph the first vertex has all its edges to later ones, so that no core number is greater.
// Loops do not count, parallel edges each do.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* cores;
  u32* numbers;   // of vertices in the order
  i32* order;     // the vertices by these numbers
  u32* inner;     // edges to vertices of no smaller core numbers; zero before
  u32* later;     // edges to later vertices; zero before
  u64* broken;
  i64* first;
};

enum Condition { FALL, FEW, MANY };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    switch (s.step) {
      case 0: walk(ctx, p, tally); break;
      case 1: judge(ctx, p, tally); break;
      default: return false;
    }
    return true;
  }

  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t i) {
      if (i > 0) tally.require(p.cores[p.order[i - 1]] <= p.cores[p.order[i]], FALL, p.order[i]);
    });
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (u == v) return;
      if (p.cores[u] >= p.cores[v]) atomic_add(&p.inner[v], 1u);
      if (p.numbers[u] >= p.numbers[v]) atomic_add(&p.later[v], 1u);  // each is later of two with one number
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      tally.require(i64(p.inner[v]) >= p.cores[v], FEW, v);
      tally.require(i64(p.later[v]) <= p.cores[v], MANY, v);
    });
  }
};
