// Breadth-first search for meshes: blocks run several levels ahead between two barriers of the grid
// (operators/advance_ahead.cuh). Depths may at first be too large; atomicMin lowers them until none changes.
// Predecessors are looked up once all depths are final.
// GR_AHEAD_PADDED: over a copy of the lists (operators/advance_ahead_padded.cuh). Options: GR_MARK_PRED.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "primitives/depth.cuh"
#if GR_AHEAD_PADDED
#include "operators/advance_ahead_padded.cuh"
#endif

struct Problem {
  i32* labels;      // depth, -1 (the largest, unsigned) while unvisited
  vertex_t* preds;  // or null
  i64 source;
  i64 run_ahead;  // levels
  i64 lanes_log;  // of the threads that share a list
  vertex_t* padded;  // the copy of the lists for GR_AHEAD_PADDED, as PaddedLists has it; else null
};

// Finds predecessors once all depths are final: any neighbour one level up.
struct ParentByDepth : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  GR_DEVICE explicit ParentByDepth(const Problem& problem) : p(problem) {}
  GR_DEVICE bool wants(vertex_t v) { return p.labels[v] > 0; }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return p.labels[u] == p.labels[v] - 1; }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    p.preds[v] = parent.u;
    return false;
  }
};

enum Phase { BEGIN, AHEAD, PREDECESSORS };

// Never for a single block: the operator has block-wide queues of its own.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i64 bound = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.phase == BEGIN) {
#if GR_RELAY  // goes on from the other kernel's frontier
      s.bound = ctx.first_level;
      ctx.show(BEGIN, s.bound, s.in);
      filter<AHEAD_KIND>(ctx, s, VertexFunctor());
#else
      ctx.show(BEGIN, 0, s.in);
      seed<AHEAD_KIND>(ctx, s, item_t(p.source));
#endif
#if GR_AHEAD_PADDED
      PaddedLists<false>{p.padded}.make(ctx, ctx.graph.csr);
#endif
      s.phase = AHEAD;
      return true;
    }
    if (s.phase == PREDECESSORS) return false;
    ctx.show(AHEAD, s.bound, s.in);
    if (s.in.count > 0) {
      s.bound += p.run_ahead;
      LowerDepth lower{p.labels, u32(s.bound)};
#if GR_AHEAD_PADDED
      advance_ahead_padded(ctx, s, PaddedLists<false>{p.padded}, lower);
#else
      advance_ahead(ctx, s, int(p.lanes_log), lower);
#endif
      return true;
    }
    if (!GR_MARK_PRED) return false;
    ctx.show(PREDECESSORS, s.bound, ctx.graph.n, ctx.graph.m);
    gather<First, ByThread<1>>(ctx, s, Range{ctx.graph.n}, ctx.graph.reverse, ParentByDepth(p));
    s.phase = PREDECESSORS;
    return true;
  }
};
