// Betweenness centrality for meshes: graphs with thousands of levels of few vertices, on which a grid barrier per
// level costs more than the level.
//
// 1. Depths, by blocks that run ahead of each other (operators/advance_ahead.cuh).
// 2. A counting sort of the reached vertices by depth: an order in which a vertex depends only on earlier ones.
// 3. FORWARD along that order and 4. BACKWARD against it: each vertex waits for the values that it sums rather
//    than for the whole grid (by_flow.cuh). Warps take groups of vertices in order, so the first unfinished vertex
//    waits for nobody: there is no deadlock.
//
// A value is one word, written once; until then it is NOT_YET.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "primitives/depth.cuh"
#include "primitives/relay.cuh"
#if GR_AHEAD_PADDED
#include "operators/advance_ahead_padded.cuh"
#endif

struct Problem {
  i32* labels;       // depth, -1 (the largest, unsigned) while unvisited
  u64* counts;       // of shortest paths; NOT_YET at first
  u64* ratios;       // (1 + score) / count; NOT_YET at first
  float* scores;     // dependencies, zero at first
  vertex_t* order;   // reached vertices by depth
  i32* level_ends;   // zero at first: vertices of a depth, then where the depth's next vertex goes in `order`
  i64 source;
  i64 run_ahead;  // levels
  i64 lanes_log;  // of the threads that share a list
  i64 search_lanes_log;  // of the threads that share a list while depths are searched
  vertex_t* padded;  // the copy of the lists for GR_AHEAD_PADDED, as PaddedLists has it; else null
};

enum Phase { BEGIN, FORWARD, BACKWARD, AHEAD, COUNT_LEVELS, SUM_LEVELS, SORT };

#include "primitives/bc/by_flow.cuh"

// Never for a single block: the operator has block-wide queues of its own.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i64 bound = 0;
    i64 reached = 0, levels = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    u64* depth = &control.counters[DEPTH];
    u64* edges_reached = &control.counters[EDGES];
    if (s.phase == AHEAD && s.in.count == 0) s.phase = COUNT_LEVELS;
    const i64 n = ctx.graph.n;
    ctx.show(s.phase, s.bound, s.in);
    switch (s.phase) {
      case BEGIN:
#if GR_RELAY
        take_over(ctx, p, s);
#else
        seed<AHEAD_KIND>(ctx, s, item_t(p.source));
#endif
#if GR_AHEAD_PADDED
        PaddedLists<false>{p.padded}.make(ctx, csr);
#endif
        s.phase = AHEAD;
        break;
      case AHEAD: {
        s.bound += p.run_ahead;
        LowerDepth lower{p.labels, u32(s.bound)};
#if GR_AHEAD_PADDED
        advance_ahead_padded(ctx, s, PaddedLists<false>{p.padded}, lower);
#else
        advance_ahead(ctx, s, int(p.search_lanes_log), lower);
#endif
        break;
      }
      case COUNT_LEVELS:
        ctx.show(COUNT_LEVELS, s.bound, n, 0);
        count_levels(ctx, p, control, SingleDevice{}, n, csr);
        s.phase = SUM_LEVELS;
        break;
      case SUM_LEVELS:
        s.levels = i64(load_relaxed(depth)) + 1;
        ctx.show(SUM_LEVELS, s.bound, s.levels, 0);
        if (ctx.block == 0) sum_levels(ctx, p, control, s.levels);
        s.phase = SORT;
        break;
      case SORT:
        ctx.show(SORT, s.bound, n, 0);
        s.reached = i64(load_relaxed(&control.counters[REACHED]));
        sort_by_level(ctx, p, SingleDevice{}, n);
        s.phase = FORWARD;
        break;
      case FORWARD:  // all but the source, which has one path, of no edges
        if (GR_TRACE) {
          const i64 own = csr.row(p.source).length;
          ctx.show(FORWARD, s.bound, s.reached - 1, i64(load_relaxed(edges_reached)) - own);
        }
        flow(ctx, order(p, s, false), ctx.graph.reverse, int(p.lanes_log), CountPaths<SingleDevice>{p, {}});
        s.phase = BACKWARD;
        break;
      case BACKWARD:
        if (GR_TRACE) ctx.show(BACKWARD, s.bound, s.reached, i64(load_relaxed(edges_reached)));
        flow(ctx, order(p, s, true), csr, int(p.lanes_log), Dependency<SingleDevice>{p, {}});
        return false;
    }
    return true;
  }

 private:
  // Takes over a frontier of bc/in_step.cuh, whose counts cannot be used here.
#if GR_RELAY
  GR_DEVICE static void take_over(Context& ctx, const Problem& p, State& s) {
    s.bound = ctx.first_level;
    filter<AHEAD_KIND>(ctx, s, VertexFunctor());
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      p.counts[v] = v == p.source ? ONE : NOT_YET;
      p.ratios[v] = NOT_YET;
      p.level_ends[v] = 0;
    });
    if (ctx.rank() == 0) p.level_ends[ctx.graph.n] = 0;
  }
#endif

  // All reached vertices; forward, all but the source.
  GR_DEVICE static FlowOrder order(const Problem& p, const State& s, bool backward) {
    return {p.order, backward ? 0 : 1, s.reached, backward, s.reached / s.levels, p.level_ends, s.levels};
  }
};
