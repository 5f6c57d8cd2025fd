// Betweenness centrality for meshes: thousands of levels of few vertices, where a grid barrier a level
// costs more than the level.
//
// 1. Depths, by blocks that run ahead of each other (operators/advance_ahead.cuh).
// 2. A counting sort of the reached vertices by depth: an order in which a vertex depends on earlier
//    ones only.
// 3. FORWARD along that order and 4. BACKWARD against it: each vertex waits for the values that it
//    sums, not for everyone (the dataflow of solvers for sparse triangular systems). Warps take
//    groups of vertices in order, so the first unfinished vertex of all waits for none: no deadlock.
//
// A value is one word, written once; NOT_YET says that it has not been.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "primitives/depth.cuh"
#include "math/wide_number.cuh"

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
  const Problem& p;
  GR_DEVICE const u64* words() const { return p.counts; }
  GR_DEVICE i32 wanted(i32 depth) const { return depth - 1; }
  GR_DEVICE void finish(vertex_t v, const Wide& sum) const {
    store_relaxed(&p.counts[v], to_word(sum));
  }
};

// The source's dependency on v: count(v) times the sum of (1 + score) / count one level down.
struct Dependency {
  const Problem& p;
  GR_DEVICE const u64* words() const { return p.ratios; }
  GR_DEVICE i32 wanted(i32 depth) const { return depth + 1; }
  GR_DEVICE void finish(vertex_t v, const Wide& sum) const {
    const Wide count = from_word(p.counts[v]);
    const double score =
        sum.mantissa == 0 ? 0
                          : sum.mantissa * count.mantissa * power_of_two(sum.exponent + count.exponent);
    store_relaxed(&p.ratios[v], to_word({(1 + score) / count.mantissa, -count.exponent}));
    if (v != vertex_t(p.source)) p.scores[v] = float(score);
  }
};

// One vertex as one of the lanes that share it sees it.
template <class F>
struct Gathering {
  const Csr& lists;
  const F& f;
  const i32* labels;
  i32 wanted = 0;
  edge_t e = 0, end = 0;
  int stride = 1;
  vertex_t awaited = -1;  // the neighbour whose value this lane adds next; -1: no more
  Wide sum;

  GR_DEVICE void seek() {
    for (awaited = -1; e < end; e += stride) {
      const vertex_t u = load_constant(&lists.column_indices[e]);
      if (labels[u] == wanted) {
        awaited = u;
        e += stride;
        return;
      }
    }
  }
  GR_DEVICE void look() {
    const u64 word = load_relaxed(&f.words()[awaited]);
    if (word == NOT_YET) return;
    sum.add(word);
    seek();
  }
};

// A step's work: order[0, count), or from behind, each when what it needs is there.
template <class F>
GR_DEVICE void flow(Context& ctx, const Problem& p, const Csr& lists, i64 first, i64 count,
                    bool backward, i64 width, const F& f) {
  const int lanes = GR_CUDA ? 1 << p.lanes_log : 1, lane = lane_id() & (lanes - 1);
  const int each = WARP / lanes;  // vertices a warp
  const u32 mine = lanes == 32 ? ~0u : ((1u << lanes) - 1) << (lane_id() & ~(lanes - 1));
  // Threads that wait for far-off levels are in the way of the others: enough for a few levels.
  i64 warps = ctx.threads() / WARP;
  const i64 useful = (GR_CUDA ? 4 * width : i64(1) << 60) / each + 1;
  const i64 warp = i64(warp_id()) * ctx.blocks + ctx.block;
  if (warps > useful) warps = useful;
  if (warp >= warps) return;
  for (i64 group = warp; group * each < count - first; group += warps) {
    const i64 i = first + group * each + lane_id() / lanes;
    const bool valid = i < count;
    Gathering<F> gathering{lists, f, p.labels};
    vertex_t v = 0;
    if (valid) {
      v = p.order[backward ? count - 1 - (i - first) : i];
      gathering.wanted = f.wanted(p.labels[v]);
      gathering.e = load_constant(&lists.row_offsets[v]) + lane;
      gathering.end = load_constant(&lists.row_offsets[v + 1]);
      gathering.stride = lanes;
      gathering.seek();
    }
    bool done = !valid;
    u32 waiting = ~0u;
    for (int looks = 0; waiting; ++looks) {
      if (gathering.awaited >= 0) gathering.look();
      waiting = warp_ballot(gathering.awaited >= 0);
      const bool ready = !done && !(waiting & mine);
      if (warp_ballot(ready)) {
        Wide sum = gathering.sum;
        sum.add_lanes(lanes);
        if (ready && lane == 0) f.finish(v, sum);
        done = done || ready;
      } else {
        pause(looks);
      }
    }
  }
}

enum Phase { BEGIN = 0, FORWARD, BACKWARD, RUN_AHEAD, COUNT_LEVELS, SUM_LEVELS, SORT };

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
    if (s.phase == RUN_AHEAD && s.in.count == 0) s.phase = COUNT_LEVELS;
    const i64 n = ctx.graph.n;
    ctx.show(s.phase, s.bound, s.in);
    switch (s.phase) {
      case BEGIN:
        if (ctx.block == 0)
          seed<AHEAD>(ctx, ctx.queue(s.step + 1), ctx.tail(s.step + 1), csr, item_t(p.source));
        s.phase = RUN_AHEAD;
        break;
      case RUN_AHEAD: {
        s.bound += p.run_ahead;
        Deepen deepen{p.labels, u32(s.bound)};
        advance_ahead(ctx, csr, ctx.queue(s.step), s.in.count, ctx.queue(s.step + 1),
                      ctx.tail(s.step + 1), int(p.search_lanes_log), deepen);
        break;
      }
      case COUNT_LEVELS: {
        ctx.show(COUNT_LEVELS, s.bound, n, 0);
        u64 deepest = 0, edges = 0;
        for_each_index(ctx, ctx.graph.n, [&](i64 v) {
          const i32 label = p.labels[v];
          if (label < 0) return;
          atomic_add(&p.level_ends[label], 1);
          if (u64(label) > deepest) deepest = u64(label);
          if (GR_TRACE) edges += u64(csr.row_offsets[v + 1] - csr.row_offsets[v]);
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
        for_each_index(ctx, ctx.graph.n, [&](i64 v) {
          const i32 label = p.labels[v];
          if (label >= 0) p.order[atomic_add(&p.level_ends[label], 1)] = vertex_t(v);
        });
        s.phase = FORWARD;
        break;
      case FORWARD:  // all but the source, of which one path of no edges is known
        if (GR_TRACE) {
          const i64 own = csr.row_offsets[p.source + 1] - csr.row_offsets[p.source];
          ctx.show(FORWARD, s.bound, s.reached - 1, i64(load_relaxed(edges_reached)) - own);
        }
        flow(ctx, p, ctx.graph.reverse, 1, s.reached, false, s.reached / s.levels, CountPaths{p});
        s.phase = BACKWARD;
        break;
      case BACKWARD:
        if (GR_TRACE) ctx.show(BACKWARD, s.bound, s.reached, i64(load_relaxed(edges_reached)));
        flow(ctx, p, csr, 0, s.reached, true, s.reached / s.levels, Dependency{p});
        return false;
    }
    return true;
  }

 private:
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
