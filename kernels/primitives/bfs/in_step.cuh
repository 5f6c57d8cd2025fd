// Breadth-first search. Merrill (PPoPP 2012), Beamer's direction switch, Gunrock section 5.1.
//
// Push: advance along out-edges. Exact (an atomic claims each vertex once) or idempotent (plain
// stores; duplicates are harmless and culled where that is cheap). Pull: unvisited vertices look for
// a parent in the frontier, now a bitmap, and stop at the first. Between the two:
//   push -> pull when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier's vertices * beta < n
// Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_DIRECTION (0 push, 1 pull, 2 optimized).
#pragma once
#include "core/enactor.cuh"
#include "operators/cull.cuh"
#include "operators/pull.cuh"

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

constexpr bool IDEMPOTENT = GR_IDEMPOTENCE, MARK_PRED = GR_MARK_PRED;
enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);

struct PushFunctor : EdgeFunctor {
  Context& ctx;
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  bool direct;  // few edges: latency counts, not traffic, so straight to the atomic
  GR_DEVICE PushFunctor(Context& c, const Problem& problem, i32 d, u64 edges)
      : ctx(c), p(problem), depth(d), direct(GR_CUDA && !IDEMPOTENT && edges < 128 + 64 * c.blocks) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return direct || load_relaxed(&p.labels[d]) == -1;
  }
  GR_DEVICE bool cond_edge(vertex_t, vertex_t d, edge_t) {
    if constexpr (IDEMPOTENT) return survives_culling(ctx, d, p.visited);
    else return atomic_cas(&p.labels[d], -1, depth) == -1;
  }
  GR_DEVICE void apply_edge(vertex_t s, vertex_t d, edge_t) {
    if constexpr (IDEMPOTENT) store_relaxed(&p.labels[d], depth);
    if constexpr (MARK_PRED) store_relaxed(&p.preds[d], s);
  }
};

struct PullFunctor {
  const Problem& p;
  const u32* frontier;
  i32 depth;

  GR_DEVICE bool wants(vertex_t v) { return p.labels[v] == -1; }
  GR_DEVICE bool cond_edge(vertex_t s, vertex_t, edge_t) { return bitmap_test(frontier, s); }
  GR_DEVICE void apply_edge(vertex_t s, vertex_t v, edge_t) {
    p.labels[v] = depth;
    if constexpr (MARK_PRED) p.preds[v] = s;
  }
};

enum Phase { BEGIN, PUSH, TO_BITMAP, PULL, TO_QUEUE };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 depth = 0;         // of the frontier
    u32 slot = 0;          // which bitmap is the frontier
    bool everyone = true;  // no list of pull candidates yet
    bool pulled = false;   // pull is entered once, as in Gunrock
    Size frontier = {0, 0};
    i64 unexplored = 0;  // edges out of vertices that no frontier has held
  };

  GR_DEVICE static bool fits_block(const State& s) { return s.phase <= PUSH; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    u64* tail = ctx.tail(s.step + 1);
    const Csr& csr = ctx.graph.csr;
    auto bitmap = [&](u32 slot) { return p.bitmaps + (slot % 3) * p.bitmap_stride; };

    if (s.phase == PULL) {
      const u32 before = s.frontier.count;
      s.frontier = unpack(load_relaxed(&control.counters[s.slot % 3]));
      if (s.frontier.count == 0) {
        ctx.show(PULL, s.depth, s.frontier);
        return false;
      }
      const bool sparse = double(s.frontier.count) * p.beta < double(ctx.graph.n);
      if (DIRECTION == OPTIMIZED && sparse && s.frontier.count < before) s.phase = TO_QUEUE;
    } else if (s.phase == PUSH) {
      if (s.in.count == 0) {
        ctx.show(PUSH, s.depth, s.in);
        return false;
      }
      s.frontier = s.in;
      const bool dense = double(s.in.edges) * p.alpha > double(s.unexplored - i64(s.in.edges));
      if (DIRECTION == PULL_ONLY || (DIRECTION == OPTIMIZED && dense && !s.pulled))
        s.phase = TO_BITMAP;
    }

    ctx.show(s.phase, s.depth, s.frontier);
    switch (s.phase) {
      case BEGIN:
        if (ctx.block == 0) seed<Kind::vertex>(ctx, out, tail, csr, item_t(p.source));
        s.unexplored = ctx.graph.m;
        s.phase = PUSH;
        break;
      case PUSH: {
        PushFunctor push(ctx, p, ++s.depth, s.in.edges);
        advance<Kind::vertex, Kind::vertex>(ctx, csr, in, s.in, out, tail, csr, push);
        s.unexplored -= i64(s.in.edges);
        break;
      }
      case TO_BITMAP:
        bitmap_from_queue(ctx, in, s.in.count, bitmap(s.slot + 1));
        bitmap_clear(ctx, bitmap(s.slot + 2));
        ++s.slot;
        if (ctx.rank() == 0) {
          store_relaxed(&control.counters[s.slot % 3], pack(s.in.count, s.in.edges));
          store_relaxed(&control.counters[(s.slot + 1) % 3], u64(0));
        }
        s.pulled = s.everyone = true;
        s.phase = PULL;
        break;
      case PULL: {
        PullFunctor look{p, bitmap(s.slot), ++s.depth};
        pull(ctx, ctx.graph.reverse, s.everyone, in, s.in.count, look, bitmap(s.slot + 1),
             &control.counters[(s.slot + 1) % 3], out, tail);
        bitmap_clear(ctx, bitmap(s.slot + 2));
        if (ctx.rank() == 0) store_relaxed(&control.counters[(s.slot + 2) % 3], u64(0));
        s.unexplored -= i64(s.frontier.edges);
        s.everyone = false;
        ++s.slot;
        break;
      }
      case TO_QUEUE:
        queue_from_bitmap(ctx, bitmap(s.slot), out, tail, csr);
        s.phase = PUSH;
        break;
    }
    return true;
  }
};
