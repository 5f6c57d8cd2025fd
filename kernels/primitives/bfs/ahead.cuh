// Breadth-first search for meshes: blocks run several levels ahead between two barriers of the grid
// (operators/advance_ahead.cuh). Depths may be found too large at first and are lowered by atomicMin
// until none can be; a predecessor is looked for when all depths are final.
// Options: GR_MARK_PRED.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "primitives/depth.cuh"

struct Problem {
  i32* labels;      // depth, -1 (the largest, unsigned) while unvisited
  vertex_t* preds;  // or null
  i64 source;
  i64 run_ahead;  // levels
  i64 lanes_log;  // of the threads that share a list
};

enum Phase { BEGIN = 0, RUN_AHEAD = 5, PREDECESSORS = 6 };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i64 bound = 0;
  };

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& csr = ctx.graph.csr;
    if (s.phase == BEGIN) {
      ctx.show(BEGIN, 0, s.in);
      if (ctx.block == 0)
        seed<AHEAD>(ctx, ctx.queue(s.step + 1), ctx.tail(s.step + 1), csr, item_t(p.source));
      s.phase = RUN_AHEAD;
      return true;
    }
    if (s.phase == PREDECESSORS) return false;
    ctx.show(RUN_AHEAD, s.bound, s.in);
    if (s.in.count > 0) {
      s.bound += p.run_ahead;
      Deepen deepen{p.labels, u32(s.bound)};
      advance_ahead(ctx, csr, ctx.queue(s.step), s.in.count, ctx.queue(s.step + 1),
                    ctx.tail(s.step + 1), int(p.lanes_log), deepen);
      return true;
    }
    if (!GR_MARK_PRED) return false;
    ctx.show(PREDECESSORS, s.bound, ctx.graph.n, ctx.graph.m);
    const Csr& in_edges = ctx.graph.reverse;
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const i32 above = p.labels[v] - 1;
      if (above < 0) return;
      for (edge_t e = in_edges.row_offsets[v];; ++e) {  // there is one
        const vertex_t u = load_constant(&in_edges.column_indices[e]);
        if (p.labels[u] == above) {
          p.preds[v] = u;
          return;
        }
      }
    });
    s.phase = PREDECESSORS;
    return true;
  }
};
