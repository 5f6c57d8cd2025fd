// Breadth-first search. Merrill (PPoPP 2012), Beamer's direction switch, Gunrock section 5.1.
//
// Push: advance along out-edges. Exact (an atomic claims each vertex once) or idempotent (plain
// stores; duplicates are harmless and culled where that is cheap). Pull: unvisited vertices look for
// a parent in the frontier, now a bitmap, and stop at the first. direction.cuh says which of the two.
// Not fused, a push is two steps: an advance that keeps what looks unvisited, then a filter of what it kept.
// Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_DIRECTION (of enum Direction), GR_FUSION.
#pragma once
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/edge_queue.cuh"
#include "operators/pull.cuh"
#include "primitives/bfs/direction.cuh"
#include "primitives/bfs/visit.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling (idempotent only)
  u32* bitmaps;       // three frontiers in turn: this, next, and the one after, which is cleared
  i64 bitmap_stride;  // words
  i64 source;
  double alpha;       // or BY_COST
  double beta;
};

constexpr bool FUSED = GR_FUSION;
// The first level is the source's list, which all blocks share: it needs no queue.
constexpr bool BEGINS_WITH_LIST = FUSED && SHARES_LISTS;
constexpr i64 MANY = 16;  // a push of one edge per this many vertices also leaves a bitmap
using Push = Visit<Problem>;

// An unvisited vertex looks for a parent in the frontier: a bitmap or, without one, the vertices of its depth.
struct FindParent {
  static constexpr bool PREDICATED = true;
  const Problem& p;
  const u32* frontier;
  i32 depth;  // of what is found

