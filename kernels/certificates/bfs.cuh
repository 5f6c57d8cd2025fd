// Depths from a source are right if and only if: the source alone has 0; no edge leads from a reached
// vertex to one more than a level further on, or to an unreached one (so no depth is too great, and all
// that can be reached is); every other reached vertex has an in-neighbour one level up (so none is too
// small). A predecessor must be such a neighbour.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* labels;
  i32* predecessors;  // or null
  u32* explained;     // by an edge from the level above; zero before
  i64 source;
  u64* broken;
  i64* first;
};

enum Condition { LABEL, SOURCE, SKIPPED, UNEXPLAINED, PREDECESSOR };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (s.step == 0) {
      each_edge(ctx, p, tally);
    } else if (s.step == 1) {
      each_vertex(ctx, p, tally);
    } else {
      return false;
    }
    return true;
  }

  GR_DEVICE static void each_edge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      const i64 from = p.labels[u], to = p.labels[v];
      if (from < 0) return;
      tally.require(to >= 0 && to <= from + 1, SKIPPED, v);
      if (to == from + 1 && (!p.predecessors || p.predecessors[v] == u)) store_relaxed(&p.explained[v], 1u);
    });
  }

  GR_DEVICE static void each_vertex(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const i32 label = p.labels[v];
      tally.require(label >= -1 && i64(label) < ctx.graph.n, LABEL, v);
      tally.require((label == 0) == (v == p.source), SOURCE, v);
      tally.require(label <= 0 || p.explained[v], p.predecessors ? PREDECESSOR : UNEXPLAINED, v);
      tally.require(label > 0 || !p.predecessors || p.predecessors[v] == -1, PREDECESSOR, v);
    });
  }
};
