// Certificate of topological levels. They are right if along every edge from a vertex with a level the level rises, none
// leads from a vertex without a level to one that has one, and every vertex but those of level 0 has an in-neighbour that
// explains it: one level below or, like itself, without a level. (Whoever follows explanations from a vertex without a
// level comes to a cycle.)
#pragma once
#include "certificates/proof.cuh"
#include "core/bitmap.cuh"

struct Problem {
  i32* levels;
  u32* explained;  // a bit each, zero before
  u64* broken;
  i64* first;
};

enum Condition { LEVEL, FALL, UNEXPLAINED };

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      const i64 from = p.levels[u], to = p.levels[v];
      tally.require(to < 0 || (from >= 0 && from < to), FALL, v);
      const bool explains = to < 0 ? from < 0 : from == to - 1;
      if (explains && !bitmap_test(p.explained, v)) bitmap_set(p.explained, v);
    });
  }
  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      tally.require(p.levels[v] >= -1, LEVEL, v);
      tally.require(p.levels[v] == 0 || bitmap_test(p.explained, v), UNEXPLAINED, v);
    });
  }
};
