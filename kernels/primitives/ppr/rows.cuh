// Personalized PageRank of up to ROW seeds at once: iteration.cuh's power iteration with a row of shares per
// vertex, one column per seed. An edge costs one cache line for all columns. Columns without a seed stay zero.
// Used by batch.cuh and WTF.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/bitmap.cuh"
#include "core/enactor.cuh"
#include "operators/gather_rows.cuh"
#include "../pagerank/ranks.cuh"

// FREEZES: a column keeps the values of the iteration in which it converged, as in a run of its own.
template <bool FREEZES>
struct UpdateRow : RowFunctor {
  struct Own {
    edge_t begin, behind;  // of out-edges; computing their number would wait for the loads
    Columns<rank_t> shares;
  };
  const Csr& out_edges;
  const rank_t* shares;
  rank_t* next_shares;
  const vertex_t* seeds;
  u32* reached;          // BY_OCTETS: a bitmap of the vertices whose rows are not all zeros
  const double* before;  // totals
  double damping;
  bool seeded;  // true if any vertex of the present group is a seed
  bool frozen[COLUMNS];
  double change[COLUMNS];
  double dangling[COLUMNS];
  rank_t moved[COLUMNS], lost[COLUMNS];  // of the present group, to be added to these

  GR_DEVICE UpdateRow(const vertex_t* begin, double factor, const Csr& csr, const rank_t* from, rank_t* to,
                      u32* bits, const double* totals, double frozen_below)
      : out_edges(csr), shares(keep_pointer(from)), next_shares(keep_pointer(to)), seeds(begin),
        reached(bits), before(totals), damping(factor), seeded(false) {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      frozen[c] = FREEZES && load_cached(&before[column_at(c)]) < frozen_below;
      change[c] = dangling[c] = 0;
      moved[c] = lost[c] = 0;
    }
  }

  GR_DEVICE const rank_t* rows() const { return shares; }
  GR_DEVICE Own own(vertex_t v) {
    return {out_edges.row_begin(v), out_edges.row_begin(i64(v) + 1), columns_of(shares, v)};
  }

  // Bits are also set during the step; an old word suffices, since rows that it does not have were zeros
  // before.
  GR_DEVICE bool counts(vertex_t u) { return bitmap_holds(reached, u); }
  GR_DEVICE bool wants(vertex_t v) { return bitmap_holds(reached, v); }

  GR_DEVICE void enter(i64 first, int count) {
    leave();
    bool found = false;
    for (int i = lane_id(); i < ROW; i += WARP)
      found |= u32(load_constant(&seeds[i]) - vertex_t(first)) < u32(count);
    seeded = warp_ballot(found) != 0;
  }
  // Adds the present group's sums.
  GR_DEVICE void leave() {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      change[c] += double(moved[c]);
      dangling[c] += double(lost[c]);
      moved[c] = lost[c] = 0;
    }
  }

  // Divides ranks by multiplying with one reciprocal: far from the seeds most ranks are zero, for which a
  // division takes a slow path, and a vertex has ROW ranks.
  GR_DEVICE void finish(vertex_t v, const Own& own, const double (&sums)[COLUMNS]) {
    const edge_t count = own.behind - own.begin;
    const rank_t degree = rank_t(count > 1 ? count : 1), part = 1 / degree;
    Columns<rank_t> ranks, fresh;
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) ranks.x[c] = rank_t(damping * sums[c]);
    if (seeded) {
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c)
        if (load_constant(&seeds[column_at(c)]) == v) ranks.x[c] = rank_t(begins_anew(c) + damping * sums[c]);
    }
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      fresh.x[c] = FREEZES && frozen[c] ? own.shares.x[c] : ranks.x[c] * part;
      moved[c] += magnitude(fresh.x[c] - own.shares.x[c]) * degree;
      if (count == 0 && !(FREEZES && frozen[c])) lost[c] += ranks.x[c];
    }
    columns_of(next_shares, v) = fresh;
    if constexpr (BY_OCTETS) {
      bool some = false;
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c) some |= fresh.x[c] != 0;
      if (some && !bitmap_holds(reached, v)) bitmap_set(reached, v);
    }
  }

 private:
  // What a column's seed gets.
  GR_DEVICE double begins_anew(int place) const {
    return 1 - damping + damping * load_cached(&before[ROW + column_at(place)]);
  }
};

struct PowerRows {
  rank_t* shares;         // two arrays of n rows, in turn, a row of zeros before each
  double* totals;         // three slots in turn of two rows: L1 changes, dangling ranks
  const vertex_t* seeds;  // of each column; -1: none
  LongLists lists;
  u32* reached;           // BY_OCTETS: a bitmap, at first the seeds; else null
  double damping;
  double tolerance;
  i64 max_iterations;

  // For the coming iteration: the shares that the previous one has left.
  GR_DEVICE rank_t* shares_of(const Context& ctx, i64 iteration) const {
    return shares + ((iteration % 2) * (ctx.graph.n + 1) + 1) * ROW;
  }
  GR_DEVICE double* totals_of(i64 iteration) const { return totals + 2 * ROW * (iteration % 3); }

  // A step before the first iteration.
  GR_DEVICE void begin(Context& ctx) const { find_long_rows(ctx, ctx.graph.reverse, lists); }

  // The whole warp: true if there is nothing left to do in this iteration.
  GR_DEVICE bool done(const Context& ctx, Control& control, i64 iteration) const {
    if (iteration > 0 && converged(totals_of(iteration))) return true;
    if (iteration < max_iterations) return false;
    note_limit(ctx, control);
    return true;
  }

  // A step.
  template <bool FREEZES = false>
  GR_DEVICE void iterate(Context& ctx, Control& control, i64 iteration) const {
    double* after = totals_of(iteration + 1);
    double* later = totals_of(iteration + 2);
    for_each_index(ctx, 2 * ROW, [&](i64 i) { later[i] = 0; });
    if (ctx.rank() == 0) store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    UpdateRow<FREEZES> update(seeds, damping, ctx.graph.csr, shares_of(ctx, iteration),
                              shares_of(ctx, iteration + 1), reached, totals_of(iteration),
                              iteration > 0 ? tolerance : 0.0);
    gather_rows<Sum<rank_t>>(ctx, ctx.graph.reverse, update, &control.counters[iteration % 3], lists);
    update.leave();
    fold_columns<Sum<double>>(ctx, update.change, after);
    fold_columns<Sum<double>>(ctx, update.dangling, after + ROW);
  }

 private:
  // The whole warp: true if no column has changed by the tolerance.
  GR_DEVICE bool converged(const double* changes) const {
    bool moving = false;
    for (int c = 0; c < COLUMNS; ++c) moving |= !(load_cached(&changes[column_at(c)]) < tolerance);
    return warp_ballot(moving) == 0;
  }
};
