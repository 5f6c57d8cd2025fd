// Personalized PageRank of one set of seeds: iteration.cuh's power iteration.
// Options: GR_LISTS, GR_RANK_DOUBLE, GR_SHARED_CACHE, GR_RESTARTS, GR_WEIGHTED.
#pragma once
#include "iteration.cuh"

struct Problem {
  rank_t* ranks;     // the answer
  rank_t* shares;    // two arrays of n, in turn
  double* totals;    // three slots in turn of {L1 change, dangling rank}
  u32* seed_bits;    // a bitmap, by row
  double seed_weight;
  vertex_t* long_lists;
  i32* long_counts;  // as LongLists has them
  double damping;
  double tolerance;
  i64 max_iterations;
  vertex_t* order;   // the vertex of each row; null if every vertex has its own number
  rank_t* restarts;  // as Restarts has them
  rank_t* stuck;
  rank_t* parts;     // as Passing has them
  u8* passes;
};

enum Phase { ITERATE, BEGIN };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const PowerIteration power{p.ranks, p.shares, p.totals, {p.long_lists, p.long_counts},
                               {p.seed_bits, p.seed_weight}, p.damping, p.tolerance, p.max_iterations, p.order,
                               {p.restarts, p.stuck}, p.parts, p.passes};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      power.begin(ctx);
      return true;
    }
    const i64 iteration = i64(s.step) - 1;
    const bool done = power.done(ctx, control, iteration);
    ctx.show(ITERATE, iteration, ctx.graph.n, done ? 0 : ctx.graph.m);
    if (done) power.make_ranks(ctx, iteration);
    else power.iterate(ctx, control, s, iteration);
    return !done;
  }
};
