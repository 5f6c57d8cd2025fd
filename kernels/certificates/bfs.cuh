// Certificate of BFS: depths from a source are right if and only if: only the source has 0; no edge leads from
// a reached vertex to one more than a level further on, or to an unreached one (so no depth is too great, and
// every reachable vertex is reached); every other reached vertex has an in-neighbour one level up (so no depth
// is too small). A predecessor must be such a neighbour.
#pragma once
#include "certificates/levels.cuh"

struct Problem {
  i32* labels;
  i32* predecessors;  // or null
  u32* explained;     // a bit each, zero before: set by an edge from the level above
  i64 source;
  u64* broken;
  i64* first;
};

enum Condition { PREDECESSOR = LEVEL_CONDITIONS };

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    const Levels levels{p.labels, p.explained, p.source};
    for_each_link(ctx, [&](vertex_t u, vertex_t v, edge_t) {
      if (levels.leads_on(u, v, tally) && (!p.predecessors || p.predecessors[v] == u)) levels.explain(v);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    const Levels levels{p.labels, p.explained, p.source};
    for_each_own(ctx, [&](vertex_t v) {
      levels.judge(v, ctx.graph.n, tally, p.predecessors ? int(PREDECESSOR) : int(UNEXPLAINED));
      tally.require(p.labels[v] > 0 || !p.predecessors || p.predecessors[v] == -1, PREDECESSOR, v);
    });
  }
};
