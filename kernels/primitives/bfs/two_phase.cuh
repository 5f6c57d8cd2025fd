// Breadth-first search, two-phase (Merrill, section 5.3): two steps per level, from the queue of vertices to a
// queue of their edges, and from there to the next queue of vertices.
#pragma once
#include "core/enactor.cuh"
#include "operators/edge_queue.cuh"
#include "primitives/bfs/visit_idempotent.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  i64 source;
};

enum Phase { BEGIN, EXPAND, CONTRACT };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 depth = 0;
  };

  // Two queues in turn: after the first step the odd one holds vertices, the even one edges.
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.phase, s.depth, s.in);
    switch (s.phase) {
      case BEGIN:
        seed<Kind::plain>(ctx, s, item_t(p.source));
        s.phase = EXPAND;
        break;
      case EXPAND:
        if (s.in.count == 0) return false;
        expand_vertices(ctx, s);
        s.phase = CONTRACT;
        break;
      case CONTRACT:
        ++s.depth;
        contract_edges<Kind::plain>(ctx, s, EitherVisit<Problem>(ctx, p, s.depth, s.in.count));
        s.phase = EXPAND;
        break;
    }
    return true;
  }
};
