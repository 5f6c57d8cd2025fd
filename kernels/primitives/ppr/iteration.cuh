// Personalized PageRank by power iteration, in pull form: a walk that follows edges and, now and then or if
// there is none to follow, begins again at one of its seeds (Page and others 1998, section 6). Used by
// power.cuh and WTF.
//
// As in pagerank/pull.cuh, only shares (rank / out-degree) are kept from step to step, in two arrays used in
// turn, and the step that finds nothing left to do makes ranks from the last shares. The difference is that the
// walk begins again at the seeds, in equal parts, rather than at all vertices.
// Options: GR_LISTS, GR_RANK_DOUBLE, GR_SHARED_CACHE.
#pragma once
#include "core/enactor.cuh"
#include "../pagerank/shares.cuh"

// Where the walk begins.
struct Seeds {
  const u32* bits;  // a bitmap
  double weight;    // of each: 1 / their number
  GR_DEVICE bool holds(vertex_t v) const { return load_constant(&bits[v / 32]) >> (v % 32) & 1; }
};

struct OwnSeed : OwnShare {
  bool seed;
};

struct Update : ShareUpdate {
  using Own = OwnSeed;
  const Csr& out_edges;
  Seeds seeds;
  double base;  // what every seed gets

  GR_DEVICE Update(Context& ctx, const rank_t* from, rank_t* to, const Seeds& begin, double every,
                   double factor)
      : ShareUpdate(ctx, from, ctx.graph.n, from, to, factor), out_edges(ctx.graph.csr), seeds(begin),
        base(every) {}

  GR_DEVICE Own own(vertex_t v, edge_t) { return {{before[v], out_edges.row(v).length}, seeds.holds(v)}; }
  GR_DEVICE bool finish(vertex_t v, const Own& own, double sum) {
    set_rank(v, own, own.seed ? base : 0.0, sum);
    return false;
  }
};

struct PowerIteration {
  rank_t* ranks;   // the answer
  rank_t* shares;  // two arrays of n, in turn
  double* totals;  // three slots in turn of {L1 change, dangling rank}
  LongLists lists;
  Seeds seeds;
  double damping;
  double tolerance;
  i64 max_iterations;
  const vertex_t* order;  // the vertex of each row; null if every vertex has its own number

  // A step before the first iteration.
  GR_DEVICE void begin(Context& ctx) const { find_long_lists<SHAPE>(ctx, ctx.graph.reverse, lists); }

  // True if there is nothing left to do in this iteration.
  GR_DEVICE bool done(const Context& ctx, Control& control, i64 iteration) const {
    if (iteration > 0 && load_relaxed(&totals[2 * (iteration % 3)]) < tolerance) return true;
    if (iteration < max_iterations) return false;
    note_limit(ctx, control);
    return true;
  }

  // A step.
  GR_DEVICE void iterate(Context& ctx, Control& control, const LoopState& s, i64 iteration) const {
    const i64 n = ctx.graph.n;
    const double* before = totals + 2 * (iteration % 3);
    double* after = totals + 2 * ((iteration + 1) % 3);
    if (ctx.rank() == 0) {
      double* later = totals + 2 * ((iteration + 2) % 3);
      store_relaxed(&later[0], 0.0);
      store_relaxed(&later[1], 0.0);
      store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    }
    const double anew = 1 - damping + damping * load_relaxed(&before[1]);
    Update update(ctx, shares + (iteration % 2) * n, shares + ((iteration + 1) % 2) * n, seeds,
                  anew * seeds.weight, damping);
    gather<Sum<rank_t>, AllLists<SHAPE>>(ctx, s, Range{n}, ctx.graph.reverse, update,
                                         {&control.counters[iteration % 3], lists});
    fold_grid<Sum<double>>(ctx, update.change, &after[0]);
    fold_grid<Sum<double>>(ctx, update.dangling, &after[1]);
  }

  // The step after the last iteration.
  GR_DEVICE void make_ranks(Context& ctx, i64 iteration) const {
    const rank_t* last = shares + (iteration % 2) * ctx.graph.n;
    for_each_index(ctx, ctx.graph.n, [&](i64 row) {
      ranks[vertex_of(order, row)] = rank_of_share(last[row], ctx.graph.csr.row(row).length);
    });
  }
};
