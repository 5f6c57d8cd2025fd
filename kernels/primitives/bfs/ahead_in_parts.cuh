// Breadth-first search of meshes over several devices (core/peers.cuh): ahead.cuh's, between two exchanges.
//
// A device lowers the depths of its own vertices: the lists of ctx.graph.csr lead to them, and are of all
// vertices. Between two exchanges its blocks run several levels ahead, as on one device; then it tells what
// became of its border (TeamBorders), and what it hears joins its frontier. So depths may be too large for a
// while, as those of blocks that run ahead are, and a level takes no exchange [D-border-1].
// Options: GR_MARK_PRED.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather.cuh"
#include "operators/team_borders.cuh"
#include "operators/team_frontier.cuh"
#include "primitives/depth.cuh"

struct Problem {
  i32* labels;             // of all vertices: depth, -1 (the largest, unsigned) while unvisited
  vertex_t* preds;         // of the own, or null
  const vertex_t* border;  // as TeamBorders has them
  i64 border_vertices;
  const i64* bounds;
  u64* told;               // in the heap
  u64* notes;              // in the heap
  i64 source;
  i64 run_ahead;           // levels
  i64 lanes_log;           // of the threads that share a list
};

// When all depths are final: any neighbour one level up.
struct FindParent : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  i64 begin;
  GR_DEVICE FindParent(const Problem& problem, i64 first) : p(problem), begin(first) {}
  GR_DEVICE bool wants(vertex_t v) { return p.labels[v] > 0; }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return p.labels[u] == p.labels[v] - 1; }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    p.preds[v - begin] = parent.u;
    return false;
  }
};

enum Phase { BEGIN, AHEAD, HEAR, PREDECESSORS, EXCHANGE };

struct State : LoopState {
  i32 phase = BEGIN;
  u32 turns = 0;     // of what is told
  u64 expanded = 0;  // of the frontier that ran ahead last
  i64 bound = 0;
};

GR_DEVICE TeamBorders borders_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.border, p.border_vertices, p.told, (BorderNote*)p.notes, s.turns};
}

struct TellBorder : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.phase == HEAR; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(EXCHANGE, s.bound, p.border_vertices, 0);
    borders_of(ctx, p, s).exchange(ctx, (const u32*)p.labels, s.expanded, 0);
  }
};

struct Enactor {
  using Team = TellBorder;
  using State = ::State;

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    TeamBorders borders = borders_of(ctx, p, s);
    if (s.phase == HEAR && borders.all().frontier == 0) {
      if (!GR_MARK_PRED) return false;
      ctx.show(PREDECESSORS, s.bound, ctx.peers.count(), ctx.graph.m);
      const OwnOrListed own = {nullptr, ctx.peers.begin, ctx.peers.count()};
      gather<First, ByThread<1>>(ctx, s, own, ctx.graph.reverse, FindParent(p, ctx.peers.begin));
      s.phase = PREDECESSORS;
      return true;
    }
    if (s.phase == PREDECESSORS) return false;
    ctx.show(s.phase, s.bound, s.in);
    switch (s.phase) {
      case BEGIN:  // all know the source, and its edges to their own vertices
        seed<AHEAD_KIND>(ctx, s, item_t(p.source));
        s.phase = AHEAD;
        break;
      case AHEAD:
        s.expanded = s.in.count;
        s.bound += p.run_ahead;
        if (s.in.count > 0) {
          LowerDepth lower{p.labels, u32(s.bound)};
          advance_ahead(ctx, s, int(p.lanes_log), lower);
        }
        s.phase = HEAR;
        break;
      case HEAR:
        borders.hear<AHEAD_KIND>(ctx, s, (u32*)p.labels, [](vertex_t) { return true; });
        s.phase = AHEAD;
        break;
    }
    return true;
  }
};
