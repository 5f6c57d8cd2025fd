// Hubs and authorities (HITS) by power iteration, in pull form. Kleinberg (1999); Gunrock, section 5.5.
//
// An iteration is two steps, each a gather over the whole graph like PageRank's: a vertex's authority is the
// sum of the hubs that point to it (in-lists), and its hub value the sum of the authorities that it points to
// (out-lists). There are no atomics except for the sums over the grid, and one barrier per step.
//
// Both are normalized in each iteration, without a pass for it. A step knows the norm of the values that it
// reads, and scales what it writes by the power of two next to the norm's inverse, which keeps numbers in range
// and rounds nothing. The norm itself is divided out when values are compared, and at the end. So the change of
// the authorities in an iteration is known only once their norm is: the step that gathers hubs sums it up on
// the way.
//
// If hubs are numbered by their out-degrees, and authorities by their in-degrees, each row and each entry has
// the number of its side.
//
// GR_WEIGHTED: each value counts as often as its edge weighs. The weights' greatest is 1, so that sums stay in
// range; the norm takes out any factor.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE, GR_WEIGHTED.
#pragma once
#include "core/enactor.cuh"
#include "operators/by_degree.cuh"
#include "primitives/pagerank/ranks.cuh"

struct Problem {
  rank_t* hubs;         // the answer
  rank_t* authorities;  // the answer
  rank_t* hub_values;   // hubs up to a factor; `hubs` itself if every vertex has its own number
  rank_t* rounds;       // authorities up to a factor: two arrays of n, in turn
  double* totals;       // SLOTS in turn of {mass, change}
  vertex_t* long_in_lists;
  i32* long_in_counts;  // as LongLists has them
  vertex_t* long_out_lists;
  i32* long_out_counts;
  double tolerance;
  i64 max_iterations;
  i64 squares;  // true if norms are L2 rather than L1
  vertex_t* hub_order;  // the vertex of each number, on either side; null if every vertex has its own number
  vertex_t* authority_order;
  rank_t* in_weights;   // of each in-edge; null unless GR_WEIGHTED
  rank_t* out_weights;  // of each out-edge
};

constexpr Shape SHAPE = Shape(GR_LISTS);  // of both sides' lists, so that they share the code
constexpr int CACHED_PREFIX = CACHED_VALUES<rank_t, SHAPE>;

// A half-step's sums are read by the next three; the step before a slot's own clears it.
constexpr i64 SLOTS = 6;

// The norm, L1 or L2: what a value adds to the mass, and the norm of that mass.
struct Norm {
  bool squares;
  GR_DEVICE double part(double x) const { return squares ? x * x : x < 0 ? -x : x; }
  GR_DEVICE double of(double mass) const { return squares ? square_root(mass) : mass; }
  // The factor that makes the norm 1; 0 if all values are zero.
  GR_DEVICE double scale(double mass) const { return mass > 0 ? 1 / of(mass) : 0; }
};

// The power of two next to a factor; 0 for 0.
GR_DEVICE double rounded_to_power_of_two(double x) {
  constexpr u64 EXPONENT = u64(0x7ff) << 52;
  return bits_double(double_bits(x) & EXPONENT);
}

#if GR_WEIGHTED
constexpr bool WEIGHTED = true;
#else
constexpr bool WEIGHTED = false;
#endif
static_assert(!WEIGHTED || CACHED_PREFIX == 0, "weights are in the graph's order");

struct HalfStep : GatherValues<Sum<rank_t>, CACHED_PREFIX> {
  using Own = rank_t;  // the change of the vertex's authority
  using Base = GatherValues<Sum<rank_t>, CACHED_PREFIX>;
  using Base::value;
  rank_t* to;
  rank_t factor;
  Norm norm;
  const rank_t* ago;  // if hubs are gathered: the previous iteration's authorities; else null
  double ratio;       // makes them comparable with the authorities being gathered
  const rank_t* weights;  // of the edges; null unless GR_WEIGHTED
  double mass = 0, change = 0;

  GR_DEVICE HalfStep(Context& ctx, const rank_t* source, rank_t* target, double scale,
                     const Norm& length, const rank_t* before, double comparable, const rank_t* each)
      : Base(ctx, source, ctx.graph.n), to(target), factor(rank_t(scale)), norm(length), ago(before),
        ratio(comparable), weights(each) {}

  GR_DEVICE rank_t value(vertex_t u, edge_t e) const {
    if constexpr (WEIGHTED) return values[u] * load_constant(&weights[e]);
    else return Base::value(u, e);
  }

