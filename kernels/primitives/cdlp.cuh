// Communities by label propagation, as LDBC Graphalytics defines it (CDLP; Raghavan, Albert and Kumara, 2007, in step).
// At first every vertex's label is its number. In each iteration all take, at once, the label that most of their
// neighbours have; of several such labels the smallest. In a directed graph a neighbour counts once for each edge, in
// either direction. Repetitions of an edge count, as do loops.
//
// GR_ASYNCHRONOUS, for use: an iteration has two steps, in each of which half of the vertices take labels, as a hash of
// vertex and iteration says; so neighbours seldom exchange theirs for ever. A vertex keeps its label if none is more
// frequent. If both steps change nothing, every vertex has one of the labels that most of its neighbours have.
//
// A directed graph's two lists of each vertex are first joined to one. Labels of two iterations lie side by side, so a
// step reads one and writes the other. If an iteration changes nothing, no later one would.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/gather_by_key.cuh"

struct Problem {
  vertex_t* labels;      // of two iterations in turn
  edge_t* offsets;       // joined lists of a directed graph (GR_DIRECTED); else null
  vertex_t* columns;
  i64 longest;           // the longest list
  vertex_t* long_lists;
  i64* places;           // of the tables of lists of more than ROOMLESS entries; null if there are none
  vertex_t* slot_keys;
  i32* slot_counts;
  i64 iterations;
  u64* done;             // how many were made
};

constexpr i64 ROOMLESS = 512;  // a list of no more entries is counted in a block's own memory
static_assert(WARP < 32 || by_key::block_max<i32>() >= ROOMLESS, "a block's table is too small");

// Copies one kind of lists to its place in the joined ones.
struct Join : EdgeFunctor {
  vertex_t* columns;
  const Csr& before;  // what precedes an entry, besides entries of its own kind
  bool is_second;
  GR_DEVICE Join(vertex_t* to, const Csr& others, bool second) : columns(to), before(others), is_second(second) {}
  GR_DEVICE bool visit(vertex_t v, vertex_t u, edge_t e) {
    columns[e + before.row_begin(is_second ? v + 1 : v)] = u;
    return false;
  }
};

struct Commonest : KeyFunctor {
  static constexpr bool COUNTS = true;
  const vertex_t* labels;
  vertex_t* next;
  u64 changes = 0;
  GR_DEVICE Commonest(const vertex_t* now, vertex_t* then) : labels(now), next(then) {}
  GR_DEVICE vertex_t key(vertex_t u) { return labels[u]; }
  GR_DEVICE u64 pair(vertex_t, Nothing, vertex_t label, i32 count) { return keyed(~u32(count), u32(label)); }
  GR_DEVICE bool finish(vertex_t v, Nothing, u64 best) {
    const vertex_t own = labels[v], label = best == ArgMin::nothing() ? own : vertex_t(u32(best));
    next[v] = label;
    changes += label != own;
    return false;
  }
};

constexpr i32 STEPS = GR_ASYNCHRONOUS ? 2 : 1;  // of an iteration

#if GR_ASYNCHRONOUS
// True if a vertex takes a label in this step.
GR_DEVICE bool has_turn(vertex_t v, i32 step) {
  return i32(scramble(u32(v) ^ scramble(u32(step / STEPS))) & 1u) == step % STEPS;
}

struct CommonestInTurn : Commonest {
  using Own = vertex_t;  // its label
  i32 step;
  GR_DEVICE CommonestInTurn(const vertex_t* now, vertex_t* then, i32 turn) : Commonest(now, then), step(turn) {}
  GR_DEVICE bool wants(vertex_t v) { return has_turn(v, step); }
  GR_DEVICE vertex_t own(vertex_t v) { return labels[v]; }
  GR_DEVICE u64 pair(vertex_t, vertex_t own, vertex_t label, i32 count) {
    return keyed(~u32(count), label == own ? 0u : u32(label) + 1);
  }
  GR_DEVICE bool finish(vertex_t v, vertex_t own, u64 best) {
    const bool keeps = best == ArgMin::nothing() || u32(best) == 0;
    next[v] = keeps ? own : vertex_t(u32(best) - 1);
    changes += !keeps;
    return false;
  }
};
#endif

