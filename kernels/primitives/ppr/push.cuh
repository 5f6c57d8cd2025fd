// Personalized PageRank by forward push (Andersen, Chung and Lang 2006): the part of a walk that has not come
// to rest yet, its residual, begins at the seeds. A vertex with a residual above epsilon times its degree keeps
// 1 - damping of it as its rank and passes the rest on to its neighbours, until no such vertex is left. So the
// work is in proportion to the ranks' sum, whatever the size of the graph.
//
// A round is two steps. First the frontier's vertices keep their share, and those with edges enter the next
// frontier. Then an advance passes the rest on, and finds the vertices whose residual has grown beyond their
// bound. Residuals only grow in that step, so exactly one of the atomics that add to a residual takes it
// across: no vertex is in a frontier twice.
//
// What reaches a dangling vertex would go back to the seeds, where it would be distributed like the rest: it is
// counted as lost, and made up for by scaling the ranks (gunrock_cli/primitives/ppr), which scales residuals as well. So
// bounds are in proportion to what is kept. They stay while vertices push, as a frontier consists of vertices
// that have just crossed their bounds; when it is empty and less is kept by now, all vertices are inspected
// once more.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"

struct Problem {
  double* ranks;      // what came to rest
  double* residuals;  // what has not
  double* passed;     // by a vertex of the frontier along each edge
  double* lost;       // one word: what dangling vertices would return to the seeds
  const vertex_t* seeds;
  i64 seed_count;
  double damping;
  double epsilon;
};

// The residual that a vertex may have, if the ranks keep this share of the walk.
GR_DEVICE double bound(const Problem& p, const Csr& csr, vertex_t v, double kept) {
  const edge_t degree = csr.row(v).length;
  return p.epsilon * kept * double(degree > 1 ? degree : 1);
}

struct KeepShare : VertexFunctor {
  const Problem& p;
  const Csr& csr;
  double lost = 0;
  GR_DEVICE KeepShare(const Problem& problem, const Csr& edges) : p(problem), csr(edges) {}

  GR_DEVICE bool visit(item_t item) {
    const vertex_t v = vertex_t(item);
    const edge_t degree = csr.row(v).length;
    const double residual = load_relaxed(&p.residuals[v]);
    store_relaxed(&p.residuals[v], 0.0);
    p.ranks[v] += (1 - p.damping) * residual;
    if (degree == 0) lost += p.damping * residual;
    else p.passed[v] = p.damping * residual / double(degree);
    return degree > 0;
  }
};

struct Push : EdgeFunctor {
  struct Carry {
    double x;
  };
  const Problem& p;
  const Csr& csr;
  double kept;
  GR_DEVICE Push(const Problem& problem, const Csr& edges, double share) : p(problem), csr(edges), kept(share) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t, edge_t, Carry& carry) { carry.x = p.passed[s]; }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry&) { return true; }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    const double limit = bound(p, csr, d, kept), before = atomic_add(&p.residuals[d], carry.x);
    return before <= limit && before + carry.x > limit;
  }
};

enum Phase { BEGIN, SETTLE, PUSH, LOOK };

struct Enactor {
  struct State : LoopState {
    double kept = 1;  // the share kept when bounds were set
    bool look = false;
  };

  GR_DEVICE static bool fits_block(const State& s) { return s.step > 0 && !s.look; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& csr = ctx.graph.csr;
    if (s.step == 0) {
      ctx.show(BEGIN, 0, p.seed_count, 0);
      collect(ctx, p, s, Listed<vertex_t>{p.seeds, p.seed_count});
      return true;
    }
    const i64 round = (i64(s.step) - 1) / 2;
    if (s.step % 2 == 1) {
      ctx.show(SETTLE, round, i64(s.in.count), 0);
      if (s.in.count == 0) {
        const double kept = 1 - load_relaxed(p.lost);
        s.look = kept < s.kept;
        s.kept = kept;
        return s.look;
      }
      KeepShare keep_share(p, csr);
      filter<V>(ctx, s, keep_share);
      fold_grid<Sum<double>>(ctx, keep_share.lost, p.lost);
    } else if (s.look) {
      ctx.show(LOOK, round, ctx.graph.n, 0);
      s.look = false;
      collect(ctx, p, s, Range{ctx.graph.n});
    } else {
      ctx.show(PUSH, round, s.in);
      advance<V, V>(ctx, s, Push(p, csr, s.kept));
    }
    return true;
  }

 private:
  // Collects the vertices that have more than their bound.
  template <class Who>
  GR_DEVICE static void collect(Context& ctx, const Problem& p, const State& s, const Who& who) {
    const Csr& csr = ctx.graph.csr;
    filter<V>(ctx, s, who, csr, Where([&](item_t v) {
      return load_relaxed(&p.residuals[v]) > bound(p, csr, vertex_t(v), s.kept);
    }));
  }
};
