// Certificate of a maximal independent set: no edge has both ends in it, and every vertex outside has a
// neighbour in it. Loops do not count. (Any such set is right.)
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* members;   // 1 in the set, 0 outside
  u32* adjacent;  // a bit each, zero before: has a neighbour in the set
  u64* broken;
  i64* first;
};

enum Condition { MEMBER, CLASH, ROOM };

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (u == v || p.members[u] != 1) return;
      tally.require(p.members[v] != 1, CLASH, v);
      store_relaxed(&p.adjacent[v], 1u);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const i32 member = p.members[v];
      tally.require(member == 0 || member == 1, MEMBER, v);
      tally.require(member == 1 || p.adjacent[v] != 0, ROOM, v);
    });
  }
};
