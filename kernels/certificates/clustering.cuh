// Certificate of clustering coefficients: another count. Each two neighbours are met at one edge between them. Of the
// end of lower degree, all neighbours are looked up in the other end's lists by binary search, in the graph as it is.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  double* coefficients;
  u64* links;      // edges between each vertex's neighbours, zero before
  u64* neighbors;  // how many each vertex has, zero before
  u64* broken;
  i64* first;
};

enum Condition { COEFFICIENT };

GR_DEVICE bool is_linked(const Graph& graph, vertex_t u, vertex_t v) {
  return is_neighbor(graph.csr, u, v) || (graph.directed() && is_neighbor(graph.reverse, u, v));
}

// f(w) for all neighbours of v, by edges out of it and into it.
template <class F>
GR_DEVICE void for_each_linked(const Graph& graph, vertex_t v, F f) {
  for_each_neighbor(graph.csr, v, f);
  if (!graph.directed()) return;
  for_each_neighbor(graph.reverse, v, [&](vertex_t w) {
    if (!is_neighbor(graph.csr, v, w)) f(w);
  });
}

GR_DEVICE edge_t degree(const Graph& graph, vertex_t v) {
  return graph.csr.row(v).length + (graph.directed() ? graph.reverse.row(v).length : edge_t(0));
}

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally&) {
    const Graph& graph = ctx.graph;
    for_each_edge(ctx, graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const bool again = e > graph.csr.row_begin(u) && graph.csr.neighbor(e - 1) == v;
      if (again || u == v || (u > v && is_neighbor(graph.csr, v, u))) return;
      const bool is_lower = degree(graph, u) < degree(graph, v);
      const vertex_t low = is_lower ? u : v, high = is_lower ? v : u;
      u64 around_low = 0, around_high = 0;
      for_each_linked(graph, low, [&](vertex_t w) {
        if (w == high || !is_linked(graph, high, w)) return;
        around_low += u64(is_neighbor(graph.csr, high, w));
        around_high += u64(is_neighbor(graph.csr, low, w));
      });
      atomic_add(&p.links[low], around_low);
      atomic_add(&p.links[high], around_high);
      atomic_add(&p.neighbors[low], u64(1));
      atomic_add(&p.neighbors[high], u64(1));
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const u64 around = p.neighbors[v], pairs = around < 2 ? 0 : around * (around - 1);
      tally.require(p.coefficients[v] == (pairs ? double(p.links[v]) / double(pairs) : 0.0), COEFFICIENT, v);
    });
  }
};
