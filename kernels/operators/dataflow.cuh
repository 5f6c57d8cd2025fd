// Dataflow: fold values over lists in an order in which each vertex depends only on earlier ones. Each vertex waits
// for the values that it folds rather than for the grid (as solvers for sparse triangular systems do). So there is
// no barrier per level on graphs with thousands of levels of few vertices each. Called by BC.
//
// Warps take groups of vertices in order, so the first unfinished vertex waits for nobody: there is no deadlock.
// A value is one word, written once; until then it is NOT_YET.
//
// A functor has
//   const u64* words()         the values, by vertex
//   const i32* ranks()         each vertex's level
//   i32 needs(rank)            a vertex of that rank depends on its neighbours of the rank returned
//   Fetched, Fetched fetch(asked, v)   what own needs of v, loaded if `asked`, and not waited for
//   Own, Own own(v, fetched)   what finish needs of v, obtained before v waits [D-flow-3]
//   void finish(v, own, sum)   by one thread: writes v's value with store_relaxed, before anything else
// A wait for other devices' values has a patience (team_flow.cuh), which may run out.
#pragma once
#include "../core/context.cuh"
#include "../math/wide_sum.cuh"

namespace gunrock {

namespace dataflow {

// A load that the compiler does not move, however much later its result is used.
template <class T>
GR_DEVICE T ask(bool wanted, const T* p, T otherwise) {
  if constexpr (sizeof(T) == 8) return T(load_relaxed_if(wanted, (const u64*)p, u64(otherwise)));
  else return load_cached_if(wanted, p, otherwise);
}

// A vertex, as seen by one of the lanes that share it.
template <class F>
struct Waiting {
  vertex_t v = -1;  // -1: none
  typename F::Own own{};
  i32 wanted = 0;
  edge_t e = 0, end = 0;  // the untested neighbours, `lanes` apart
  // The neighbours whose values this lane adds next; -1: no more. Two, so that the second is known when the
  // first value arrives [D-flow-3].
  vertex_t awaited = -1, next = -1;
  Wide sum;

  // Adds a neighbour that v depends on.
  GR_DEVICE void await(vertex_t u) {
    if (awaited < 0) awaited = u;
    else next = u;
  }
};

// Finds the neighbours that a lane's vertices depend on, and loads their values.
template <class F, bool SEVERAL>
struct Lanes {
  Context& ctx;
  const Csr& lists;
  const F& f;
  int lane, lanes;  // this lane's number among those that share a list, and the number of those lanes

