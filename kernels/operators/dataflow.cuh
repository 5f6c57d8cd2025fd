// Dataflow: fold values over lists in an order in which each vertex depends on earlier ones only. Each
// waits for the values that it folds, not for the grid (as solvers for sparse triangular systems do): no
// barrier per level, where there are thousands of levels of few vertices each.
//
// Warps take groups of vertices in order, so the first unfinished vertex of all waits for none: no
// deadlock. A value is one word, written once; NOT_YET says that it has not been.
//
// A functor has
//   const u64* words()         the values, by vertex
//   i32 needs(v)               what neighbours v depends on: those whose
//   i32 rank(u)                rank is that
//   Own, Own own(v)            what finish wants to know of v: asked before v waits [D-flow-3]
//   void finish(v, own, sum)   by one thread: writes the value of v with store_relaxed, first of all
// Who waits for other devices' values has a patience (team_flow.cuh), which may end.
#pragma once
#include "../core/context.cuh"
#include "../math/monoid.cuh"

namespace gunrock {

namespace dataflow {

// One vertex as one of the lanes that share it sees it.
template <class F>
struct Waiting {
  Context& ctx;
  const Csr& lists;
  const F& f;
  i32 wanted = 0;
  edge_t e = 0, end = 0;
  int stride = 1;
  // The neighbours whose values this lane adds next; -1: no more. Two, so that the second need not be
  // looked for once the first has come [D-flow-3].
  vertex_t awaited = -1, next = -1;
  Wide sum;

