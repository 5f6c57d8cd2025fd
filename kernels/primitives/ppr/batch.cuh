// Personalized PageRank of up to ROW seeds at once: the power iteration of iteration.cuh, in which every
// vertex has a row of shares, a column a seed. An edge costs one line of memory for all of them.
//
// The run goes on until every seed's ranks have settled. Columns that no seed has stay zero.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather_rows.cuh"
#include "../pagerank/ranks.cuh"

struct Problem {
  rank_t* ranks;            // the answer: n rows
  rank_t* shares;           // two arrays of n rows, in turn
  double* totals;           // three slots in turn of two rows: L1 changes, dangling ranks
  const vertex_t* seeds;    // of each column; -1: none
  vertex_t* long_lists;
  i32* long_counts;         // as LongRows has them
  double damping;
  double tolerance;
  i64 max_iterations;
};

struct UpdateRow : RowFunctor {
  using Own = edge_t;  // the out-degree
  const Csr& out_edges;
  const rank_t* shares;
  rank_t* next_shares;
  const vertex_t* seeds;
  double damping;
  vertex_t seed[COLUMNS];
  double base[COLUMNS];  // what the seed gets
  double change[COLUMNS];
  double dangling[COLUMNS];

  GR_DEVICE UpdateRow(const Problem& p, const Csr& csr, const rank_t* from, rank_t* to,
                      const double* before)
      : out_edges(csr), shares(from), next_shares(to), seeds(p.seeds), damping(p.damping) {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      seed[c] = load_constant(&seeds[column_at(c)]);
      base[c] = 1 - damping + damping * load_cached(&before[ROW + column_at(c)]);
      change[c] = dangling[c] = 0;
    }
  }

  GR_DEVICE edge_t own(vertex_t v) { return out_edges.row(v).length; }
  GR_DEVICE rank_t value(vertex_t u, int column) { return shares[i64(u) * ROW + column]; }
  GR_DEVICE void finish(vertex_t v, edge_t degree, int column, int place, double sum) {
    const i64 at = i64(v) * ROW + column;
    const rank_t rank = rank_t((seed[place] == v ? base[place] : 0.0) + damping * sum);
    const rank_t share = degree > 1 ? rank / rank_t(degree) : rank;
    const double difference = double(share) - double(shares[at]);
    change[place] += (difference < 0 ? -difference : difference) * double(degree > 1 ? degree : 1);
    if (degree == 0) dangling[place] += double(rank);
    next_shares[at] = share;
  }
};

enum Phase { ITERATE, BEGIN };

struct Enactor {
  struct State : LoopState {};

  // All vertices take part in every iteration: never worth one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    const LongRows lists{p.long_lists, p.long_counts};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, n, 0);
      find_long_rows(ctx, ctx.graph.reverse, lists);
      return true;
    }
    const i64 iteration = i64(s.step) - 1;
    const double* before = p.totals + 2 * ROW * (iteration % 3);
    rank_t* shares = p.shares + (iteration % 2) * n * ROW;
    const bool done = iteration >= p.max_iterations || (iteration > 0 && settled(before, p.tolerance));
    ctx.show(ITERATE, iteration, n, done ? 0 : ctx.graph.m);
    if (done) {
      make_ranks(ctx, shares, p.ranks);
      return false;
    }
    double* after = p.totals + 2 * ROW * ((iteration + 1) % 3);
    double* later = p.totals + 2 * ROW * ((iteration + 2) % 3);
    for_each_index(ctx, 2 * ROW, [&](i64 i) { later[i] = 0; });
    if (ctx.rank() == 0) store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    UpdateRow update(p, ctx.graph.csr, shares, p.shares + ((iteration + 1) % 2) * n * ROW, before);
    gather_rows<Sum<rank_t>>(ctx, ctx.graph.reverse, update, &control.counters[iteration % 3], lists);
    fold_columns<Sum<double>>(ctx, update.change, after);
    fold_columns<Sum<double>>(ctx, update.dangling, after + ROW);
    return true;
  }

 private:
  // Whether no column has changed by the tolerance; the whole warp.
  GR_DEVICE static bool settled(const double* changes, double tolerance) {
    bool moving = false;
    for (int c = 0; c < COLUMNS; ++c) moving |= !(load_cached(&changes[column_at(c)]) < tolerance);
    return warp_ballot(moving) == 0;
  }

  GR_DEVICE static void make_ranks(Context& ctx, const rank_t* shares, rank_t* ranks) {
    for_each_index(ctx, ctx.graph.n * ROW, [&](i64 i) {
      const edge_t degree = ctx.graph.csr.row(i / ROW).length;
      ranks[i] = degree > 1 ? shares[i] * rank_t(degree) : shares[i];
    });
  }
};
