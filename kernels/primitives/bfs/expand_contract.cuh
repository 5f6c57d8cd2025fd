// Breadth-first search, expand-contract (Merrill, section 5.1): one step per level makes the next queue of
// vertices from the present one. The lists in between are filtered as they are walked and never stored.
#pragma once
#include "core/enactor.cuh"
#include "primitives/bfs/visit_idempotent.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  i64 source;
};

enum Phase { BEGIN, EXPAND_CONTRACT };

struct Enactor {
  struct State : LoopState { i32 depth = 0; };

  GR_DEVICE static bool fits_block(const State&) { return true; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.step == 0 ? BEGIN : EXPAND_CONTRACT, s.depth, s.in);
    if (s.step == 0) {
      seed<V>(ctx, s, item_t(p.source));
      return true;
    }
    if (s.in.count == 0) return false;
    ++s.depth;
    advance<V, V>(ctx, s, EitherVisit<Problem>(ctx, p, s.depth, s.in.edges));
    return true;
  }
};
