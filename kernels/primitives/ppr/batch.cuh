// Personalized PageRank of up to ROW seeds at once (rows.cuh). The run ends once every seed's ranks have
// converged.
// Options: GR_RANK_DOUBLE, GR_ROWS_BY_OCTETS.
#pragma once
#define GR_WARP_ROWS 1  // a warp is as wide as a row
#include "operators/by_degree.cuh"
#include "rows.cuh"

struct Problem {
  rank_t* ranks;            // the answer: n rows
  rank_t* shares;           // two arrays of n rows, in turn, a row of zeros before each
  double* totals;           // three slots in turn of two rows: L1 changes, dangling ranks
  const vertex_t* seeds;    // of each column, by row; -1: none
  vertex_t* long_lists;
  i32* long_counts;         // as LongLists has them
  u32* reached;             // as PowerRows has it
  double damping;
  double tolerance;
  i64 max_iterations;
  vertex_t* order;          // the vertex of each row; null if every vertex has its own number
};

enum Phase { ITERATE, BEGIN };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const PowerRows power{p.shares, p.totals, p.seeds, {p.long_lists, p.long_counts}, p.reached,
                          p.damping, p.tolerance, p.max_iterations};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      power.begin(ctx);
      return true;
    }
    const i64 iteration = i64(s.step) - 1;
    const bool done = power.done(ctx, control, iteration);
    ctx.show(ITERATE, iteration, ctx.graph.n, done ? 0 : ctx.graph.m);
    if (done) make_ranks(ctx, p, power.shares_of(ctx, iteration));
    else power.iterate(ctx, control, iteration);
    return !done;
  }

 private:
  GR_DEVICE static void make_ranks(Context& ctx, const Problem& p, const rank_t* shares) {
    for_each_index(ctx, ctx.graph.n * ROW, [&](i64 i) {
      const edge_t degree = ctx.graph.csr.row(i / ROW).length;
      p.ranks[vertex_of(p.order, i / ROW) * ROW + i % ROW] =
          degree > 1 ? shares[i] * rank_t(degree) : shares[i];
    });
  }
};
