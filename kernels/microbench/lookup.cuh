// Isolated status lookup (Merrill, section 4.2): read the edge frontier, decide which of its vertices may enter
// the vertex frontier, and mark them; nothing is written out.
#pragma once
#include "microbench/status.cuh"

struct Problem {
  vertex_t* edges;
  i64* edge_starts;
  i64 levels;
  i32* labels;
  u32* visited;  // or null
  u64* passed;
};

enum Phase { LOOKUP };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    const i64 edges = p.edge_starts[s.step + 1] - p.edge_starts[s.step];
    ctx.show(LOOKUP, s.step, edges, edges);
    Lookup lookup(ctx, p.labels, p.visited, s.step);
    for_recorded_edges(ctx, p, s.step, [&](const vertex_t* ids, bool* live) {
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) live[k] = live[k] && lookup.peek(0, ids[k], 0);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) live[k] = live[k] && lookup.visit(0, ids[k], 0);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (live[k]) lookup.apply(0, ids[k], 0);
    });
    add_up(ctx, p.passed, lookup.passed);
    return true;
  }
};
