// Personalized PageRank of up to ROW seeds at once: the power iteration of iteration.cuh, in which every
// vertex has a row of shares, a column a seed. An edge costs one line of memory for all of them.
// Columns that no seed has stay zero.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather_rows.cuh"
#include "../pagerank/ranks.cuh"

// FREEZES: a column stays as it is from the iteration on at which it has settled, as it would be by itself.
template <bool FREEZES>
struct UpdateRow : RowFunctor {
  struct Own {
    edge_t degree;  // of out-edges
    rank_t shares[COLUMNS];
  };
  const Csr& out_edges;
  const rank_t* shares;
  rank_t* next_shares;
  double damping;
  vertex_t seed[COLUMNS];
  double base[COLUMNS];  // what the seed gets
  double change[COLUMNS];
  double dangling[COLUMNS];
  bool frozen[COLUMNS];

  GR_DEVICE UpdateRow(const vertex_t* seeds, double factor, const Csr& csr, const rank_t* from, rank_t* to,
                      const double* before, double settled_below)
      : out_edges(csr), shares(from), next_shares(to), damping(factor) {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      seed[c] = load_constant(&seeds[column_at(c)]);
      base[c] = 1 - damping + damping * load_cached(&before[ROW + column_at(c)]);
      change[c] = dangling[c] = 0;
      frozen[c] = FREEZES && load_cached(&before[column_at(c)]) < settled_below;
    }
  }

  GR_DEVICE Own own(vertex_t v) {
    Own found{out_edges.row(v).length, {}};
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) found.shares[c] = shares[i64(v) * ROW + column_at(c)];
    return found;
  }
  GR_DEVICE const rank_t* rows() const { return shares; }
  GR_DEVICE void finish(vertex_t v, const Own& own, int column, int place, double sum) {
    const i64 at = i64(v) * ROW + column;
    if (FREEZES && frozen[place]) {
      next_shares[at] = own.shares[place];
      return;
    }
    const edge_t degree = own.degree;
    const rank_t rank = rank_t((seed[place] == v ? base[place] : 0.0) + damping * sum);
    const rank_t share = degree > 1 ? rank / rank_t(degree) : rank;
    const rank_t difference = share - own.shares[place];
    change[place] += double((difference < 0 ? -difference : difference) * rank_t(degree > 1 ? degree : 1));
    if (degree == 0) dangling[place] += double(rank);
    next_shares[at] = share;
  }
};

struct PowerRows {
  rank_t* shares;         // two arrays of n rows, in turn
  double* totals;         // three slots in turn of two rows: L1 changes, dangling ranks
  const vertex_t* seeds;  // of each column; -1: none
  LongRows lists;
  double damping;
  double tolerance;
  i64 max_iterations;

  // Of the iteration that is to come: what the one before it has left.
  GR_DEVICE rank_t* shares_of(const Context& ctx, i64 iteration) const {
    return shares + (iteration % 2) * ctx.graph.n * ROW;
  }
  GR_DEVICE double* totals_of(i64 iteration) const { return totals + 2 * ROW * (iteration % 3); }

  // A step before the first iteration.
  GR_DEVICE void begin(Context& ctx) const { find_long_rows(ctx, ctx.graph.reverse, lists); }

  // Whether there is nothing left to do in this iteration; the whole warp.
  GR_DEVICE bool done(i64 iteration) const {
    return iteration >= max_iterations || (iteration > 0 && settled(totals_of(iteration)));
  }

  // A step.
  template <bool FREEZES = false>
  GR_DEVICE void iterate(Context& ctx, Control& control, i64 iteration) const {
    double* after = totals_of(iteration + 1);
    double* later = totals_of(iteration + 2);
    for_each_index(ctx, 2 * ROW, [&](i64 i) { later[i] = 0; });
    if (ctx.rank() == 0) store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    UpdateRow<FREEZES> update(seeds, damping, ctx.graph.csr, shares_of(ctx, iteration),
                              shares_of(ctx, iteration + 1), totals_of(iteration),
                              iteration > 0 ? tolerance : 0.0);
    gather_rows<Sum<rank_t>>(ctx, ctx.graph.reverse, update, &control.counters[iteration % 3], lists);
    fold_columns<Sum<double>>(ctx, update.change, after);
    fold_columns<Sum<double>>(ctx, update.dangling, after + ROW);
  }

 private:
  // Whether no column has changed by the tolerance; the whole warp.
  GR_DEVICE bool settled(const double* changes) const {
    bool moving = false;
    for (int c = 0; c < COLUMNS; ++c) moving |= !(load_cached(&changes[column_at(c)]) < tolerance);
    return warp_ballot(moving) == 0;
  }
};
