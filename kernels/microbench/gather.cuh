// Isolated neighbour gathering (Merrill, section 4.1): read the ranges of a frontier's lists, load their
// neighbours into registers, write nothing. The strategies are advance's: GR_ADVANCE_MODE.
#pragma once
#include "microbench/replay.cuh"

struct Problem {
  vertex_t* items;
  edge_t* scan;
  edge_t* rows;
  i64* vertex_starts;
  i64* edge_starts;
  i64 levels;
  u64* sums;  // of all neighbours gathered
};

enum Phase { GATHER };

struct Gather : EdgeFunctor {
  u64 sum = 0;
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    sum += u64(d);
    return false;
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    const Frontier in = recorded_vertices(p, s.step);
    ctx.show(GATHER, s.step, in.size);
    Gather gather;
    advance<V>(ctx, in, ctx.out(s), ctx.graph.csr, gather);
    add_up(ctx, p.sums, gather.sum);
    return true;
  }
};