  GR_DEVICE IsNew wants(vertex_t v) { return depths().is_new(v); }
  // What was loaded for s, and once someone asks, whether s is in the frontier.
  struct Looked {
    Bit bit;
    i32 label, above;
    GR_DEVICE operator bool() const { return bit || label == above; }
  };
  GR_DEVICE Looked peek(bool asked, vertex_t s, vertex_t, edge_t) {
    return {bitmap_holds(asked && frontier, frontier, s),
            load_relaxed_if(asked && !frontier, depths().at(s), -1), depth - 1};
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }
  GR_DEVICE void apply(vertex_t s, vertex_t v, edge_t) {
    store_relaxed(depths().at(v), depth);
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
    bool pulled = false;         // by Beamer's test pull is entered once, as in Gunrock
    bool in_bitmap = false;      // the bitmap also holds the frontier in the queue
    bool by_cost = false;        // the direction is chosen
    Size frontier = {0, 0};
    i64 unreached = 0;   // vertices that no frontier has held
    i64 unexplored = 0;  // edges out of them
  };

  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == BEGIN) return !BEGINS_WITH_LIST;
    if (s.phase == PULL) return s.by_cost && !s.all_candidates;
    return s.phase == PUSH || (!FUSED && s.phase == FILTER);
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    BitmapFrontier bitmap{p.bitmaps, p.bitmap_stride, control.counters, s.turns};
    const bool more = choose(ctx, p, bitmap, s);
    ctx.show(s.phase == BEGIN && BEGINS_WITH_LIST ? PUSH : s.phase, s.depth, s.frontier);
    if (!more) return false;

    switch (s.phase) {
      case BEGIN:
        if constexpr (BEGINS_WITH_LIST) {
          ++s.depth;
          push(ctx, p, bitmap, s, [&](Push& visit) { advance_list<V>(ctx, s, vertex_t(p.source), visit); });
        } else {
          seed<V>(ctx, s, item_t(p.source));
        }
        s.phase = PUSH;
        break;
      case PUSH:
        ++s.depth;
        if constexpr (FUSED) {
          push(ctx, p, bitmap, s, [&](Push& visit) { advance<V, V>(ctx, s, visit); });
        } else {
          advance<V, Kind::plain>(ctx, s, LooksNew<Problem>(Push(ctx, p, s.depth, s.in.edges)));
          s.in_bitmap = false;  // what is there is the previous frontier
          leave(s);
          s.phase = FILTER;
        }
        break;
      case FILTER:
        if constexpr (!FUSED) {
          contract_edges<V>(ctx, s, Push(ctx, p, s.depth, s.in.count));
          s.phase = PUSH;
        }
        break;
      case TO_BITMAP:
        queue_to_bitmap(ctx, s, bitmap);
        s.in_bitmap = true;
        s.phase = PULL;
        break;
      case PULL: {  // a lone block goes on to the end without bitmaps, which it would have to clear
        FindParent find{p, ctx.solo ? nullptr : bitmap.bits(), ++s.depth};
        pull(ctx, s, candidates(ctx, s, s.all_candidates), find, ctx.solo ? nullptr : bitmap.next(),
             bitmap.next_size());
        bitmap.clear_spare(ctx, !ctx.solo);
        bitmap.turn();
        leave(s);
        s.all_candidates = false;
        break;
      }
      case TO_QUEUE:
        bitmap_to_queue(ctx, s, bitmap.bits());
        s.in_bitmap = true;
        s.phase = PUSH;
        break;
    }
    return true;
  }

 private:
  // Push the frontier by `walk`. If the first push reaches many vertices, the next step may be a pull, so it
  // also leaves them in a bitmap.
  template <class Walk>
  GR_DEVICE static void push(Context& ctx, const Problem& p, BitmapFrontier& bitmap, State& s, Walk walk) {
    const bool many = DIRECTION == OPTIMIZED && s.phase == BEGIN && s.by_cost &&
                      i64(s.frontier.edges) * MANY > ctx.graph.n;
    Push visit(ctx, p, s.depth, s.frontier.edges, many ? bitmap.next() : nullptr);
    walk(visit);
    if (many) {
      bitmap.clear_spare(ctx);
      bitmap.turn();
    }
    s.in_bitmap = many;
    leave(s);
  }

  // The frontier has been expanded.
  GR_DEVICE static void leave(State& s) {
    s.unreached -= i64(s.frontier.count);
    s.unexplored -= i64(s.frontier.edges);
  }

  // What this step does, by the size of the frontier; false when none is left.
  GR_DEVICE static bool choose(const Context& ctx, const Problem& p, const BitmapFrontier& bitmap,
                               State& s) {
    if (s.phase == BEGIN) {
      if (BEGINS_WITH_LIST) s.frontier = {1, u64(ctx.graph.csr.row(p.source).length)};
      s.unreached = ctx.graph.n;
      s.unexplored = ctx.graph.m;
      s.by_cost = p.alpha == BY_COST;
    } else if (s.phase == PULL && !s.all_candidates) {
      const u32 before = s.frontier.count;
      s.frontier = bitmap.size();
      if (s.frontier.count == 0 || s.in.count == 0) return false;
      if (DIRECTION == OPTIMIZED && to_push(ctx, p, s, before)) s.phase = TO_QUEUE;
    } else if (s.phase == PUSH) {
      s.frontier = s.in;
      if (s.in.count == 0) return false;
      if (DIRECTION == PULL_ONLY || (DIRECTION == OPTIMIZED && to_pull(ctx, p, s))) {
        s.pulled = s.all_candidates = true;
        s.phase = s.in_bitmap ? PULL : TO_BITMAP;
      }
    } else if (!FUSED && s.phase == FILTER) {
      s.frontier = s.in;
    }
    return true;
  }

  // A lone block never changes direction: either way it would look at all vertices.
  GR_DEVICE static bool to_pull(const Context& ctx, const Problem& p, const State& s) {
    const i64 edges = i64(s.in.edges), others = s.unexplored - edges;
    if (!s.by_cost) return !s.pulled && is_dense(p.alpha, edges, others);
    if (ctx.solo || !pull_could_pay(ctx.threads(), s.unexplored)) return false;
    if (!s.pulled && ctx.graph.n > DENSE_VERTICES && is_dense(DENSE_ALPHA, edges, others)) return true;
    return pull_pays(ctx, {edges, s.unreached - i64(s.in.count), others});
  }
  GR_DEVICE static bool to_push(const Context& ctx, const Problem& p, const State& s, u32 before) {
    if (s.by_cost)
      return !ctx.solo && push_pays(ctx.threads(), {i64(s.frontier.edges), i64(s.in.count), i64(s.in.edges)});
    return s.frontier.count < before && is_sparse(p.beta, s.frontier.count, ctx.graph.n);
  }
};
