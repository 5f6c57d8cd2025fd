// Breadth-first search, hybrid (Merrill, section 5.4): a queue of few edges becomes the next in one step
// (contract-expand), a queue of many edges by way of a queue of vertices (two-phase).
#pragma once
#include "core/enactor.cuh"
#include "operators/edge_queue.cuh"
#include "primitives/bfs/visit_idempotent.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  i64 source;
  i64 threshold;      // a queue of more edges has many; -1: of more edges than there are threads
};

enum Phase { BEGIN, EXPAND, CONTRACT, CONTRACT_EXPAND };

struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // as in contract_expand.cuh, whose steps it takes [D-gate-1]
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 depth = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    s.phase = next(ctx, p, s);
    ctx.show(s.phase, s.depth, s.in);
    if (s.phase != BEGIN && s.in.count == 0) return false;
    switch (s.phase) {
      case BEGIN:
        seed<Kind::plain>(ctx, s, item_t(p.source));
        break;
      case EXPAND:
        expand_vertices(ctx, s);
        break;
      case CONTRACT:
        ++s.depth;
        contract_edges<Kind::plain>(ctx, s, EitherVisit<Problem>(ctx, p, s.depth, s.in.count));
        break;
      case CONTRACT_EXPAND:
        ++s.depth;
        contract_expand(ctx, s, EitherVisit<Problem>(ctx, p, s.depth, s.in.count));
        break;
    }
    return true;
  }

 private:
  GR_DEVICE static Phase next(const Context& ctx, const Problem& p, const State& s) {
    if (s.step == 0) return BEGIN;
    if (s.phase == BEGIN || s.phase == CONTRACT) return EXPAND;  // the queue has vertices
    const i64 few = p.threshold < 0 ? ctx.threads() : p.threshold;
    return i64(s.in.count) > few ? CONTRACT : CONTRACT_EXPAND;
  }
};
