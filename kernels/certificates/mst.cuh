// Certificate of a minimum spanning forest: its edges are edges of the graph, form no cycle, and no edge of the
// graph leads from one tree to another or comes before an edge on the path between its ends. The last edge on
// that path is found as by King (1997): contract the forest, every node by its first edge; the last edge is
// then the last of those by which the two ends were contracted until they met. Edges are ordered by weight,
// then by their ends; parallel edges are told apart by weight. Loops do not count.
#pragma once
#include "certificates/proof.cuh"
#include "math/edge_order.cuh"

struct Problem {
  vertex_t* up;       // of each node before a contraction: the node that it belongs to after it
  i32* ranks;         // the forest's edge by which it was contracted; -1: none
  i64* starts;        // where in `up` and `ranks` each contraction's nodes begin
  i64 depth;          // the number of contractions
  i64 trees;          // nodes after the last contraction
  u64* ends;          // of the forest's edges, in their order
  weight_t* weights;  // the forest's weights
  u32* found;         // true if the graph has the edge; zero before
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
