// Breadth-first search, contract-expand (Merrill, section 5.2): one step per level makes the next queue of
// edges from the present one. The vertices in between are expanded as they are found and never stored.
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

enum Phase { BEGIN, EXPAND, CONTRACT_EXPAND };

struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // otherwise its own loops are slower [D-gate-1]
  struct State : LoopState { i32 depth = 0; };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.step == 0 ? BEGIN : s.step == 1 ? EXPAND : CONTRACT_EXPAND, s.depth, s.in);
    if (s.step == 0) {
      seed<Kind::plain>(ctx, s, item_t(p.source));
    } else if (s.step == 1) {  // the source has its label: nothing to contract
      expand_vertices(ctx, s);
    } else {
      if (s.in.count == 0) return false;
      ++s.depth;
      contract_expand(ctx, s, EitherVisit<Problem>(ctx, p, s.depth, s.in.count));
    }
    return true;
  }
};
