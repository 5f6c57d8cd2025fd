// A traversal that records the vertices of its frontiers in the order in which it found them, for replay.cuh.
// Exact: each vertex once.
#pragma once
#include "core/enactor.cuh"

struct Problem {
  i32* labels;      // depth, -1 while unvisited
  vertex_t* order;  // all vertices found, level by level
  i64 source;
};

struct Visit : EdgeFunctor {
  i32* labels;
  i32 depth;
  GR_DEVICE Visit(i32* l, i32 d) : labels(l), depth(d) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return load_relaxed(&labels[d]) == -1; }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) {
    return atomic_cas(&labels[d], -1, depth) == -1;
  }
};

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i64 recorded = 0;
    i32 depth = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step == 0) {
      seed<V>(ctx, s, item_t(p.source));
      return true;
    }
    if (s.in.count == 0) return false;
    const Frontier in = ctx.in(s);
    for (i64 i = ctx.rank(); i < i64(in.size.count); i += ctx.threads())
      p.order[s.recorded + i] = vertex_t(in.queue.items[i]);
    s.recorded += i64(in.size.count);
    Visit visit(p.labels, ++s.depth);
    advance<V, V>(ctx, s, visit);
    return true;
  }
};
