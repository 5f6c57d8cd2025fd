// PageRank by power iteration, in pull form: every vertex gathers what its in-neighbours pass on.
// Gunrock, section 5.5; the rank of vertices without out-edges is spread over all, so ranks sum to 1.
//
// The first step finds the vertices with long lists, each further one is an iteration. It reads the
// shares (rank / out-degree) of the one before and writes new ones, two arrays in turn: no
// atomics, one barrier. What the iteration changed and what rank lies on dangling vertices is summed
// on the way, for the next step to read. Only shares are kept from step to step, which saves
// bandwidth: the step that finds nothing left to do computes the ranks from the last ones.
// No one gathers from a dangling vertex, so its share can be its rank.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather_all.cuh"
#include "ranks.cuh"

struct Problem {
  rank_t* ranks;     // the answer
  rank_t* shares;    // two arrays of n, in turn
  double* totals;    // three slots in turn of {L1 change, dangling rank}
  vertex_t* long_lists;
  i32* long_counts;  // as LongLists has them
  double damping;
  double tolerance;
  i64 max_iterations;
};

constexpr Shape SHAPE = Shape(GR_LISTS);

struct Update : GatherFunctor {
  struct Own {
    rank_t share;
    edge_t degree;
  };
  const Csr& out_edges;
  const rank_t* shares;
  rank_t* next_shares;
  double base;  // what every vertex gets
  double damping;
  double change = 0;
  double dangling = 0;

  GR_DEVICE Update(const Csr& csr, const rank_t* from, rank_t* to, double every, double factor)
      : out_edges(csr), shares(from), next_shares(to), base(every), damping(factor) {}

  GR_DEVICE Own own(vertex_t v) { return {shares[v], out_edges.row(v).length}; }
  GR_DEVICE rank_t value(vertex_t u, edge_t) { return shares[u]; }
  GR_DEVICE void ask(vertex_t u) { prefetch_near(&shares[u]); }
  GR_DEVICE bool finish(vertex_t v, const Own& own, double sum) {
    const rank_t rank = rank_t(base + damping * sum);
    rank_t share;  // a core rather divides by 1, and adds 0, than guess the way of a branch
    if constexpr (WARP == 1) share = rank / rank_t(own.degree > 1 ? own.degree : 1);
    else share = own.degree > 1 ? rank / rank_t(own.degree) : rank;
    const double difference = double(share) - double(own.share);
    change += magnitude(difference) * double(own.degree > 1 ? own.degree : 1);
    if constexpr (WARP == 1) dangling += double(own.degree == 0) * double(rank);
    else if (own.degree == 0) dangling += double(rank);
    next_shares[v] = share;
    return false;
  }
};

enum Phase : i32 { ITERATE, BEGIN };

struct Enactor {
  struct State : LoopState {};

  // All vertices take part in every iteration: never worth one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const LongLists lists{p.long_lists, p.long_counts};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      find_long_lists<SHAPE>(ctx, ctx.graph.reverse, lists);
      return true;
    }
    const i64 n = ctx.graph.n, iteration = i64(s.step) - 1;
    ctx.show(ITERATE, iteration, n, ctx.graph.m);
    const double* before = p.totals + 2 * (iteration % 3);
    rank_t* shares = p.shares + (iteration % 2) * n;
    if (iteration >= p.max_iterations || (iteration > 0 && load_relaxed(&before[0]) < p.tolerance)) {
      ctx.show(ITERATE, iteration, n, 0);  // no lists: there is nothing left to do
      make_ranks(ctx, shares, p.ranks);
      return false;
    }
    double* after = p.totals + 2 * ((iteration + 1) % 3);
    if (ctx.rank() == 0) {
      double* later = p.totals + 2 * ((iteration + 2) % 3);
      store_relaxed(&later[0], 0.0);
      store_relaxed(&later[1], 0.0);
      store_relaxed(&control.counters[(iteration + 1) % 3], u64(0));
    }
    const double base = (1 - p.damping + p.damping * load_relaxed(&before[1])) / double(n);
    Update update(ctx.graph.csr, shares, p.shares + ((iteration + 1) % 2) * n, base, p.damping);
    gather<Sum<rank_t>, AllLists<SHAPE>>(ctx, s, Range{n}, ctx.graph.reverse, update,
                                         {&control.counters[iteration % 3], lists});
    fold_grid<Sum<double>>(ctx, update.change, &after[0]);
    fold_grid<Sum<double>>(ctx, update.dangling, &after[1]);
    return true;
  }

 private:
  GR_DEVICE static void make_ranks(Context& ctx, const rank_t* shares, rank_t* ranks) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const edge_t degree = ctx.graph.csr.row(v).length;
      ranks[v] = degree > 1 ? shares[v] * rank_t(degree) : shares[v];
    });
  }
};
