// PageRank by power iteration, in pull form: every vertex gathers what its in-neighbours pass on. Gunrock,
// section 5.5; the rank of vertices without out-edges is spread over all vertices, so ranks sum to 1.
//
// The first step finds the vertices with long lists; each further one is an iteration. It reads the shares
// (rank / out-degree) of the previous iteration and writes new ones, in two arrays used in turn: no atomics,
// one barrier. On the way it sums its changes and the rank on dangling vertices, for the next step to read.
// Only shares are kept from step to step, which saves bandwidth: the step that finds nothing left to do
// computes the ranks from the last shares. Nobody gathers from a dangling vertex, so its share can be its rank.
// GR_PADDED: lists are gathered from a copy with room for four entries each; undirected graphs only.
// GR_WEIGHTED: as in shares.cuh.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE, GR_PADDED, GR_WEIGHTED.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather_padded.cuh"
#include "shares.cuh"

struct Problem {
  rank_t* ranks;     // the answer
  rank_t* shares;    // two arrays of n, in turn
  double* totals;    // three slots in turn of {L1 change, dangling rank}
  double even;       // a rank if all were equal: a step has no time for a division
  double dangling;   // rank of all dangling vertices at first; 0 without any
  vertex_t* long_lists;
  i32* long_counts;  // as LongLists has them
  vertex_t* padded;  // the copy of the lists for GR_PADDED, as PaddedLists has it; else null
  double damping;
  double tolerance;
  i64 max_iterations;
  vertex_t* order;   // the vertex of each row; null if every vertex has its own number
  rank_t* parts;     // as Passing has them
  u8* passes;
};

#if GR_PADDED
constexpr bool PADDED = true;
#else
constexpr bool PADDED = false;
#endif
static_assert(!PADDED || !WEIGHTED, "a padded list does not know the places of its edges");

struct Update : ShareUpdate {
  // every vertex gets `base`, beside which a sum's lost digits are negligible
  static constexpr bool FINISHES_RUNS = true;
  const Passing passing;
  double base;  // what every vertex gets

  GR_DEVICE Update(Context& ctx, const rank_t* from, rank_t* to, const Passing& how, double every,
                   double factor)
      : ShareUpdate(ctx, from, ctx.graph.n, from, to, factor, how.parts), passing(how), base(every) {}

  GR_DEVICE Own own(vertex_t v, edge_t length) {
    return {before[v], PADDED ? length : passing.shares(v)};  // padded: the out-degree equals the in-degree
  }
  GR_DEVICE bool finish(vertex_t v, const Own& own, double sum) {
    set_rank(v, own, base, sum);
    return false;
  }
  // On cores, several vertices by one instruction. (The compiler does so only if a function gives `own`.)
  GR_DEVICE void finish_run(vertex_t first, int count, const double* sums) {
    double changed = 0, dangles = 0;
    GR_SIMD_SUMS(changed, dangles)
    for (int k = 0; k < count; ++k)
      set_rank(first + k, own(first + k, 0), base, sums[k], changed, dangles);
    change += changed;
    dangling += dangles;
  }
};

// Starts loading the lists that an iteration begins with, before it waits for anything else.
GR_DEVICE auto begin(const Context& ctx, const PaddedTiers<rank_t>& padded) {
  if constexpr (PADDED) return padded.begin(ctx);
  else return padded;
}

enum Phase : i32 { ITERATE, BEGIN };

// All vertices take part in every iteration: not for a single block.
struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const LongLists lists{p.long_lists, p.long_counts};
    const PaddedTiers<rank_t> padded{{p.padded}, lists};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      if (ctx.rank() == 0) store_relaxed(&p.totals[1], p.dangling);
      if constexpr (PADDED) padded.make(ctx, ctx.graph.reverse);
      else find_long_lists<SHAPE>(ctx, ctx.graph.reverse, lists);
      return true;
    }
    const i64 n = ctx.graph.n, iteration = i64(s.step) - 1;
    ctx.show(ITERATE, iteration, n, ctx.graph.m);
    const auto lists_begun = begin(ctx, padded);
    // Of a multiprocessor's warps, one reads them from L2; otherwise all would queue up there [D-driver-1].
    const double* before = p.totals + 2 * (iteration % 3);
    double changed, dangling;
    load_cached_two(before, changed, dangling);
    rank_t* shares = p.shares + (iteration % 2) * n;
    const bool converged = iteration > 0 && changed < p.tolerance;
    if (converged || iteration >= p.max_iterations) {
      if (!converged) note_limit(ctx, control);
      ctx.show(ITERATE, iteration, n, 0);  // no lists: there is nothing left to do
      make_ranks(ctx, p, shares);
      return false;
    }
    double* after = p.totals + 2 * ((iteration + 1) % 3);
    if (ctx.rank() == 0) {
      double* later = p.totals + 2 * ((iteration + 2) % 3);
      store_relaxed(&later[0], 0.0);
      store_relaxed(&later[1], 0.0);
      store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    }
    const double base = (1 - p.damping + p.damping * dangling) * p.even;
    Update update(ctx, shares, p.shares + ((iteration + 1) % 2) * n, passing(ctx, p), base, p.damping);
    if constexpr (PADDED)
      gather<Sum<rank_t>>(ctx, s, Range{n}, ctx.graph.reverse, update, lists_begun);
    else
      gather<Sum<rank_t>, AllLists<SHAPE>>(ctx, s, Range{n}, ctx.graph.reverse, update,
                                           {&control.counters[iteration % 3], lists});
    fold_grid<Sum<double>>(ctx, update.change, &after[0]);
    if (p.dangling > 0) fold_grid<Sum<double>>(ctx, update.dangling, &after[1]);
    return true;
  }

 private:
  GR_DEVICE static void make_ranks(Context& ctx, const Problem& p, const rank_t* shares) {
    for_each_index(ctx, ctx.graph.n, [&](i64 row) {
      const i64 v = vertex_of(p.order, row);
      p.ranks[v] = rank_of_share(shares[row], passing(ctx, p).shares(row));
    });
  }
  GR_DEVICE static Passing passing(const Context& ctx, const Problem& p) {
    return {ctx.graph.csr, p.parts, p.passes};
  }
};
