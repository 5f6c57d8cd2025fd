// PageRank in push form: every vertex of a frontier adds its share to its out-neighbours, by atomics. The
// iteration and its stop are pull.cuh's.
//
// An iteration is two steps: the frontier's shares (rank / out-degree) are scattered into sums; then every
// vertex turns its sum into a rank. Sums are double even if ranks are float: a hub's sum of many small shares,
// added one by one, would drift in float.
// Options: GR_RANK_DOUBLE, GR_RANK_FILTER.
//
// GR_RANK_FILTER: sums are kept from one iteration to the next, and a vertex scatters the change of its share
// since it last scattered. A vertex whose share has changed by no more than `slack` is left out of the
// frontier, and comes back when the changes amount to more: nothing is lost, only delayed.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"
#include "ranks.cuh"

struct Problem {
  rank_t* ranks;
  rank_t* shares;  // n present ones; with the filter n more, as last scattered
  double* sums;    // of the shares received
  double* totals;  // two slots in turn of {L1 change, dangling rank}
  double damping;
  double tolerance;
  double slack;
  i64 max_iterations;
};

// What a vertex has to scatter. (The difference of two floats is exact in double.)
struct Shares {
  rank_t* now;
  rank_t* scattered;
  double slack;

  GR_DEVICE double news(vertex_t v) const {
#if GR_RANK_FILTER
    return double(now[v]) - double(scattered[v]);
#else
    return double(now[v]);
#endif
  }
  GR_DEVICE bool in_frontier(vertex_t v) const {
#if GR_RANK_FILTER
    const double change = news(v);
    return change > slack || -change > slack;
#else
    return true;
#endif
  }
};

struct Begin : VertexFunctor {
  Shares shares;
  GR_DEVICE explicit Begin(const Shares& s) : shares(s) {}
  GR_DEVICE bool visit(item_t v) { return shares.in_frontier(vertex_t(v)); }
};

struct Scatter : EdgeFunctor {
  struct Carry {
    double x;
  };
  Shares shares;
  double* sums;
  GR_DEVICE Scatter(const Shares& s, double* into) : shares(s), sums(into) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t, edge_t, Carry& carry) { carry.x = shares.news(s); }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry&) { return true; }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    atomic_add(&sums[d], carry.x);
    return false;  // it makes no frontier
  }
};

struct Update : VertexFunctor {
  const Csr& out_edges;
  rank_t* ranks;
  Shares shares;
  double* sums;
  double base;  // what every vertex gets
  double damping;
  double change = 0;
  double dangling = 0;
  GR_DEVICE Update(const Csr& csr, rank_t* into, const Shares& s, double* from, double every,
                   double factor)
      : out_edges(csr), ranks(into), shares(s), sums(from), base(every), damping(factor) {}

  // True if the vertex is in the next frontier.
  GR_DEVICE bool visit(item_t item) {
    const vertex_t v = vertex_t(item);
    const edge_t degree = out_edges.row(v).length;
    const rank_t rank = rank_t(base + damping * load_relaxed(&sums[v]));
    const double difference = double(rank) - double(ranks[v]);
    change += difference < 0 ? -difference : difference;
    if (degree == 0) dangling += double(rank);
    ranks[v] = rank;
#if GR_RANK_FILTER
    if (shares.in_frontier(v)) shares.scattered[v] = shares.now[v];  // the previous step scattered it
#else
    store_relaxed(&sums[v], 0.0);
#endif
    shares.now[v] = degree > 0 ? rank / rank_t(degree) : rank_t(0);
    return shares.in_frontier(v);
  }
};

enum Phase { BEGIN, SCATTER, UPDATE };

// All vertices are updated in every iteration: not for a single block.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    Size frontier = {0, 0};  // of this iteration; without the filter, all vertices
  };

  // A step that scatters has a frontier of its own, or reuses the first one.
  GR_DEVICE static Size frontier(const State& s) {
    const bool fresh = s.step == 1 || (GR_RANK_FILTER && s.step % 2 == 1);
    return fresh ? s.in : s.frontier;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    const Shares shares{p.shares, p.shares + n, p.slack};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, n, 0);
      filter<V>(ctx, s, Range{n}, ctx.graph.csr, Begin(shares));
      return true;
    }
    const u32 iteration = (s.step - 1) / 2;
    ctx.show(s.step % 2 == 1 ? SCATTER : UPDATE, iteration, frontier(s));
    const double* before = p.totals + 2 * (iteration % 2);
    double* after = p.totals + 2 * ((iteration + 1) % 2);
    if (s.step % 2 == 1) {
      if (iteration > 0 && load_relaxed(&before[0]) < p.tolerance) return false;
      if (i64(iteration) >= p.max_iterations) {
        note_limit(ctx, control);
        return false;
      }
      s.frontier = frontier(s);
      if (ctx.rank() == 0) {
        store_relaxed(&after[0], 0.0);
        store_relaxed(&after[1], 0.0);
      }
      advance<V>(ctx, ctx.kept(s.step, s.frontier), ctx.out(s), ctx.graph.csr,
                 Scatter(shares, p.sums));
      return true;
    }
    const double base = (1 - p.damping + p.damping * load_relaxed(&before[1])) / double(n);
    Update update(ctx.graph.csr, p.ranks, shares, p.sums, base, p.damping);
#if GR_RANK_FILTER
    filter<V>(ctx, s, Range{n}, ctx.graph.csr, update);
#else
    for_each_index(ctx, n, [&](i64 v) { update.visit(item_t(v)); });
#endif
    fold_grid<Sum<double>>(ctx, update.change, &after[0]);
    fold_grid<Sum<double>>(ctx, update.dangling, &after[1]);
    return true;
  }
};
