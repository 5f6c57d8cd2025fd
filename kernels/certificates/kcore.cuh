// Certificate of core numbers and of an order in which the vertices can be removed. They are right if
//   - every vertex has as many edges as its number to vertices whose numbers are no smaller, so that these form a
//     subgraph that shows it is no smaller;
//   - no vertex has more edges than its number to vertices after it in the order, along which numbers do not fall: of
//     any subgraph the first vertex has all its edges to later ones, so that no number is greater.
// Loops do not count, parallel edges each do.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* cores;
  i32* places;    // of vertices in the order
  i32* order;     // -1 before
  u32* inner;     // edges to vertices of no smaller numbers; zero before
  u32* later;     // edges to later vertices; zero before
  u64* broken;
  i64* first;
};

enum Condition { ORDER, FALL, FEW, MANY };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    switch (s.step) {
      case 0: place(ctx, p, tally); break;
      case 1: walk(ctx, p); break;
      case 2: judge(ctx, p, tally); break;
      default: return false;
    }
    return true;
  }

  GR_DEVICE static void place(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const bool is_place = p.places[v] >= 0 && p.places[v] < ctx.graph.n;
      tally.require(is_place, ORDER, v);
      if (is_place) store_relaxed(&p.order[p.places[v]], i32(v));
    });
  }

  GR_DEVICE static void walk(const Context& ctx, const Problem& p) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (u == v) return;
      if (p.cores[u] >= p.cores[v]) atomic_add(&p.inner[v], 1u);
      if (p.places[u] > p.places[v]) atomic_add(&p.later[v], 1u);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const i32 next = p.order[v], last = v > 0 ? p.order[v - 1] : next;  // of all vertices, by their places
      tally.require(next >= 0, ORDER, v);
      if (next >= 0 && last >= 0) tally.require(p.cores[last] <= p.cores[next], FALL, next);
      tally.require(i64(p.inner[v]) >= p.cores[v], FEW, v);
      tally.require(i64(p.later[v]) <= p.cores[v], MANY, v);
    });
  }
};
