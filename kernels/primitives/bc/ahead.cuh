// Betweenness centrality for meshes: thousands of levels of few vertices, where a grid barrier per level
// costs more than the level.
//
// 1. Depths, by blocks that run ahead of each other (operators/advance_ahead.cuh).
// 2. A counting sort of the reached vertices by depth: an order in which a vertex depends on earlier
//    ones only.
// 3. FORWARD along that order and 4. BACKWARD against it: each vertex waits for the values that it
//    sums, not for the whole grid (the dataflow of solvers for sparse triangular systems). Warps take
//    groups of vertices in order, so the first unfinished vertex of all waits for none: no deadlock.
//
// A value is one word, written once; NOT_YET says that it has not been.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/dataflow.cuh"
#include "primitives/depth.cuh"

struct Problem {
  i32* labels;       // depth, -1 (the largest, unsigned) while unvisited
  u64* counts;       // of shortest paths; NOT_YET at first
  u64* ratios;       // (1 + score) / count; NOT_YET at first
  float* scores;     // dependencies, zero at first
  vertex_t* order;   // reached vertices by depth
  i32* level_ends;   // zero at first: vertices of a depth, then where its next goes in `order`
  i64 source;
  i64 run_ahead;  // levels
  i64 lanes_log;  // of the threads that share a list
  i64 search_lanes_log;  // the same while depths are searched
};

// --- dataflow -----------------------------------------------------------------------------------
// Shortest paths to a vertex: the sum of those to its in-neighbours one level up.
struct CountPaths {
  using Own = Nothing;
  const Problem& p;
  GR_DEVICE const u64* words() const { return p.counts; }
  GR_DEVICE i32 rank(vertex_t u) const { return p.labels[u]; }
  GR_DEVICE i32 needs(vertex_t v) const { return p.labels[v] - 1; }
  GR_DEVICE Own own(vertex_t) const { return {}; }
  GR_DEVICE void finish(vertex_t v, Own, const Wide& sum) const {
    store_relaxed(&p.counts[v], to_word(sum));
  }
};

// The source's dependency on v: count(v) times the sum of (1 + score) / count one level down. So v's own
// ratio is that sum and 1 / count.
struct Dependency {
  using Own = Wide;  // 1 / count
  const Problem& p;
  GR_DEVICE const u64* words() const { return p.ratios; }
  GR_DEVICE i32 rank(vertex_t u) const { return p.labels[u]; }
  GR_DEVICE i32 needs(vertex_t v) const { return p.labels[v] + 1; }
  GR_DEVICE Wide own(vertex_t v) const {
    const Wide count = from_word(p.counts[v]);
    return {1 / count.mantissa, -count.exponent};
  }
  GR_DEVICE void finish(vertex_t v, const Wide& own, const Wide& sum) const {
    Wide ratio = own;
    ratio.add(sum.mantissa, sum.exponent);
    store_relaxed(&p.ratios[v], to_word(ratio));
    if (v == vertex_t(p.source) || sum.mantissa == 0) return;  // a score is zero at first
    const Wide count = from_word(p.counts[v]);
    p.scores[v] = float(sum.mantissa * count.mantissa * power_of_two(sum.exponent + count.exponent));
  }
};

enum Phase { BEGIN, FORWARD, BACKWARD, AHEAD, COUNT_LEVELS, SUM_LEVELS, SORT };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i64 bound = 0;
    i64 reached = 0, levels = 0;
  };

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    u64* depth = &control.counters[0];
    u64* edges_reached = &control.counters[2];  // for traces
    if (s.phase == AHEAD && s.in.count == 0) s.phase = COUNT_LEVELS;
    const i64 n = ctx.graph.n;
    ctx.show(s.phase, s.bound, s.in);
    switch (s.phase) {
      case BEGIN:
        seed<AHEAD_KIND>(ctx, s, item_t(p.source));
        s.phase = AHEAD;
        break;
      case AHEAD: {
        s.bound += p.run_ahead;
        LowerDepth lower{p.labels, u32(s.bound)};
        advance_ahead(ctx, s, int(p.search_lanes_log), lower);
        break;
      }
      case COUNT_LEVELS: {
        ctx.show(COUNT_LEVELS, s.bound, n, 0);
        u64 deepest = 0, edges = 0;
        for_each_of_share(ctx, ctx.graph.n, [&](i64 v) {
          const i32 label = p.labels[v];
          if (label < 0) return;
          atomic_add(&p.level_ends[label], 1);
          if (u64(label) > deepest) deepest = u64(label);
          if (GR_TRACE) edges += u64(csr.row(v).length);
        });
        if (GR_TRACE) atomic_add(edges_reached, edges);
        if (load_relaxed(depth) < deepest) atomic_max(depth, deepest);
        s.phase = SUM_LEVELS;
        break;
      }
      case SUM_LEVELS:
        s.levels = i64(load_relaxed(depth)) + 1;
        ctx.show(SUM_LEVELS, s.bound, s.levels, 0);
        if (ctx.block == 0) sum_levels(ctx, p, control, s.levels);
        s.phase = SORT;
        break;
      case SORT:
        ctx.show(SORT, s.bound, n, 0);
        s.reached = i64(load_relaxed(&control.counters[1]));
        for_each_of_share(ctx, ctx.graph.n, [&](i64 v) {
          const i32 label = p.labels[v];
          if (label >= 0) p.order[atomic_add(&p.level_ends[label], 1)] = vertex_t(v);
        });
        s.phase = FORWARD;
        break;
      case FORWARD:  // all but the source, of which one path of no edges is known
        if (GR_TRACE) {
          const i64 own = csr.row(p.source).length;
          ctx.show(FORWARD, s.bound, s.reached - 1, i64(load_relaxed(edges_reached)) - own);
        }
        flow(ctx, order(p, s, false), ctx.graph.reverse, int(p.lanes_log), CountPaths{p});
        s.phase = BACKWARD;
        break;
      case BACKWARD:
        if (GR_TRACE) ctx.show(BACKWARD, s.bound, s.reached, i64(load_relaxed(edges_reached)));
        flow(ctx, order(p, s, true), csr, int(p.lanes_log), Dependency{p});
        return false;
    }
    return true;
  }

 private:
  // All that were reached; forward but the source.
  GR_DEVICE static FlowOrder order(const Problem& p, const State& s, bool backward) {
    return {p.order, backward ? 0 : 1, s.reached, backward, s.reached / s.levels, p.level_ends, s.levels};
  }

  // One block: the number of vertices of each depth becomes the number of those above; their sum.
  GR_DEVICE static void sum_levels(Context& ctx, const Problem& p, Control& control, i64 levels) {
    i64 before = 0;
    int turn = 0;
    for (i64 base = 0; base < levels; base += BLOCK) {
      const i64 i = base + thread_id();
      const u64 here = i < levels ? u64(load_relaxed(&p.level_ends[i])) : 0;
      u64 total;
      const u64 inside = block_scan(here, total, ctx.shared.wide_scan, turn++);
      if (i < levels) store_relaxed(&p.level_ends[i], i32(before + i64(inside)));
      before += i64(total);
    }
    if (thread_id() == 0) store_relaxed(&control.counters[1], u64(before));
  }
};