  // Called for all vertices, whichever side's number v is.
  GR_DEVICE rank_t own(vertex_t v, edge_t) const {
    return ago ? rank_t(double(values[v]) - double(ago[v]) * ratio) : rank_t(0);
  }
  GR_DEVICE bool finish(vertex_t v, rank_t moved, double sum) {
    const rank_t x = rank_t(double(factor) * sum);
    to[v] = x;
    mass += norm.part(double(x));
    change += norm.part(double(moved));
    return false;
  }
};

enum Phase { AUTHORITIES, HUBS, BEGIN };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n, half = i64(s.step) - 1, iteration = half / 2;
    if (s.step == 0) {
      ctx.show(BEGIN, 0, n, 0);
      find_long_lists<SHAPE>(ctx, ctx.graph.reverse, in_lists(p));
      find_long_lists<SHAPE>(ctx, ctx.graph.csr, out_lists(p));
      return true;
    }
    const bool hubs = half % 2 == 1;
    const Norm norm{p.squares != 0};
    ctx.show(hubs ? HUBS : AUTHORITIES, iteration, n, ctx.graph.m);
    if (!hubs && is_done(ctx, p, control, norm, iteration, half)) {
      ctx.show(AUTHORITIES, iteration, n, 0);  // no lists: there is nothing left to do
      normalize(ctx, p, norm, iteration, half);
      return false;
    }
    if (ctx.rank() == 0) {
      double* later = slot(p, half + 1);
      store_relaxed(&later[0], 0.0);
      store_relaxed(&later[1], 0.0);
      store_relaxed(&control.counters[(half + 1) % 3], u64(0));
    }
    const rank_t* ago = p.rounds + (iteration % 2) * n;
    rank_t* now = p.rounds + ((iteration + 1) % 2) * n;
    const double before = mass(p, half - 1);
    HalfStep work(ctx, hubs ? now : p.hub_values, hubs ? p.hub_values : now,
                  rounded_to_power_of_two(norm.scale(before)), norm, hubs ? ago : nullptr,
                  norm.of(before) * norm.scale(mass(p, half - 3)), hubs ? p.out_weights : p.in_weights);
    gather<Sum<rank_t>, AllLists<SHAPE>>(
        ctx, s, Range{n}, hubs ? ctx.graph.csr : ctx.graph.reverse, work,
        {&control.counters[half % 3], hubs ? out_lists(p) : in_lists(p)});
    double* sums = slot(p, half);
    fold_grid<Sum<double>>(ctx, work.mass, &sums[0]);
    fold_grid<Sum<double>>(ctx, work.change, &sums[1]);
    return true;
  }

 private:
  GR_DEVICE static LongLists in_lists(const Problem& p) { return {p.long_in_lists, p.long_in_counts}; }
  GR_DEVICE static LongLists out_lists(const Problem& p) {
    return {p.long_out_lists, p.long_out_counts};
  }

  // The slot of a half-step; the slots of the start, -2 and -1, are set from the beginning.
  GR_DEVICE static double* slot(const Problem& p, i64 half) {
    return p.totals + 2 * ((half + SLOTS) % SLOTS);
  }
  GR_DEVICE static double mass(const Problem& p, i64 half) { return load_relaxed(&slot(p, half)[0]); }

  GR_DEVICE static bool is_done(const Context& ctx, const Problem& p, Control& control, const Norm& norm,
                                i64 iteration, i64 half) {
    if (converged(p, norm, iteration, half)) return true;
    if (iteration < p.max_iterations) return false;
    note_limit(ctx, control);
    return true;
  }

  GR_DEVICE static bool converged(const Problem& p, const Norm& norm, i64 iteration, i64 half) {
    // Authorities began equal, not computed from hubs. If all in-degrees are equal, the first iteration leaves
    // them so, which says nothing about the next.
    if (iteration < 2) return false;
    const double moved = norm.of(load_relaxed(&slot(p, half - 1)[1]));
    return moved * norm.scale(mass(p, half - 2)) < p.tolerance;
  }

  GR_DEVICE static void normalize(Context& ctx, const Problem& p, const Norm& norm, i64 iteration,
                                  i64 half) {
    const double of_hubs = norm.scale(mass(p, half - 1));
    const double of_authorities = norm.scale(mass(p, half - 2));
    const rank_t* last = p.rounds + (iteration % 2) * ctx.graph.n;
    for_each_index(ctx, ctx.graph.n, [&](i64 row) {
      p.hubs[vertex_of(p.hub_order, row)] = rank_t(double(p.hub_values[row]) * of_hubs);
      p.authorities[vertex_of(p.authority_order, row)] = rank_t(double(last[row]) * of_authorities);
    });
  }
};
