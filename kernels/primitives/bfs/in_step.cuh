// Breadth-first search. Merrill (PPoPP 2012), Beamer's direction switch, Gunrock section 5.1.
//
// Push: advance along out-edges. Exact (an atomic claims each vertex once) or idempotent (plain
// stores; duplicates are harmless and culled where that is cheap). Pull: unvisited vertices look for
// a parent in the frontier, now a bitmap, and stop at the first. Between the two:
//   push -> pull when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier's vertices * beta < n
// Not fused, a push is two steps: an advance that keeps what looks unvisited, and a filter of that.
// Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_DIRECTION (of enum Direction), GR_FUSION.
#pragma once
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/edge_queue.cuh"
#include "operators/pull.cuh"
#include "primitives/bfs/visit.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  u32* bitmaps;       // three frontiers in turn: this, next, and the one after, which is cleared
  i64 bitmap_stride;  // words
  i64 source;
  double alpha;
  double beta;
};

enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);
constexpr bool FUSED = GR_FUSION;
using Push = Visit<Problem>;

// An unvisited vertex looks for a parent in the frontier.
struct FindParent {
  const Problem& p;
  const u32* frontier;
  i32 depth;

  GR_DEVICE bool wants(vertex_t v) { return p.labels[v] == -1; }
  GR_DEVICE bool peek(vertex_t s, vertex_t, edge_t) { return bitmap_test(frontier, s); }
  GR_DEVICE void apply(vertex_t s, vertex_t v, edge_t) {
    p.labels[v] = depth;
    if constexpr (MARK_PRED) p.preds[v] = s;
  }
};

enum Phase { BEGIN, PUSH, TO_BITMAP, PULL, TO_QUEUE, FILTER };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 depth = 0;               // of the frontier
    u32 turns = 0;               // of the bitmaps
    bool all_candidates = true;  // no list of pull candidates yet
    bool pulled = false;         // pull is entered once, as in Gunrock
    Size frontier = {0, 0};
    i64 unexplored = 0;  // edges out of vertices that no frontier has held
  };

  GR_DEVICE static bool fits_block(const State& s) {
    return s.phase <= PUSH || (!FUSED && s.phase == FILTER);
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    BitmapFrontier bitmap{p.bitmaps, p.bitmap_stride, control.counters, s.turns};
    const bool more = choose(ctx, p, bitmap, s);
    ctx.show(s.phase, s.depth, s.frontier);
    if (!more) return false;

    switch (s.phase) {
      case BEGIN:
        seed<V>(ctx, s, item_t(p.source));
        s.unexplored = ctx.graph.m;
        s.phase = PUSH;
        break;
      case PUSH: {
        Push push(ctx, p, ++s.depth, s.in.edges);
        if constexpr (FUSED) {
          advance<V, V>(ctx, s, push);
        } else {
          advance<V, Kind::plain>(ctx, s, LooksNew<Problem>(push));
          s.phase = FILTER;
        }
        s.unexplored -= i64(s.in.edges);
        break;
      }
      case FILTER:
        if constexpr (!FUSED) {
          contract_edges<V>(ctx, s, Push(ctx, p, s.depth, s.in.count));
          s.phase = PUSH;
        }
        break;
      case TO_BITMAP:
        queue_to_bitmap(ctx, s, bitmap);
        s.pulled = s.all_candidates = true;
        s.phase = PULL;
        break;
      case PULL: {
        FindParent find{p, bitmap.bits(), ++s.depth};
        pull(ctx, s, candidates(ctx, s, s.all_candidates), find, bitmap);
        s.unexplored -= i64(s.frontier.edges);
        s.all_candidates = false;
        break;
      }
      case TO_QUEUE:
        bitmap_to_queue(ctx, s, bitmap.bits());
        s.phase = PUSH;
        break;
    }
    return true;
  }

 private:
  // What this step does, by the size of the frontier; false where there is none left.
  GR_DEVICE static bool choose(const Context& ctx, const Problem& p, const BitmapFrontier& bitmap,
                               State& s) {
    if (s.phase == PULL) {
      const u32 before = s.frontier.count;
      s.frontier = bitmap.size();
      const bool sparse = double(s.frontier.count) * p.beta < double(ctx.graph.n);
      if (s.frontier.count == 0) return false;
      if (DIRECTION == OPTIMIZED && sparse && s.frontier.count < before) s.phase = TO_QUEUE;
    } else if (s.phase == PUSH) {
      s.frontier = s.in;
      if (s.in.count == 0) return false;
      const bool dense = double(s.in.edges) * p.alpha > double(s.unexplored - i64(s.in.edges));
      if (DIRECTION == PULL_ONLY || (DIRECTION == OPTIMIZED && dense && !s.pulled))
        s.phase = TO_BITMAP;
    } else if (!FUSED && s.phase == FILTER) {
      s.frontier = s.in;
    }
    return true;
  }
};
