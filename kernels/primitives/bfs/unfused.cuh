// Breadth-first search as in in_step.cuh, but not fused: a push is two steps, an advance that keeps edges to vertices
// that look unvisited, and then a filter of these. Exact or idempotent.
// Options: also GR_IDEMPOTENCE, GR_CULL_*.
#pragma once
#include "core/enactor.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  u32* bitmaps;       // three frontiers in turn: this, the next, and the one after, which is cleared
  i64 bitmap_stride;  // words
  i64 source;
  double alpha;       // or BY_COST
  double beta;
};

enum Phase { BEGIN, PUSH, TO_BITMAP, PULL, TO_QUEUE, FILTER };

#include "operators/edge_queue.cuh"
#include "primitives/bfs/levels.cuh"
#include "primitives/bfs/visit_idempotent.cuh"

using Push = EitherVisit<Problem>;

// Keeps edges to vertices that have no label yet.
struct LooksNew : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  const Depths depths;
  GR_DEVICE explicit LooksNew(const Depths& of) : depths(of) {}
  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) { return depths.looks_new(asked, d); }
  GR_DEVICE bool visit(bool asked, vertex_t, vertex_t, edge_t) { return asked; }
};

struct Enactor : Levels<Enactor, Push> {
  static constexpr bool BEGINS_WITH_LIST = false;

  GR_DEVICE static bool fits_block(const State& s) { return s.phase == FILTER || Levels::fits_block(s); }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.phase != FILTER) return Levels::step(ctx, p, control, s);
    count_open(ctx, p, control, s);
    s.frontier = s.in;
    ctx.show(FILTER, s.depth, s.frontier);
    Push visit(ctx, p, s.depth, s.in.count);
    contract_edges<V>(ctx, s, visit);
    add_in_edges(ctx, control, s, visit);
    s.phase = PUSH;
    return true;
  }

  GR_DEVICE static void expand(Context& ctx, const Problem& p, Control&, BitmapFrontier&, State& s) {
    advance<V, Kind::plain>(ctx, s, LooksNew(Depths{p.labels, 0}));
    s.in_bitmap = false;  // the bitmap holds the previous frontier
    leave(s);
    s.phase = FILTER;
  }
};
