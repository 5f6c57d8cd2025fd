// The steps of a breadth-first search whose blocks take each level together. Included by in_step.cuh, idempotent.cuh
// and unfused.cuh after their Problem and Phase.
//
// Push: advance along out-edges. Pull: unvisited vertices look for a parent in the frontier, now a bitmap, and stop at
// the first. direction.cuh chooses the direction.
// Options: GR_MARK_PRED, GR_DIRECTION (of enum Direction), GR_COUNT_IN_EDGES (counts the in-edges of vertices found,
// for the cost of a pull: on a directed graph they differ from the out-edges).
#pragma once
#include "operators/convert.cuh"
#include "operators/pull.cuh"
#include "primitives/bfs/direction.cuh"
#include "primitives/bfs/visit.cuh"
#include "primitives/relay.cuh"

constexpr i64 MANY = 16;  // a push of one edge per this many vertices also leaves a bitmap

// Self is the enactor, which may have another `expand`, and Push the functor of a push.
template <class Self, class Push>
struct Levels {
  // The first level is the source's list, which all blocks share: it needs no queue.
  static constexpr bool BEGINS_WITH_LIST = SHARES_LISTS;

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
    i64 unexplored = 0;  // edges out of unreached vertices
#if GR_COUNT_IN_EDGES
    i64 open = 0;        // edges into vertices that have not been found
    i64 found_even = 0, found_odd = 0;  // earlier values of in_edges_of, which have been subtracted
#endif
#if GR_RELAY
    Pace<SEEN_LEVELS> pace;
#endif
  };

  GR_DEVICE static bool leaves(const State& s) {
#if GR_RELAY
    return s.phase == PUSH &&
           s.pace.template calls_for_running_ahead<LEVELS_LEFT>(s.in.edges, s.unexplored);
#else
    return false;
#endif
  }

  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == BEGIN) return !Self::BEGINS_WITH_LIST;
    if (s.phase == PULL) return s.by_cost && !s.all_candidates;
    if (leaves(s)) return false;  // the grid leaves together
    return s.phase == PUSH;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    BitmapFrontier bitmap{p.bitmaps, p.bitmap_stride, control.counters, s.turns};
    count_open(ctx, p, control, s);
    const bool more = choose(ctx, p, bitmap, s);
    ctx.show(s.phase == BEGIN && Self::BEGINS_WITH_LIST ? PUSH : s.phase, s.depth, s.frontier);
    if (!more) return false;

    switch (s.phase) {
      case BEGIN:
        if constexpr (Self::BEGINS_WITH_LIST) {
          ++s.depth;
          push(ctx, p, control, bitmap, s,
               [&](Push& visit) { advance_list<V>(ctx, s, vertex_t(p.source), visit); });
        } else {
          seed<V>(ctx, s, item_t(p.source));
        }
        s.phase = PUSH;
        break;
      case PUSH:
        ++s.depth;
        Self::expand(ctx, p, control, bitmap, s);
        break;
      case TO_BITMAP:
        queue_to_bitmap(ctx, s, bitmap);
        s.in_bitmap = true;
        s.phase = PULL;
        break;
      case PULL: {  // a single block goes on to the end without bitmaps, which it would have to clear
        FindParent<Problem> find{p, ctx.single_block ? nullptr : bitmap.bits(), ++s.depth};
        pull(ctx, s, candidates(ctx, s, s.all_candidates), find, ctx.single_block ? nullptr : bitmap.next(),
             bitmap.next_size());
        bitmap.clear_spare(ctx, !ctx.single_block);
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

  // Expands the frontier in the queue.
  GR_DEVICE static void expand(Context& ctx, const Problem& p, Control& control, BitmapFrontier& bitmap, State& s) {
    push(ctx, p, control, bitmap, s, [&](Push& visit) { advance<V, V>(ctx, s, visit); });
  }

 protected:
  // Pushes the frontier by `walk`. If the first push reaches many vertices, the next step may be a pull, so the
  // push also leaves them in a bitmap.
  template <class Walk>
  GR_DEVICE static void push(Context& ctx, const Problem& p, Control& control, BitmapFrontier& bitmap, State& s,
                             Walk walk) {
    const bool many = DIRECTION == OPTIMIZED && s.phase == BEGIN && s.by_cost &&
                      i64(s.frontier.edges) * MANY > ctx.graph.n;
    Push visit(ctx, p, s.depth, s.frontier.edges, many ? bitmap.next() : nullptr);
    walk(visit);
    add_in_edges(ctx, control, s, visit);
    if (many) {
      bitmap.clear_spare(ctx);
      bitmap.turn();
    }
    s.in_bitmap = many;
    leave(s);
  }

  // In-edges of the vertices found, in two words that only grow: a step adds to the word that the next step
  // reads. (A single block does not read them: its finds count once the grid goes on, or a step later.)
  GR_DEVICE static u64* in_edges_of(Control& control, u32 step) { return &control.counters[3 + step % 2]; }
  GR_DEVICE static void add_in_edges(Context& ctx, Control& control, const State& s, const Push& visit) {
#if GR_COUNT_IN_EDGES
    u64* const next = in_edges_of(control, s.step + 1);
    if (!ctx.single_block) fold_grid<Sum<u64>>(ctx, visit.in_edges, next);
    else if (visit.in_edges) atomic_add(next, visit.in_edges);
#endif
  }
  GR_DEVICE static void count_open(Context& ctx, const Problem& p, Control& control, State& s) {
#if GR_COUNT_IN_EDGES
    if (s.phase == BEGIN) s.open = ctx.graph.m - ctx.graph.reverse.row(p.source).length;
    if (s.phase == PULL && !s.all_candidates) s.open = i64(s.in.edges);
    if (ctx.single_block) return;
    const i64 found = i64(load_relaxed(in_edges_of(control, s.step)));
    i64& before = s.step % 2 ? s.found_odd : s.found_even;
    s.open -= found - before;
    before = found;
#endif
  }
  // Edges into vertices that have not been reached yet. They come from the frontier or from such vertices
  // themselves, out of which `others` edges lead.
  GR_DEVICE static i64 candidate_edges(const State& s, i64 edges, i64 others) {
#if GR_COUNT_IN_EDGES
    return s.open < edges + others ? s.open : edges + others;
#else
    return others;
#endif
  }

  // Leaves the frontier, which has been expanded.
  GR_DEVICE static void leave(State& s) {
    s.unreached -= i64(s.frontier.count);
    s.unexplored -= i64(s.frontier.edges);
  }

  // Chooses what this step does, by the size of the frontier; false if the frontier is empty.
  GR_DEVICE static bool choose(const Context& ctx, const Problem& p, const BitmapFrontier& bitmap,
                               State& s) {
    if (s.phase == BEGIN) {
      if (Self::BEGINS_WITH_LIST) s.frontier = {1, u64(ctx.graph.csr.row(p.source).length)};
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
#if GR_RELAY
      if (leaves(s)) {
        leave_at(s, s.depth);
        return false;
      }
      s.pace.add(s.in.edges);
#endif
      if (DIRECTION == PULL_ONLY || (DIRECTION == OPTIMIZED && to_pull(ctx, p, s))) {
        s.pulled = s.all_candidates = true;
        s.phase = s.in_bitmap ? PULL : TO_BITMAP;
      }
    }
    return true;
  }

  // A single block never changes direction, as either change inspects all vertices.
  GR_DEVICE static bool to_pull(const Context& ctx, const Problem& p, const State& s) {
    const i64 edges = i64(s.in.edges), others = s.unexplored - edges;
    if (!s.by_cost) return !s.pulled && is_dense(p.alpha, edges, others);
    if (ctx.single_block || !pull_could_pay(ctx.threads(), s.unexplored)) return false;
    if (!s.pulled && ctx.graph.n > CACHED_VERTICES && is_dense(DENSE_ALPHA, edges, others)) return true;
    return pull_pays({edges, s.unreached - i64(s.in.count), candidate_edges(s, edges, others)});
  }
  GR_DEVICE static bool to_push(const Context& ctx, const Problem& p, const State& s, u32 before) {
    if (s.by_cost)
      return !ctx.single_block && push_pays(ctx.threads(), {i64(s.frontier.edges), i64(s.in.count), i64(s.in.edges)});
    return s.frontier.count < before && is_sparse(p.beta, s.frontier.count, ctx.graph.n);
  }
};
