// Certificate of triangle counts: another count. For each edge, the neighbours of its end of lower degree are looked
// up in the other end's list by binary search, in the graph as it is. A triangle is found at the edge between its
// two vertices of lowest degree, by the third; if edges' counts are claimed, at each edge.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i64* triangles;  // the claim for each vertex, or null
  i64* of_edges;   // the claim for each entry, or null
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

// The triangles of an edge, by all neighbours of its end of lower degree; a loop has none.
GR_DEVICE u64 triangles_of(const Csr& lists, vertex_t u, vertex_t v) {
  const vertex_t low = is_before(lists, u, v) ? u : v, high = low == u ? v : u;
  u64 count = 0;
  for_each_neighbor(lists, low, [&](vertex_t w) { count += u64(w != high && is_neighbor(lists, high, w)); });
  return u == v ? 0 : count;
}

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    const Csr& lists = ctx.graph.csr;
    if (p.of_edges) {
      for_each_edge(ctx, lists, [&](vertex_t u, vertex_t v, edge_t e) {
        tally.require(u64(p.of_edges[e]) == triangles_of(lists, u, v), COUNT, u);
      });
      return;
    }
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
