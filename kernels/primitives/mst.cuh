// Minimum spanning forest. Boruvka's rounds (1926), every tree choosing its lightest edge out, from the
// vertices as in Vineet and others (2009).
//
// Edges are ordered by weight, ties by their ends (the smaller, then the larger). No two are equal but
// twins, of which either does, so there is one forest, and the trees that a round joins form no cycle but
// pairs that chose the same edge. A round:
//   1. SCAN: every vertex finds its lightest edge out of its tree. Once found it stays the lightest until
//      it no longer leads out, since edges out of a tree only get fewer: few vertices look again. Of one
//      vertex's edges of a weight the least by ends is the one to the least neighbour, so that weight and
//      neighbour, in one word, are its order.
//   2. OFFER: those that have one offer its weight to the root of their tree; the others are done with,
//      and leave the frontier.
//   3. TIES: of those that offered what became the least, the ends.
//   4. HOOK: a root goes under the root at the other end of its edge; of two that chose the same edge the
//      larger. What it chose stays with it, and is an edge of the forest.
//   5. COMPRESS: every vertex goes under its root, a bounded number of hops a step, since chains of hooks
//      may be as long as the graph; the roots that are left forget what they chose.
// A tree need not choose for the others to find their edges to it. As soon as one holds half of the
// edges' ends, its vertices leave the frontier: with hubs that is nearly all after the first round.
// In the first round every vertex is a tree of its own, and SCAN settles what OFFER and TIES would.
// Options: GR_HUBS, whether some lists are much longer than others.
#pragma once
#include "core/enactor.cuh"
#include "math/edge_order.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "primitives/commonest_root.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first; between rounds the root of its tree
  u64* lightest;      // of v: its lightest edge out of its tree, as keyed(weight, neighbour)
  u32* weights;       // of a root: weight_order of its tree's lightest edge out; of one that was hooked,
  u64* ends;          //   of the edge that it was hooked by. The ends of that edge; NO_EDGE: none
};

constexpr u64 NO_EDGE = ~u64(0);
constexpr u32 HEAVIEST = ~0u;

GR_DEVICE vertex_t neighbor_of(u64 key) { return vertex_t(key & 0xffffffffu); }
GR_DEVICE u32 weight_of(u64 key) { return u32(key >> 32); }

using ListTiers = Tiers<32, 4096, 4, GR_HUBS ? SECTOR : 0>;  // [D-spread-1]

// --- functors -------------------------------------------------------------------------------------
// The first round's: the lightest edge of every vertex is that of a tree.
struct FirstEdge : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const weight_t* values;
  GR_DEVICE FirstEdge(const Problem& problem, const weight_t* weights) : p(problem), values(weights) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return u != v; }
  GR_DEVICE u64 value(vertex_t u, edge_t e) {
    return keyed(weight_order(load_constant(&values[e])), u32(u));
  }
  GR_DEVICE bool finish(vertex_t v, u64 least) {
    p.weights[v] = weight_of(least);
    p.ends[v] = least == NO_EDGE ? NO_EDGE : ends_of(v, neighbor_of(least));
    return false;
  }
};

// The lightest edge out of its tree of every vertex whose last one no longer is.
struct LightestOut : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const weight_t* values;
  vertex_t common;  // root of the tree that does not choose, or -1
  bool all;         // nothing is known from an earlier round
  GR_DEVICE LightestOut(const Problem& problem, const weight_t* weights, vertex_t left_out, bool anew)
      : p(problem), values(weights), common(left_out), all(anew) {}
  GR_DEVICE bool wants(vertex_t v) {
    const vertex_t root = p.parents[v];
    if (root == common) return false;
    return all || p.parents[neighbor_of(p.lightest[v])] == root;
  }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return p.parents[u] != p.parents[v]; }
  GR_DEVICE u64 value(vertex_t u, edge_t e) {
    return keyed(weight_order(load_constant(&values[e])), u32(u));
  }
  GR_DEVICE bool finish(vertex_t v, u64 least) {
    p.lightest[v] = least;
    return false;
  }
};

// Keeps the vertices that have an edge out of their tree, which is offered to the root.
struct Offer : VertexFunctor {
  const Problem& p;
  vertex_t common;
  GR_DEVICE Offer(const Problem& problem, vertex_t left_out) : p(problem), common(left_out) {}
  GR_DEVICE bool visit(item_t v) {
    const vertex_t root = p.parents[v];
    if (root == common) return false;
    const u64 mine = p.lightest[v];
    if (mine == NO_EDGE) return false;
    // Large trees have thousands of offers at once, and atomics on one address queue up.
    u32* const least = &p.weights[root];
    if (weight_of(mine) < load_relaxed(least) && is_first_with(u64(u32(root)) << 32 | weight_of(mine)))
      atomic_min(least, weight_of(mine));
    return true;
  }
};

// --- the enactor ----------------------------------------------------------------------------------
constexpr int HOPS = 8;             // towards the root that a vertex makes in a step
constexpr int HALF = SAMPLES / 2;   // samples of one tree from which on it is left out

enum Phase { SCAN, OFFER, TIES, HOOK, COMPRESS };

