// Edges are the minimum spanning forest if and only if they are edges of the graph, form no cycle, and no
// edge of the graph leads from one tree to another or comes before one on the path between its ends. The last
// edge on that path is found as by King (1997): when the forest is contracted, with every node going by its
// first edge, it is the last of those that the two ends went by until they met. Edges are ordered by weight,
// then by their ends; twins are told apart by weight. Loops do not count.
#pragma once
#include "certificates/proof.cuh"
#include "math/edge_order.cuh"

struct Problem {
  vertex_t* up;       // of each node before a contraction: the node that it is part of after it,
  i32* ranks;         // and which of the forest's edges it went by; -1: none
  i64* starts;        // where in both the nodes of each contraction begin
  i64 depth;          // contractions
  i64 trees;          // nodes after the last
  u64* ends;          // of the forest's edges, in their order,
  weight_t* weights;  // and what they weigh
  u32* found;         // whether the graph has them; zero before
  i64 count;
  u64* broken;
  i64* first;
};

enum Condition { CIRCLE, APART, LIGHTER, STRANGE };

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    if (ctx.rank() == 0) tally.require(ctx.graph.n - p.trees == p.count, CIRCLE, 0);
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (u == v) return;
      vertex_t a = u, b = v;
      i32 last = -1;
      for (i64 level = 0; level < p.depth && a != b; ++level) {
        const i64 start = p.starts[level];
        const i32 one = p.ranks[start + a], other = p.ranks[start + b];
        last = one > last ? one : last;
        last = other > last ? other : last;
        a = p.up[start + a];
        b = p.up[start + b];
      }
      tally.require(a == b, APART, u);
      if (a != b || last < 0) return;
      const u32 mine = weight_order(ctx.graph.csr.values[e]), its = weight_order(p.weights[last]);
      const u64 ends = ends_of(u, v);
      tally.require(mine > its || (mine == its && ends >= p.ends[last]), LIGHTER, u);
      if (mine == its && ends == p.ends[last]) store_relaxed(&p.found[last], 1u);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for (i64 i = ctx.rank(); i < p.count; i += ctx.threads())
      tally.require(load_relaxed(&p.found[i]), STRANGE, smaller_end(p.ends[i]));
  }
};
