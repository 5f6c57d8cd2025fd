// Breadth-first search of meshes over several devices: each runs ahead.cuh's search between two exchanges
// (depths_in_parts.cuh).
// Options: GR_MARK_PRED.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather.cuh"
#include "operators/team_frontier.cuh"

struct Problem {
  i32* labels;             // of all vertices: depth, -1 (the largest, unsigned) while unvisited
  vertex_t* preds;         // of the device's own vertices; or null
  const vertex_t* border;  // as TeamBorders has them
  i64 border_vertices;
  const i64* bounds;
  u64* received;               // in the symmetric heap
  u64* notes;              // in the symmetric heap
  i64 source;
  i64 run_ahead;           // levels
  i64 lanes_log;           // of the threads that share a list
};

// Finds predecessors once all depths are final: any neighbour one level up.
struct OwnParentByDepth : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  i64 begin;
  GR_DEVICE OwnParentByDepth(const Problem& problem, i64 first) : p(problem), begin(first) {}
  GR_DEVICE bool wants(vertex_t v) { return p.labels[v] > 0; }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return p.labels[u] == p.labels[v] - 1; }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    p.preds[v - begin] = parent.u;
    return false;
  }
};

enum Phase { BEGIN, AHEAD, HEAR, PREDECESSORS, EXCHANGE };

#include "primitives/depths_in_parts.cuh"

struct Enactor {
  using Team = BorderExchange;
  using State = SearchState;

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (search(ctx, p, s, int(p.lanes_log))) return true;
    if (!GR_MARK_PRED || s.phase == PREDECESSORS) return false;
    ctx.show(PREDECESSORS, s.bound, ctx.peers.count(), ctx.graph.m);
    const OwnOrListed own = {nullptr, ctx.peers.begin, ctx.peers.count()};
    gather<First, ByThread<1>>(ctx, s, own, ctx.graph.reverse, OwnParentByDepth(p, ctx.peers.begin));
    s.phase = PREDECESSORS;
    return true;
  }
};
