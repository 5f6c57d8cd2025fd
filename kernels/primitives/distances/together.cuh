// Breadth-first searches from many sources, which share their passes over the edges: a bit for each search says at
// every vertex which searches have reached it, and which have just done so. Batches of as many sources as a row has
// bits, one after the other.
//
// Push: the rows of the frontier are passed to neighbours by atomics; another step then settles them, and clears the
// rows of the frontier before. Pull: vertices that some search has yet to find join the rows of their neighbours in
// the frontier, and stop when they have all that they can get: bits of searches that still found something at the
// last level. The cost of either, in rows, chooses.
#pragma once
#define GR_STAGED_BYTES (544 * GR_QUADS / WARPS + 16)  // a row, and counts of its bits (SharedRows)
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/pull_rows.cuh"
#include "operators/push_rows.cuh"
#include "operators/reduce.cuh"
#include "primitives/distances/findings.cuh"
#include "primitives/distances/portion.cuh"
#include "primitives/relay.cuh"

struct Problem {
  const i32* starts;   // the sources
  i64 sources;         // how many
  const i64* portion;  // of the sources, this launch's: the first, and the one after the last (portion.cuh)
  u32* left;           // 1 once a launch was left to apart.cuh, as those after it are at once; zero before
  i64 within;          // the depth beyond which nothing is searched
  u32* visited;        // a row for each vertex
  u32* held;           // two frontiers, of n rows each
  u32* alive;          // three rows in turn: the searches that found something at a level
  u32* bitmaps;        // three, of vertices in the frontier
  i64 bitmap_stride;
  vertex_t* long_lists;
  i32* long_counts;    // zero before
  i64* reached;        // the answer, as GR_PER has it (findings.cuh)
  i64* sums;
  double* harmonic;
  i32* farthest;
  i32* depths;
  u32* counts;
  i64* at;
  i64 depths_kept;
};

GR_DEVICE BitQuad* as_rows(u32* words) { return (BitQuad*)words; }
GR_DEVICE Folds folds(const Problem& p) {
  return {p.reached, p.sums, p.harmonic, p.farthest, p.depths, p.counts, p.sources, p.at, p.depths_kept};
}

// Costs in rows that are read at random. By reason, not yet by measurement: a push reads what an edge's end has
// visited, tests and writes its next row, and settles; a pull reads the neighbour's row.
constexpr float PUSH_COST = 3, PULL_COST = 1;
constexpr float OWN_COST = 0.5f;     // the row of a vertex that looks for bits, in order
constexpr float ENTRY_COST = 0.125f; // an entry of its list, and its bit of the bitmap

// True for the first thread that puts v into a bitmap.
GR_DEVICE bool activate(u32* active, vertex_t v) {
  const u32 bit = 1u << (v % 32);
  return !(load_relaxed(&active[v / 32]) & bit) && !(atomic_or(&active[v / 32], bit) & bit);
}

// With fewer searches for each level, those apart are expected to cost less: a row is then read for a bit or two,
// and a search alone reads one sector of memory for each edge, an eighth of a row and of what is read with it. By
// reason, not yet by measurement.
constexpr i64 SEARCHES_PER_LEVEL = 16;

struct Pass {  // from the frontier to its neighbours
  const BitQuad* held;
  const BitQuad* visited;
  BitQuad* next;
  u32* active;
  GR_DEVICE RowBits bits(vertex_t u, vertex_t v) { return load_row(held, u).without(load_row(visited, v)); }
  GR_DEVICE bool pass(vertex_t v, const RowBits& bits) {
    if (bits.any()) add_to_row(next, v, bits);
    return any_sharer(bits.any()) && Sharers::lane() == 0 && activate(active, v);
  }
};

struct Look {  // from a vertex to its neighbours
  const Graph& graph;
  BitQuad* visited;
  BitQuad* next;
  u32* active;
  RowBits alive;
  Findings& findings;
  u64 found = 0;  // packed size of the next frontier
  i64 open = 0;   // edges into vertices that look
  GR_DEVICE RowBits wants(vertex_t v) { return alive.without(load_row(visited, v)); }
  GR_DEVICE void finish(vertex_t v, bool there, const RowBits& bits) {
    const bool some = any_sharer(bits.any());
    findings.take(v, bits);
    if (there && Sharers::lane() == 0) open += graph.reverse.row(v).length;
    if (!some) return;
    RowBits all = load_row(visited, v);
    all.join(bits);
    store_row(visited, v, all);
    store_row(next, v, bits);
    if (Sharers::lane() != 0) return;
    bitmap_set(active, v);
    found += pack(1, u64(graph.csr.row(v).length));
  }
};