  // The next neighbour that a vertex depends on.
  GR_DEVICE vertex_t find(Waiting<F>& of) const {
    while (of.e < of.end) {
      const vertex_t u = lists.neighbor(of.e);
      of.e += lanes;
      ctx.count_edges(1);
      if (f.ranks()[u] == of.wanted) return u;
    }
    return -1;
  }
  // u's value; NOT_YET if there is no u. Without a branch, so that two loads are in flight at once.
  GR_DEVICE u64 word(vertex_t u) const {
    if constexpr (SEVERAL) return u >= 0 ? load_relaxed(&f.words()[u]) : NOT_YET;  // other devices may write it
    else return load_relaxed_if(u >= 0, &f.words()[u >= 0 ? u : 0], NOT_YET);
  }
  // Adds the awaited neighbours' values that have arrived.
  GR_DEVICE void poll(Waiting<F>& of) const {
    const u64 first = word(of.awaited), second = word(of.next);
    if (second != NOT_YET) {
      of.sum.add(second);
      of.next = find(of);
    }
    if (first != NOT_YET) {
      of.sum.add(first);
      of.awaited = of.next;
      of.next = find(of);
    }
  }
};

// For values of this device alone, which always arrive.
struct Endless {
  static constexpr bool ENDS = false;
};

// Threads that wait for far-off levels slow down others [D-flow-1], but only a little, as a poll is one load
// [D-flow-5].
constexpr int LEVELS_UNDER_WAY = 16;

}  // namespace dataflow

// Vertices order[first, count), forwards or backwards, in levels of width `width`, and where each level ends.
struct FlowOrder {
  const vertex_t* vertices;
  i64 first, count;
  bool backward;
  i64 width;
  const i32* level_ends;
  i64 levels;
};

namespace dataflow {

// A core takes its slice of every level, so that most of what it waits for comes from its own slice of the
// previous level and is in its own cache [D-flow-2].
template <class F, class Patience>
GR_DEVICE void flow_on_core(Context& ctx, const FlowOrder& order, const Csr& lists, const F& f,
                            Patience patience) {
  constexpr i64 SLICE = 16;      // fewer vertices are not worth a core
  constexpr i64 LOOK_AHEAD = 8;  // vertices whose lists are prefetched
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
        lists.prefetch_entries(lists.row(order.vertices[i + LOOK_AHEAD / 2]).begin);
      const vertex_t v = order.vertices[i];
      const Row row = lists.row(v);
      const i32 wanted = f.needs(f.ranks()[v]);
      const typename F::Own own = f.own(v, f.fetch(true, v));
      ctx.count_edges(row.length);
      Wide sum;
      if constexpr (Patience::ENDS) patience.begin();
      for (edge_t e = row.begin; e < row.end(); ++e) {
        const vertex_t u = lists.neighbor(e);
        if (f.ranks()[u] != wanted) continue;
        u64 word;
        for (int polls = 0; (word = load_relaxed(&f.words()[u])) == NOT_YET; ++polls) {
          pause(polls);
          if constexpr (Patience::ENDS) {
            if (polls % Patience::POLLS == Patience::POLLS - 1 && patience.run_ended(u)) return;
          }
        }
        sum.add(word);
      }
      f.finish(v, own, sum);
    }
  }
}

// The vertices that a lane comes to, one per round, and what it must know of each before it waits for values.
// That takes four dependent loads: the vertex three rounds ahead, its list two rounds ahead, its neighbours and
// then their ranks one round ahead, each while the lane waits for an earlier vertex's values [D-flow-4].
template <class F, class Lanes>
struct Coming {
  static constexpr int ASKED = BLOCK > 128 ? 2 : 4;  // neighbours that a lane loads ahead
  struct List {
    vertex_t v = -1;  // -1: none
    edge_t begin = 0, end = 0;
    i32 rank = 0;
    typename F::Fetched fetched{};
  };

  const FlowOrder& order;
  const Lanes& by;
  i64 place, count, stride;  // place of the vertex loaded next; number of all vertices; places from one round to the next
  vertex_t third = -1;       // loaded in this round
  List second, first;        // the lists whose row, and whose neighbours, are loaded in this round
  vertex_t u[ASKED];
  i32 ranks[ASKED];

  GR_DEVICE Coming(const FlowOrder& all, const Lanes& who, i64 begin, i64 step)
      : order(all), by(who), place(begin), count(all.count - all.first), stride(step) {}

