// Topological levels: of each vertex the number of edges on the longest path to it, -1 if a cycle leads there. Level by
// level (Kahn, 1962): a vertex follows in the step after the last of its in-edges has been walked. Repetitions of an edge
// each count; a loop is a cycle.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"

struct Problem {
  edge_t* waiting;  // of each vertex, the in-edges that have not been walked
  i32* levels;      // UNORDERED before
};

constexpr i32 UNORDERED = -1;

struct Follow : EdgeFunctor {
  const Problem& p;
  i32 level;  // of those that follow
  GR_DEVICE Follow(const Problem& problem, i32 next) : p(problem), level(next) {}
  GR_DEVICE bool visit(vertex_t, vertex_t v, edge_t) { return atomic_add(&p.waiting[v], edge_t(-1)) == 1; }
  GR_DEVICE void apply(vertex_t, vertex_t v, edge_t) { p.levels[v] = level; }
};

enum Phase { BEGIN, LEVEL };

struct Enactor {
  struct State : LoopState { i32 level = 0; };

  GR_DEVICE static bool fits_block(const State& s) { return s.step > 0; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step == 0) {
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, Where([&](item_t v) {
        const edge_t length = ctx.graph.reverse.row(v).length;
        p.waiting[v] = length;
        if (length == 0) p.levels[v] = 0;
        return length == 0;
      }));
      return true;
    }
    if (s.in.count == 0) return false;
    ctx.show(LEVEL, s.level, s.in);
    advance<V, V>(ctx, s, Follow(p, ++s.level));
    return true;
  }
};