  // The next neighbour that v depends on.
  GR_DEVICE vertex_t find() {
    while (e < end) {
      const vertex_t u = lists.neighbor(e);
      e += stride;
      ctx.count_edges(1);
      if (f.rank(u) == wanted) return u;
    }
    return -1;
  }
  GR_DEVICE void begin() {
    awaited = find();
    next = find();
  }
  // Add their values, those that are there by now.
  GR_DEVICE void poll() {
    const u64 first = load_relaxed(&f.words()[awaited]);
    const u64 second = next >= 0 ? load_relaxed(&f.words()[next]) : NOT_YET;
    if (second != NOT_YET) {
      sum.add(second);
      next = find();
    }
    if (first != NOT_YET) {
      sum.add(first);
      awaited = next;
      next = find();
    }
  }
};

// Values of this device alone: they will come.
struct Endless {
  static constexpr bool ENDS = false;
};

// Threads that wait for far-off levels hold up the others [D-flow-1].
constexpr int LEVELS_UNDER_WAY = 4;

}  // namespace dataflow

// Vertices order[first, count), or from behind, whose levels are `width` wide; where each level ends.
struct FlowOrder {
  const vertex_t* vertices;
  i64 first, count;
  bool backward;
  i64 width;
  const i32* level_ends;
  i64 levels;
};

namespace dataflow {

// A core: its slice of every level, so that most of what it waits for is of its own slice of the level
// before, and in its own cache [D-flow-2].
template <class F, class Patience>
GR_DEVICE void flow_on_core(Context& ctx, const FlowOrder& order, const Csr& lists, const F& f,
                            Patience patience) {
  constexpr i64 SLICE = 16;      // not worth a core of its own below this
  constexpr i64 LOOK_AHEAD = 8;  // vertices whose lists are on their way
  for (i64 turn = 0; turn < order.levels; ++turn) {
    const i64 level = order.backward ? order.levels - 1 - turn : turn;
    i64 begin = level > 0 ? order.level_ends[level - 1] : 0;
    if (begin < order.first) begin = order.first;
    const i64 size = order.level_ends[level] - begin, slices = (size + SLICE - 1) / SLICE;
    const i64 cores = slices < ctx.blocks ? slices : ctx.blocks;
    if (ctx.block >= cores) continue;
    const i64 end = begin + size * (ctx.block + 1) / cores;
    for (i64 i = begin + size * ctx.block / cores; i < end; ++i) {
      if (i + LOOK_AHEAD < end) lists.prefetch_row(order.vertices[i + LOOK_AHEAD]);
      if (i + LOOK_AHEAD / 2 < end)
        prefetch_near(&lists.column_indices[lists.row(order.vertices[i + LOOK_AHEAD / 2]).begin]);
      const vertex_t v = order.vertices[i];
      const Row row = lists.row(v);
      const i32 wanted = f.needs(v);
      const typename F::Own own = f.own(v);
      ctx.count_edges(row.length);
      Wide sum;
      if constexpr (Patience::ENDS) patience.begin();
      for (edge_t e = row.begin; e < row.end(); ++e) {
        const vertex_t u = lists.neighbor(e);
        if (f.rank(u) != wanted) continue;
        u64 word;
        for (int looks = 0; (word = load_relaxed(&f.words()[u])) == NOT_YET; ++looks) {
          pause(looks);
          if constexpr (Patience::ENDS) {
            if (looks % Patience::LOOKS == Patience::LOOKS - 1 && patience.over(u)) return;
          }
        }
        sum.add(word);
      }
      f.finish(v, own, sum);
    }
  }
}

}  // namespace dataflow

// A step's work; 2^lanes_log threads share a list.
template <class F, class Patience = dataflow::Endless>
GR_DEVICE void flow(Context& ctx, const FlowOrder& order, const Csr& lists, int lanes_log,
                    const F& f, Patience patience = {}) {
  if constexpr (WARP == 1) return dataflow::flow_on_core(ctx, order, lists, f, patience);
  const int lanes = WARP > 1 ? 1 << lanes_log : 1, lane = lane_id() & (lanes - 1);
  const int each = WARP / lanes;  // vertices per warp
  const u32 mine = lanes == 32 ? ~0u : ((1u << lanes) - 1) << (lane_id() & ~(lanes - 1));
  i64 warps = ctx.threads() / WARP;
  const i64 useful = (WARP > 1 ? dataflow::LEVELS_UNDER_WAY * order.width : i64(1) << 60) / each + 1;
  const i64 warp = i64(warp_id()) * ctx.blocks + ctx.block;
  if (warps > useful) warps = useful;
  if (warp >= warps) return;
  for (i64 group = warp; group * each < order.count - order.first; group += warps) {
    const i64 i = order.first + group * each + lane_id() / lanes;
    const bool valid = i < order.count;
    dataflow::Waiting<F> waiting_for{ctx, lists, f};
    vertex_t v = 0;
    typename F::Own own{};
    if (valid) {
      v = order.vertices[order.backward ? order.count - 1 - (i - order.first) : i];
      const Row row = lists.row(v);
      waiting_for.wanted = f.needs(v);
      waiting_for.e = row.begin + lane;
      waiting_for.end = row.end();
      waiting_for.stride = lanes;
      own = f.own(v);
      waiting_for.begin();
    }
    bool done = !valid;
    u32 waiting = ~0u;
    if constexpr (Patience::ENDS) patience.begin();
    for (int polls = 0; waiting; ++polls) {
      if (waiting_for.awaited >= 0) waiting_for.poll();
      waiting = warp_ballot(waiting_for.awaited >= 0);
      const bool ready = !done && !(waiting & mine);
      if (warp_ballot(ready)) {
        Wide sum = waiting_for.sum;
        fold_lanes<WideSum>(sum, lanes);
        if (ready && lane == 0) f.finish(v, own, sum);
        done = done || ready;
      } else {
        pause(polls);
      }
      if constexpr (Patience::ENDS) {
        if (polls % Patience::LOOKS == Patience::LOOKS - 1) {  // all lanes of a warp have polled as often
          const bool over = patience.over(waiting_for.awaited);
          if (warp_ballot(over)) return;
        }
      }
    }
  }
}

}  // namespace gunrock
