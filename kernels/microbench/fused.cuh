// Gathering and status lookup in one kernel (Merrill, section 4.3): every neighbour is looked up as soon as it
// is gathered; nothing is written out.
#pragma once
#include "microbench/status.cuh"

struct Problem {
  vertex_t* items;
  edge_t* scan;
  edge_t* rows;
  i64* vertex_starts;
  i64* edge_starts;
  i64 levels;
  i32* labels;
  u32* visited;  // or null
  u64* passed;
};

enum Phase { GATHER_AND_LOOKUP };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    const Frontier in = recorded_vertices(p, s.step);
    ctx.show(GATHER_AND_LOOKUP, s.step, in.size);
    Lookup lookup(ctx, p.labels, p.visited, s.step);
    advance<V>(ctx, in, ctx.out(s), ctx.graph.csr, lookup);
    add_up(ctx, p.passed, lookup.passed);
    return true;
  }
};