struct Enactor {
  struct State : LoopState {
    i32 phase = SCAN;
    i32 round = 0;
    u32 turn = 0;            // of the frontier, which outlives the steps of a round
    Size frontier = {0, 0};
    vertex_t common = -1;    // root of the tree that does not choose; a root for good
  };
  enum { UNFINISHED };  // two of Control::counters in turn: the step that left a vertex on its way

  // Passes over the whole graph, and a queue that outlives a step: nothing for one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    if (ctx.graph.m == 0) {
      ctx.show(SCAN, 0, n, 0);
      return false;
    }
    if (s.phase == SCAN && left_unfinished(control, s)) {
      s.phase = COMPRESS;
      --s.round;
    }
    switch (s.phase) {
      case SCAN:
        scan(ctx, p, s);
        s.phase = s.round == 0 ? HOOK : OFFER;
        break;
      case OFFER:
        ctx.show(OFFER, s.round, live(ctx, s).count, 0);
        offer(ctx, p, s);
        ++s.turn;
        s.phase = TIES;
        break;
      case TIES:
        s.frontier = s.in;
        ctx.show(TIES, s.round, i64(s.frontier.count), 0);
        if (s.frontier.count == 0) return false;
        for_each_item(ctx, ctx.kept(s.turn, s.frontier), [&](i64, item_t v) { settle_tie(p, v); });
        s.phase = HOOK;
        break;
      case HOOK:
        ctx.show(HOOK, s.round, n, 0);
        for_each_index(ctx, n, [&](i64 v) { hook(p, vertex_t(v)); });
        s.phase = COMPRESS;
        break;
      case COMPRESS:
        ctx.show(COMPRESS, s.round, n, 0);
        compress(ctx, p, &control.counters[UNFINISHED + s.step % 2], s.step);
        s.phase = SCAN;
        ++s.round;
        break;
    }
    return true;
  }

 private:
  GR_DEVICE static bool left_unfinished(const Control& control, const State& s) {
    const u32 before = s.step - 1;
    return s.round > 0 && load_relaxed(&control.counters[UNFINISHED + before % 2]) == before;
  }

  // Those whose tree may have edges out: in the second round nothing is known yet of anyone.
  GR_DEVICE static ListedOrRange<item_t> live(const Context& ctx, const State& s) {
    if (s.round < 2) return {nullptr, ctx.graph.n};
    return {ctx.kept(s.turn, s.frontier).queue.items, i64(s.frontier.count)};
  }

  GR_DEVICE static void scan(Context& ctx, const Problem& p, State& s) {
    const Csr& csr = ctx.graph.csr;
    ctx.show(SCAN, s.round, live(ctx, s).count, s.round < 2 ? ctx.graph.m : 0);
    if (s.round == 0) {
      gather<ArgMin, ListTiers>(ctx, s, Range{ctx.graph.n}, csr, FirstEdge(p, csr.values));
      return;
    }
    if (s.common < 0) {
      const Sample sample = commonest(ctx, p.parents);
      if (sample.count >= HALF) s.common = sample.root;
    }
    gather<ArgMin, ListTiers>(ctx, s, live(ctx, s), csr, LightestOut(p, csr.values, s.common, s.round == 1));
  }

  GR_DEVICE static void offer(Context& ctx, const Problem& p, const State& s) {
    Offer offer(p, s.common);
    filter<Kind::plain>(ctx, live(ctx, s), ctx.keep(s, s.turn + 1), ctx.graph.csr, offer);
  }

  GR_DEVICE static void settle_tie(const Problem& p, vertex_t v) {
    const vertex_t root = p.parents[v];
    const u64 mine = p.lightest[v];
    if (weight_of(mine) != p.weights[root]) return;
    const u64 ends = ends_of(v, neighbor_of(mine));
    if (ends < load_relaxed(&p.ends[root])) atomic_min(&p.ends[root], ends);
  }

  // A root writes its own cell only. It may find the other end's root hooked already, and then goes under
  // what that went under: the same tree. That cannot be itself unless both chose the same edge.
  GR_DEVICE static void hook(const Problem& p, vertex_t root) {
    if (load_relaxed(&p.parents[root]) != root || p.ends[root] == NO_EDGE) return;
    const u64 ends = p.ends[root];
    const vertex_t one = load_relaxed(&p.parents[smaller_end(ends)]);
    const vertex_t other = one != root ? one : load_relaxed(&p.parents[larger_end(ends)]);
    if (p.ends[other] == ends && root <= other) return;
    store_relaxed(&p.parents[root], other);
  }

  // A vertex writes its own cell only, and no root changes meanwhile. `unfinished` learns of the step
  // if a vertex is not under its root by the end of it.
  GR_DEVICE static void compress(Context& ctx, const Problem& p, u64* unfinished, u32 step) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      vertex_t at = load_relaxed(&p.parents[v]), next = load_relaxed(&p.parents[at]);
      if (at == v) {
        p.ends[v] = NO_EDGE;
        p.weights[v] = HEAVIEST;
        return;
      }
      if (at == next) return;
      for (int hop = 0; hop < HOPS && at != next; ++hop) {
        at = next;
        next = load_relaxed(&p.parents[at]);
      }
      store_relaxed(&p.parents[v], at);
      if (at != next) store_relaxed(unfinished, u64(step));
    });
  }
};
