// Certificate of triangle counts: another count. For each edge, the neighbours of its end of lower degree are looked
// up in the other end's list by binary search, in the graph as it is. A triangle is found at the edge between its
// two vertices of lowest degree, by the third.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i64* triangles;  // the claim for each vertex, or null
  u64* found;      // zero before
  u64* broken;
  i64* first;
};

enum Condition { COUNT };

// The order of vertices: by degree, then by number.
GR_DEVICE bool is_before(const Csr& lists, vertex_t u, vertex_t v) {
  const edge_t own = lists.row(u).length, other = lists.row(v).length;
  return own < other || (own == other && u < v);
}

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally&) {
    const Csr& lists = ctx.graph.csr;
    for_each_edge(ctx, lists, [&](vertex_t u, vertex_t v, edge_t e) {
      const bool again = e > lists.row_begin(u) && lists.neighbor(e - 1) == v;
      if (again || u == v || !is_before(lists, u, v)) return;
      u64 count = 0;
      for_each_neighbor(lists, u, [&](vertex_t w) {
        if (!is_before(lists, v, w) || !is_neighbor(lists, v, w)) return;
        ++count;
        atomic_add(&p.found[w], u64(1));
      });
      if (count == 0) return;
      atomic_add(&p.found[u], count);
      atomic_add(&p.found[v], count);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    if (!p.triangles) return;
    for_each_vertex(ctx, [&](vertex_t v) { tally.require(u64(p.triangles[v]) == p.found[v], COUNT, v); });
  }
};
