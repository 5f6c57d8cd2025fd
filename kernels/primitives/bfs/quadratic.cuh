// Breadth-first search without queues, which Merrill argues against (section 2.2): every level inspects every
// vertex, and the vertices of that level walk their lists, each by one thread (Harish and Narayanan 2007), or
// by a warp (Hong and others 2011) with --advance-mode WARP. The writes race, but all write the same depth.
#pragma once
#include "core/enactor.cuh"
#include "operators/tiles.cuh"
#include "primitives/bfs/visit.cuh"

struct Problem {
  i32* labels;      // depth, -1 while unvisited
  vertex_t* preds;  // or null
  i64 source;
};

// The vertices of a level.
struct Level {
  const i32* labels;
  i32 depth;
  i64 count;
  GR_DEVICE item_t at(i64 i) const { return item_t(i); }
  GR_DEVICE bool holds(item_t v) const { return load_relaxed(&labels[v]) == depth; }
};

struct Label : EdgeFunctor {
  const Problem& p;
  i32 depth;
  bool found = false;  // true if this thread labelled any
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return Depths{p.labels, 0}.looks_new(true, d); }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t) {
    store_relaxed(&p.labels[d], depth);
    if constexpr (MARK_PRED) store_relaxed(&p.preds[d], s);
    found = true;
  }
};

enum Phase { LEVEL };
using QuadraticSchedule = TileScheduleOf<ADVANCE_MODE == MODE_AUTO ? MODE_SERIAL : TILE_MODE>::type;

struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // otherwise its own loops are slower [D-gate-1]

  // Three words, used in turn, record if a level was found: for this level, for the next, and one to clear.
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    u64* const levels = control.counters;
    if (s.step > 0 && !load_relaxed(&levels[s.step % 3])) return false;
    const i32 depth = i32(s.step);
    ctx.show(LEVEL, depth, ctx.graph.n, 0);
    ctx.show_mode(ADVANCE_MODE == MODE_AUTO ? MODE_SERIAL : TILE_MODE);
    if (ctx.rank() == 0) store_relaxed(&levels[(s.step + 2) % 3], u64(0));
    Label label{{}, p, depth + 1};
    advance_over<QuadraticSchedule>(ctx, Level{p.labels, depth, ctx.graph.n}, ctx.graph.csr, label);
    if (block_any(label.found) && thread_id() == 0) store_relaxed(&levels[(s.step + 1) % 3], u64(1));
    return true;
  }
};