enum Phase { CLEAR, BEGIN, SETTLE, EXPAND, PUSH, PULL, LIST };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = CLEAR;
    i32 depth = 0;           // of the frontier
    u32 turns = 0;           // of the bitmaps
    u32 queue = 0;           // turns of the queues
    u32 level = 0;           // of all batches
    bool second = false;     // the frontier's rows are the second half of `held`
    bool pulled = false;     // the frontier is in the bitmap alone, and the other half of `held` is not clear
    i64 first = -1;          // source of the batch
    Size frontier = {0, 0};
    i64 open = 0;            // edges into vertices that may still be found
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    BitmapFrontier bitmap{p.bitmaps, p.bitmap_stride, control.counters, s.turns};
    u64* const tickets = control.counters + 3;
    u64* const open = control.counters + 6;  // what a pull leaves, by levels
    if (ctx.rank() == 0) {
      store_relaxed(&tickets[(s.step + 1) % 3], u64(0));
      store_relaxed(&open[(s.level + 2) % 3], u64(0));
    }
    choose(ctx, p, bitmap, open, s);
    if (leaves(p, s)) {
      if (ctx.rank() == 0) store_relaxed(p.left, 1u);
      leave_at(s, s.depth);
      return false;
    }
    ctx.show(s.phase, s.depth, s.frontier);
    switch (s.phase) {
      case CLEAR:
        if (s.first >= 0) take_in(ctx, folds(p), s.first, s.depth, s.level);
        s.first = s.first < 0 ? Portion(ctx, p.portion).first : s.first + ROW_BITS;
        if (s.first >= Portion(ctx, p.portion).end) return false;
        clear(ctx, p, bitmap, s);
        break;
      case BEGIN:
        begin(ctx, p, bitmap, s);
        break;
      case SETTLE:
        settle(ctx, p, s);
        break;
      case PUSH:
        take_in(ctx, folds(p), s.first, s.depth, s.level);
        push(ctx, p, bitmap, s);
        break;
      case PULL:
        take_in(ctx, folds(p), s.first, s.depth, s.level);
        pull(ctx, p, bitmap, &tickets[s.step % 3], open, s);
        break;
      case LIST:
        list(ctx, p, bitmap, s);
        break;
    }
    return true;
  }

 private:
  // True if the first batch of all has so many levels that its searches seldom meet: a vertex then takes part in almost
  // as many levels as there are searches, and each time its whole row is read. The next kernel begins again.
  GR_DEVICE static bool leaves(const Problem& p, const State& s) {
    if (!RELAYS) return false;
    if (s.step == 0) return load_relaxed(p.left);
    if (s.first != 0 || (s.phase != PUSH && s.phase != PULL)) return false;
    const i64 searches = p.sources < ROW_BITS ? p.sources : ROW_BITS;
    return i64(s.depth) * SEARCHES_PER_LEVEL > searches;
  }

  GR_DEVICE static BitQuad* rows(const Context& ctx, const Problem& p, bool second) {
    return as_rows(p.held) + (second ? ctx.graph.n * QUADS : 0);
  }

  // What this step does, where the step before has left that to the size of the frontier.
  GR_DEVICE static void choose(const Context& ctx, const Problem& p, const BitmapFrontier& bitmap, const u64* open,
                               State& s) {
    if (s.phase == SETTLE && s.in.count == 0) s.phase = CLEAR;
    if (s.phase == PUSH) {  // after LIST
      ++s.queue;
      s.frontier = s.in;
      s.pulled = false;
    }
    if (s.phase != EXPAND) return;
    if (s.pulled) {
      s.frontier = bitmap.size();
      s.open = i64(load_relaxed(&open[s.level % 3]));
    }
    if (s.frontier.count == 0 || i64(s.depth) >= p.within) s.phase = CLEAR;
    else if (pull_pays(ctx.graph.n, s)) s.phase = PULL;
    else s.phase = s.pulled ? LIST : PUSH;
  }
  GR_DEVICE static bool pull_pays(i64 n, const State& s) {
    const float edges = float(s.frontier.edges);
    return edges * (PUSH_COST - PULL_COST) > OWN_COST * float(n) + ENTRY_COST * float(s.open);
  }

  GR_DEVICE static void clear(Context& ctx, const Problem& p, const BitmapFrontier& bitmap, State& s) {
    const i64 n = ctx.graph.n;
    if (s.step == 0) find_longest_rows(ctx, ctx.graph.reverse, {p.long_lists, p.long_counts});
    for_each_index(ctx, n * QUADS, [&](i64 i) { as_rows(p.visited)[i] = {}; });
    for_each_index(ctx, 2 * n * QUADS, [&](i64 i) { as_rows(p.held)[i] = {}; });
    for_each_index(ctx, 3 * QUADS, [&](i64 i) { as_rows(p.alive)[i] = {}; });
    for_each_index(ctx, 3 * p.bitmap_stride, [&](i64 i) { p.bitmaps[i] = 0; });
    if (ctx.rank() == 0)
      for (int i = 0; i < 3; ++i) store_relaxed(&bitmap.sizes[i], u64(0));
    s.depth = 0;
    s.open = ctx.graph.m;
    s.frontier = {0, 0};
    s.pulled = false;
    s.phase = BEGIN;
  }

  // The sources of the batch, each with its own bit.
  GR_DEVICE static void begin(Context& ctx, const Problem& p, BitmapFrontier& bitmap, State& s) {
    u32* const active = bitmap.next();
    u32* const next = (u32*)rows(ctx, p, !s.second);
    const i64 left = Portion(ctx, p.portion).end - s.first, count = left < ROW_BITS ? left : ROW_BITS;
    Collector<V> collect(ctx, ctx.keep(s, s.queue + 1), ctx.graph.csr);
    const Partition partition(ctx, count);
    for (i64 base = partition.first(); base < count; base = partition.next(base)) {
      collect.make_room(BLOCK);
      const i64 i = base + thread_id();
      if (i >= count) continue;
      const vertex_t v = p.starts[s.first + i];
      atomic_or(&next[i64(v) * (ROW_BITS / 32) + i / 32], 1u << (i % 32));
      if (activate(active, v)) collect.push(item_t(v));
    }
    collect.flush();
    bitmap.clear_spare(ctx);
    bitmap.turn();
    s.phase = SETTLE;
  }

  // What has been passed on becomes the frontier, and the rows of the one before are cleared.
  GR_DEVICE static void settle(Context& ctx, const Problem& p, State& s) {
    BitQuad *const before = rows(ctx, p, s.second), *const now = rows(ctx, p, !s.second);
    const item_t* const old = ctx.kept(s.queue, s.frontier).queue.items;
    const item_t* const found = ctx.kept(s.queue + 1, s.in).queue.items;
    for_each_row(ctx, s.frontier.count, [&](i64 i, bool there) {
      if (there) store_row(before, old[i], {});
    });
    next_level(ctx, p, s);
    Findings findings(ctx, folds(p), s.first, s.depth);
    for_each_row(ctx, s.in.count, [&](i64 i, bool there) {
      const vertex_t v = there ? vertex_t(found[i]) : 0;
      RowBits bits;
      if (there) {
        bits = load_row(now, v);
        RowBits all = load_row(as_rows(p.visited), v);
        all.join(bits);
        store_row(as_rows(p.visited), v, all);
      }
      findings.take(v, bits);
    });
    findings.hand_on(as_rows(p.alive), s.level);
    s.second = !s.second;
    ++s.queue;
    s.frontier = s.in;
    s.phase = EXPAND;
  }

  // Of the three words of each kind, this level fills one, and the last level's is still read.
  GR_DEVICE static void next_level(Context& ctx, const Problem& p, State& s) {
    ++s.level;
    for_each_index(ctx, QUADS, [&](i64 i) { as_rows(p.alive)[(s.level + 1) % 3 * QUADS + i] = {}; });
  }

  GR_DEVICE static void push(Context& ctx, const Problem& p, BitmapFrontier& bitmap, State& s) {
    Pass pass{rows(ctx, p, s.second), as_rows(p.visited), rows(ctx, p, !s.second), bitmap.next()};
    Collector<V> collect(ctx, ctx.keep(s, s.queue + 1), ctx.graph.csr);
    push_rows(ctx, ctx.kept(s.queue, s.frontier), ctx.graph.csr, pass, collect);
    bitmap.clear_spare(ctx);
    bitmap.turn();
    ++s.depth;
    s.phase = SETTLE;
  }

  GR_DEVICE static void pull(Context& ctx, const Problem& p, BitmapFrontier& bitmap, u64* tickets, u64* open, State& s) {
    const RowBits alive = load_row(as_rows(p.alive), s.level % 3);
    next_level(ctx, p, s);
    Findings findings(ctx, folds(p), s.first, ++s.depth);
    Look look{ctx.graph, as_rows(p.visited), rows(ctx, p, !s.second), bitmap.next(), alive, findings};
    pull_rows(ctx, ctx.graph.reverse, {rows(ctx, p, s.second), bitmap.bits()}, look, tickets,
              {p.long_lists, p.long_counts}, findings.shared.joined);
    findings.hand_on(as_rows(p.alive), s.level);
    fold_grid<Sum<u64>>(ctx, look.found, bitmap.next_size());
    fold_grid<Sum<u64>>(ctx, u64(look.open), &open[s.level % 3]);
    bitmap.clear_spare(ctx);
    bitmap.turn();
    s.second = !s.second;
    s.pulled = true;
    s.phase = EXPAND;
  }

  // From the bitmap to a queue. Pushes add to rows, so rows of earlier frontiers, which pulls leave, are cleared.
  GR_DEVICE static void list(Context& ctx, const Problem& p, BitmapFrontier& bitmap, State& s) {
    BitQuad *const now = rows(ctx, p, s.second), *const other = rows(ctx, p, !s.second);
    for_each_index(ctx, ctx.graph.n * QUADS, [&](i64 i) {
      if (!bitmap_holds(bitmap.bits(), vertex_t(i / QUADS))) now[i] = {};
      other[i] = {};
    });
    bitmap_to_queue(ctx, s, bitmap.bits());
    s.queue = s.step;
    s.phase = PUSH;
  }
};
