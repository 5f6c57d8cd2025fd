// Personalized PageRank by power iteration, in pull form: a walk that follows edges and, now and then or if
// there is none to follow, begins again at one of its seeds (Page and others 1998, section 6). Used by
// power.cuh and WTF.
//
// As in pagerank/pull.cuh, only shares (rank / out-degree) are kept from step to step, in two arrays used in
// turn, and the step that finds nothing left to do makes ranks from the last shares. The difference is that the
// walk begins again at the seeds, in equal parts, rather than at all vertices.
//
// GR_RESTARTS: it begins again anywhere, by one distribution, and by another one if there was no edge to follow.
// GR_WEIGHTED: it follows edges by their weights, as in pagerank/shares.cuh.
// Options: GR_LISTS, GR_RANK_DOUBLE, GR_SHARED_CACHE, GR_RESTARTS, GR_WEIGHTED.
#pragma once
#include "core/enactor.cuh"
#include "../pagerank/shares.cuh"

// Where the walk begins.
struct Seeds {
  const u32* bits;  // a bitmap
  double weight;    // of each: 1 / their number
  GR_DEVICE bool holds(vertex_t v) const { return load_constant(&bits[v / 32]) >> (v % 32) & 1; }
};

// Where the walk begins again, by vertex; null unless GR_RESTARTS.
struct Restarts {
  const rank_t* anywhere;
  const rank_t* stuck;  // if there was no edge to follow
};

// The ranks that vertices get in an iteration from walks that begin again: `jumped` of them would have had an
// edge to follow, and `ended` would not. `of` may load, `rank` does not.
#if GR_RESTARTS
struct Begun {
  Restarts restarts;
  double jumped, ended;
  GR_DEVICE Begun(const Seeds&, const Restarts& by, double jumps, double ends)
      : restarts(by), jumped(jumps), ended(ends) {}
  GR_DEVICE double of(vertex_t v) const {
    return jumped * double(restarts.anywhere[v]) + ended * double(restarts.stuck[v]);
  }
  GR_DEVICE double rank(double found) const { return found; }
};
#else
struct Begun {
  Seeds seeds;
  double base;  // what every seed gets
  GR_DEVICE Begun(const Seeds& by, const Restarts&, double jumps, double ends)
      : seeds(by), base((jumps + ends) * by.weight) {}
  GR_DEVICE bool of(vertex_t v) const { return seeds.holds(v); }
  GR_DEVICE double rank(bool seed) const { return seed ? base : 0.0; }
};
#endif

struct OwnBegun : OwnShare {
  decltype(static_cast<const Begun*>(nullptr)->of(0)) begun;
};

struct Update : ShareUpdate {
  using Own = OwnBegun;
  const Passing passing;
  const Begun begun;

  GR_DEVICE Update(Context& ctx, const rank_t* from, rank_t* to, const Passing& how, const Begun& begins,
                   double factor)
      : ShareUpdate(ctx, from, ctx.graph.n, from, to, factor, how.parts), passing(how), begun(begins) {}

  GR_DEVICE Own own(vertex_t v, edge_t) { return {{before[v], passing.shares(v)}, begun.of(v)}; }
  GR_DEVICE bool finish(vertex_t v, const Own& own, double sum) {
    set_rank(v, own, begun.rank(own.begun), sum);
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
  Restarts restarts = {};
  const rank_t* parts = nullptr;  // as Passing has them
  const u8* passes = nullptr;

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
    const Begun begun(seeds, restarts, 1 - damping, damping * load_relaxed(&before[1]));
    Update update(ctx, shares + (iteration % 2) * n, shares + ((iteration + 1) % 2) * n, passing(ctx),
                  begun, damping);
    gather<Sum<rank_t>, AllLists<SHAPE>>(ctx, s, Range{n}, ctx.graph.reverse, update,
                                         {&control.counters[iteration % 3], lists});
    fold_grid<Sum<double>>(ctx, update.change, &after[0]);
    fold_grid<Sum<double>>(ctx, update.dangling, &after[1]);
  }

  // The step after the last iteration.
  GR_DEVICE void make_ranks(Context& ctx, i64 iteration) const {
    const rank_t* last = shares + (iteration % 2) * ctx.graph.n;
    for_each_index(ctx, ctx.graph.n, [&](i64 row) {
      ranks[vertex_of(order, row)] = rank_of_share(last[row], passing(ctx).shares(row));
    });
  }

  GR_DEVICE Passing passing(const Context& ctx) const { return {ctx.graph.csr, parts, passes}; }
};