enum Phase { BEGIN, JOIN, PROPAGATE };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {  // the same in every thread
    i32 phase = BEGIN;
    i32 iteration = 0;  // counted in steps, as is the next
    i32 unchanged = 0;  // since when nothing has changed
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    u64* const changes = control.counters;  // of three steps in turn
    if (ctx.rank() == 0) store_relaxed(&changes[(s.step + 1) % 3], u64(0));
    switch (s.phase) {
      case BEGIN:
        ctx.show(BEGIN, 0, n, 0);
        for_each_index(ctx, n, [&](i64 v) { p.labels[v] = vertex_t(v); });
        if constexpr (GR_DIRECTED) {
          for_each_index(ctx, n + 1, [&](i64 v) {
            p.offsets[v] = ctx.graph.csr.row_begin(v) + ctx.graph.reverse.row_begin(v);
          });
        } else {
          find_long_lists(ctx, p, control);
        }
        s.phase = GR_DIRECTED ? JOIN : PROPAGATE;
        break;
      case JOIN:
        ctx.show(JOIN, 0, n, 2 * ctx.graph.m);
        if constexpr (GR_DIRECTED) join(ctx, p);
        find_long_lists(ctx, p, control);
        s.phase = PROPAGATE;
        break;
      case PROPAGATE: {
        if (s.iteration > 0) s.unchanged = load_relaxed(&changes[(s.step + 2) % 3]) > 0 ? 0 : s.unchanged + 1;
        const bool begins = s.iteration % STEPS == 0;
        if (begins && (s.unchanged >= STEPS || s.iteration == STEPS * p.iterations)) {
          if (ctx.rank() == 0) store_relaxed(p.done, u64(s.iteration / STEPS));
          return false;
        }
        const vertex_t* const now = p.labels + s.iteration % 2 * n;
        vertex_t* const next = p.labels + (s.iteration + 1) % 2 * n;
#if GR_ASYNCHRONOUS
        CommonestInTurn commonest(now, next, s.iteration);
        for_each_index(ctx, n, [&](i64 v) {
          if (!has_turn(vertex_t(v), s.iteration)) next[v] = now[v];
        });
#else
        Commonest commonest(now, next);
#endif
        const Csr lists = lists_of(ctx, p);
        ctx.show(PROPAGATE, s.iteration++, n, lists.row_begin(n));
        gather_by_key<ArgMin, i32>(ctx, s, Range{n}, lists, long_lists(p, control),
                                   PlacedSlots<i32>{p.slot_keys, p.slot_counts, p.places}, commonest);
        fold_grid<Sum<u64>>(ctx, commonest.changes, &changes[s.step % 3]);
        break;
      }
    }
    return true;
  }

 private:
  GR_DEVICE static BlockLists long_lists(const Problem& p, Control& control) {
    return {p.long_lists, &control.counters[3]};
  }
  // Finds lists that are too long for a warp, and gives the longest places for their tables.
  GR_DEVICE static void find_long_lists(Context& ctx, const Problem& p, Control& control) {
    const Csr lists = lists_of(ctx, p);
    find_lists_for_blocks<i32>(ctx, ctx.graph.n, lists, long_lists(p, control));
    if (!p.places) return;
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const edge_t length = lists.row(v).length;
      if (length > ROOMLESS) p.places[v] = i64(atomic_add(&control.counters[4], u64(2) * u64(length)));
    });
  }
  GR_DEVICE static void join(Context& ctx, const Problem& p) {
    const Csr &out = ctx.graph.csr, &in = ctx.graph.reverse;
    advance_over<DefaultTileSchedule>(ctx, Range{ctx.graph.n}, out, Join(p.columns, in, false));
    block_sync();
    advance_over<DefaultTileSchedule>(ctx, Range{ctx.graph.n}, in, Join(p.columns, out, true));
  }
  GR_DEVICE static Csr lists_of(const Context& ctx, const Problem& p) {
    if constexpr (!GR_DIRECTED) return ctx.graph.csr;
    return {p.offsets, p.columns, nullptr, p.longest};
  }
};
