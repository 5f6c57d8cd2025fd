// SALSA over a frontier of edges, as in Gunrock's annotated listing: an advance from every edge over its end's
// list goes two hops, back to the side that the edge comes from. The edge that led here says which
// vertex receives. From an edge from hub x to authority s, and on from s back to hub d, x receives what d
// passes on to it: rank(d) / (degree(d) * degree(s)). By atomics; the iterates are gather.cuh's.
//
// Hubs and authorities are the two sides of one graph: hub v is vertex v, authority v is n + v, and each edge
// is there in both directions. So a single advance makes the hubs' walk and the authorities' walk, and the
// arrays that the listing's two swap routines mix up (hub ranks twice, authority ranks never) are one array
// here.
//
// Every edge is visited once for each edge next to it: the sum of squared degrees, which hubs make large.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"
#include "primitives/pagerank/ranks.cuh"

struct Problem {
  rank_t* hubs;         // the answer
  rank_t* authorities;
  edge_t* offsets;      // of the graph of two sides, 2n vertices
  vertex_t* ends;       // its 2m edges
  vertex_t* sources;    // where each begins
  rank_t* shares;       // rank / degree
  double* sums;         // of what is received
  double* changes;      // two slots in turn of {of hubs, of authorities}, in L1
  i64 longest;          // list
  double tolerance;
  i64 max_iterations;
};

struct Return : EdgeFunctor {
  struct Carry {
    vertex_t start;
    double x;
  };
  const Problem& p;
  const Csr& lists;
  GR_DEVICE Return(const Problem& problem, const Csr& sides) : p(problem), lists(sides) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t, item_t from, Carry& carry) {
    carry.start = load_constant(&p.sources[from]);
    carry.x = double(p.shares[d]) / double(lists.row(s).length);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry&) { return true; }
  GR_DEVICE bool visit(vertex_t, vertex_t, edge_t, Carry& carry) {
    atomic_add(&p.sums[carry.start], carry.x);
    return false;  // the frontier stays
  }
};

enum Phase { BEGIN, ADVANCE, UPDATE };

// All edges take part in every iteration: not for a single block.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    Size frontier = {0, 0};  // all edges, and the lists of their ends
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    const Csr sides{p.offsets, p.ends, nullptr, p.longest};
    if (s.step == 0) {
      ctx.show(BEGIN, 0, 2 * ctx.graph.m, 0);
      filter<E>(ctx, s, Range{2 * ctx.graph.m}, sides, VertexFunctor{});
      return true;
    }
    const u32 iteration = (s.step - 1) / 2;
    if (s.step == 1) s.frontier = s.in;
    const bool advances = s.step % 2 == 1;
    ctx.show(advances ? ADVANCE : UPDATE, iteration, s.frontier);
    const double* before = p.changes + 2 * (iteration % 2);
    double* after = p.changes + 2 * ((iteration + 1) % 2);
    if (!advances) {
      update(ctx, p, sides, after);
      return true;
    }
    const bool converged = iteration > 0 && load_relaxed(&before[0]) < p.tolerance &&
                         load_relaxed(&before[1]) < p.tolerance;
    if (converged || i64(iteration) >= p.max_iterations) {
      if (!converged) note_limit(ctx, control);
      ctx.show(ADVANCE, iteration, 2 * n, 0);  // no lists: there is nothing left to do
      make_ranks(ctx, p, sides);
      return false;
    }
    if (ctx.rank() == 0) {
      store_relaxed(&after[0], 0.0);
      store_relaxed(&after[1], 0.0);
    }
    advance<E>(ctx, ctx.kept(s.step, s.frontier), ctx.out(s), sides, Return(p, sides));
    return true;
  }

 private:
  // Makes each vertex's received sum its rank.
  GR_DEVICE static void update(Context& ctx, const Problem& p, const Csr& sides, double* after) {
    double of_hubs = 0, of_authorities = 0;
    for_each_index(ctx, 2 * ctx.graph.n, [&](i64 v) {
      const edge_t degree = sides.row(v).length;
      if (degree == 0) return;
      const rank_t share = rank_t(load_relaxed(&p.sums[v]) / double(degree));
      const double difference = (double(share) - double(p.shares[v])) * double(degree);
      (v < ctx.graph.n ? of_hubs : of_authorities) += difference < 0 ? -difference : difference;
      p.shares[v] = share;
      store_relaxed(&p.sums[v], 0.0);
    });
    fold_grid<Sum<double>>(ctx, of_hubs, &after[0]);
    fold_grid<Sum<double>>(ctx, of_authorities, &after[1]);
  }

  GR_DEVICE static void make_ranks(Context& ctx, const Problem& p, const Csr& sides) {
    const i64 n = ctx.graph.n;
    for_each_index(ctx, n, [&](i64 v) {
      p.hubs[v] = p.shares[v] * rank_t(sides.row(v).length);
      p.authorities[v] = p.shares[n + v] * rank_t(sides.row(n + v).length);
    });
  }
};
