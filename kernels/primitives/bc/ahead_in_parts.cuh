// Betweenness centrality of meshes over several devices: ahead.cuh's method, without a meeting of
// the devices per level.
//
// 1. Depths, by blocks that run ahead between two exchanges (depths_in_parts.cuh).
// 2. Each device sorts its own vertices by depth.
// 3. FORWARD and 4. BACKWARD each vertex waits for the values that it sums, of this device or another
//    (by_flow.cuh). A value that other devices wait for is written into their memory as soon as it is found
//    (TeamFlow). A device may still count paths while another is on its way back [D-border-2].
// On a directed graph ctx.graph.csr also has the edges out of a device's vertices, in rows after the other rows.
#pragma once
#include "core/enactor.cuh"
#include "operators/team_flow.cuh"

struct Problem {
  i32* labels;       // of all vertices: depth, -1 (the largest, unsigned) while unvisited
  u64* counts;       // in the symmetric heap, of all vertices: shortest paths; NOT_YET at first
  u64* ratios;       // in the symmetric heap, of all vertices: (1 + score) / count; NOT_YET at first
  float* scores;     // of this device's vertices: dependencies, zero at first
  vertex_t* order;   // own reached vertices by depth
  i32* level_ends;   // zero at first: own vertices of a depth, then where the depth's next vertex goes in `order`
  const vertex_t* border;  // as TeamBorders has them, for edges in either direction
  i64 border_vertices;
  const u32* at_border;    // bitmap of this device's vertices, from its first: those in the border
  const i64* bounds;
  u64* received;         // in the symmetric heap
  u64* notes;        // in the symmetric heap
  i64 source;
  i64 directed;
  i64 run_ahead;     // levels
  i64 lanes_log;     // of the threads that share a list
  i64 search_lanes_log;  // of the threads that share a list while depths are searched
};

enum Phase { BEGIN, AHEAD, HEAR, COUNT_LEVELS, SUM_LEVELS, SORT, FORWARD, BACKWARD, END, EXCHANGE };

#include "primitives/bc/by_flow.cuh"
#include "primitives/depths_in_parts.cuh"

struct Enactor {
  using Team = BorderExchange;
  struct State : SearchState {
    i64 reached = 0, levels = 0;  // own vertices; all devices' levels down to the deepest
  };

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (search(ctx, p, s, int(p.search_lanes_log))) return true;
    if (s.phase == HEAR) s.phase = COUNT_LEVELS;
    const i64 own = ctx.peers.count();
    const TeamFlow team{ctx.peers, p.at_border};
    const TeamPatience patience{ctx.peers, p.bounds, ctx.tail(s.step + 1), &control.stop};
    const Csr& in_edges = ctx.graph.reverse;
    switch (s.phase) {
      case COUNT_LEVELS:
        ctx.show(COUNT_LEVELS, s.bound, own, 0);
        count_levels(ctx, p, control, team, own, in_edges);
        s.phase = SUM_LEVELS;
        break;
      case SUM_LEVELS:
        s.levels = i64(load_relaxed(&control.counters[DEPTH])) + 1;
        ctx.show(SUM_LEVELS, s.bound, s.levels, 0);
        if (ctx.block == 0) sum_levels(ctx, p, control, s.levels);
        s.phase = SORT;
        break;
      case SORT:
        ctx.show(SORT, s.bound, own, 0);
        s.reached = i64(load_relaxed(&control.counters[REACHED]));
        sort_by_level(ctx, p, team, own);
        s.phase = FORWARD;
        break;
      case FORWARD:
        ctx.show(FORWARD, s.bound, s.reached, i64(load_relaxed(&control.counters[EDGES])));
        flow(ctx, order(ctx, p, control, s, false), in_edges, int(p.lanes_log),
             CountPaths<TeamFlow>{p, team}, patience);
        s.phase = BACKWARD;
        break;
      case BACKWARD: {
        ctx.show(BACKWARD, s.bound, s.reached, 0);
        const Csr out_edges = p.directed ? ctx.graph.csr.shifted(ctx.graph.n - ctx.peers.begin) : in_edges;
        flow(ctx, order(ctx, p, control, s, true), out_edges, int(p.lanes_log),
             Dependency<TeamFlow>{p, team}, patience);
        s.phase = END;
        break;
      }
      case END:  // a step of its own, which is skipped if waiting was given up
        return false;
    }
    return true;
  }

 private:
  // This device's reached vertices; forward without the source, which has one path, of no edges.
  GR_DEVICE static FlowOrder order(const Context& ctx, const Problem& p, const Control& control,
                                   const State& s, bool backward) {
    const i64 first_level = NO_LEVEL - i64(load_relaxed(&control.counters[ABOVE]));
    const i64 width = s.reached > 0 ? s.reached / (s.levels - first_level) : 0;
    return {p.order, !backward && ctx.peers.owns(p.source), s.reached, backward, width, p.level_ends, s.levels};
  }
};