  // At the beginning of a round.
  GR_DEVICE void ask() {
    GR_UNROLL
    for (int k = 0; k < ASKED; ++k) {
      const edge_t e = first.begin + by.lane + k * by.lanes;
      u[k] = dataflow::ask(e < first.end, by.lists.column_indices + e, vertex_t(-1));
      by.ctx.count_edges(e < first.end);
    }
    const bool is = second.v >= 0;
    const edge_t* row = by.lists.row_offsets + (is ? second.v : 0);
    second.begin = dataflow::ask(is, row, edge_t(0));
    second.end = dataflow::ask(is, row + 1, edge_t(0));
    second.rank = dataflow::ask(is, by.f.ranks() + (is ? second.v : 0), 0);
    second.fetched = by.f.fetch(is, is ? second.v : 0);
    const bool more = place < count;
    const i64 from_first = order.backward ? order.count - 1 - place : order.first + place;
    third = dataflow::ask(more, order.vertices + (more ? from_first : 0), vertex_t(-1));
    place += stride;
  }
  // Once the neighbours have arrived.
  GR_DEVICE void ask_ranks() {
    GR_UNROLL
    for (int k = 0; k < ASKED; ++k)
      ranks[k] = dataflow::ask(u[k] >= 0, by.f.ranks() + (u[k] >= 0 ? u[k] : 0), 0);
  }
  // At the end of a round: the vertex to wait for in the next one.
  GR_DEVICE Waiting<F> take() {
    Waiting<F> now;
    now.v = first.v;
    now.wanted = by.f.needs(first.rank);
    now.end = first.end;
    int looked_at = ASKED;  // a third neighbour that v depends on is tested again when the lane comes to it
    GR_UNROLL
    for (int k = 0; k < ASKED; ++k) {
      if (u[k] < 0 || ranks[k] != now.wanted || looked_at < ASKED) continue;
      if (now.next < 0) now.await(u[k]);
      else looked_at = k;
    }
    now.e = first.begin + by.lane + looked_at * by.lanes;
    if (now.awaited < 0) now.awaited = by.find(now);
    if (now.next < 0) now.next = by.find(now);
    if (now.v >= 0) now.own = by.f.own(now.v, first.fetched);
    first = second;
    second.v = third;
    return now;
  }
};

constexpr int TURNS_AHEAD = 3;  // from loading a vertex to waiting for its values

// Warps take groups of vertices in order, 2^lanes_log threads for each.
template <class F, class Patience>
GR_DEVICE void flow_by_warps(Context& ctx, const FlowOrder& order, const Csr& lists, int lanes_log,
                             const F& f, Patience patience) {
  const int lanes = 1 << lanes_log, lane = lane_id() & (lanes - 1);
  const int each = WARP >> lanes_log;  // vertices per warp
  const u32 mine = lanes == 32 ? ~0u : ((1u << lanes) - 1) << (lane_id() & ~(lanes - 1));
  i64 warps = ctx.threads() / WARP;
  const i64 useful = LEVELS_UNDER_WAY * order.width / each + 1;
  const i64 warp = i64(warp_id()) * ctx.blocks + ctx.block;
  if (warps > useful) warps = useful;
  if (warp >= warps) return;
  const Lanes<F, Patience::ENDS> by{ctx, lists, f, lane, lanes};
  Coming<F, Lanes<F, Patience::ENDS>> coming(order, by, warp * each + (lane_id() >> lanes_log), warps * each);
  Waiting<F> now;
  for (i64 group = warp - TURNS_AHEAD * warps; group * each < order.count - order.first; group += warps) {
    coming.ask();
    if (now.awaited >= 0) by.poll(now);
    coming.ask_ranks();
    bool done = now.v < 0;
    if constexpr (Patience::ENDS) patience.begin();
    for (int polls = 1;; ++polls) {
      const u32 waiting = warp_ballot(now.awaited >= 0);
      const bool ready = !done && !(waiting & mine);
      if (warp_ballot(ready)) {
        Wide sum = now.sum;
        fold_lanes<WideSum>(sum, lanes);
        if (ready && lane == 0) f.finish(now.v, now.own, sum);
        done = done || ready;
      }
      if (!waiting) break;
      if (now.awaited >= 0) by.poll(now);
      if constexpr (Patience::ENDS) {
        if (polls % Patience::POLLS == 0) {  // all lanes of a warp have polled equally often
          const bool run_ended = patience.run_ended(now.awaited);
          if (warp_ballot(run_ended)) return;
        }
      }
    }
    now = coming.take();
  }
}

}  // namespace dataflow

// A step's work; 2^lanes_log threads share a list.
template <class F, class Patience = dataflow::Endless>
GR_DEVICE void flow(Context& ctx, const FlowOrder& order, const Csr& lists, int lanes_log,
                    const F& f, Patience patience = {}) {
  if constexpr (WARP == 1) dataflow::flow_on_core(ctx, order, lists, f, patience);
  else dataflow::flow_by_warps(ctx, order, lists, lanes_log, f, patience);
}

}  // namespace gunrock
