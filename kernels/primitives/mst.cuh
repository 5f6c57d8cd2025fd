// Minimum spanning forest. Boruvka's rounds (1926): every tree chooses its lightest edge out, beginning at the
// vertices as in Vineet and others (2009).
//
// Edges are ordered by weight, ties by their ends (the smaller, then the larger). No two are equal but parallel
// edges, either of which will do. So there is one forest, and the only cycles among the trees that a round joins are
// pairs that chose the same edge. A round:
//   1. SCAN: every vertex finds its lightest edge out of its tree, and offers it to the root of the tree. Once found
//      it stays the lightest until it no longer leads out, since edges out of a tree only get fewer: few vertices
//      search again. Of a vertex's edges of the same weight the least by ends is the one to the least neighbour,
//      so weight and neighbour, in one word, give the order. Vertices without an edge out are done, and leave the
//      frontier.
//   2. TIES, if weight and ends do not fit one word (GR_PACKED 0): SCAN offered weights only; now the vertices that
//      offered the least weight offer their edge's ends.
//   3. HOOK: a root goes under the root at the other end of its edge; of two that chose the same edge the larger
//      goes. Its choice stays with it, and is an edge of the forest.
//   4. COMPRESS: every vertex goes under its root, a bounded number of hops per step, since chains of hooks may be
//      as long as the graph; the roots that are left forget their choices.
// A tree need not choose for the other trees to find their edges to it. As soon as one tree holds half of the edges'
// ends, its vertices leave the frontier: with hubs these are nearly all vertices after the first round.
// In the first round every vertex is a tree of its own, and its edge is its tree's choice.
// Options: GR_HUBS, true if some lists are much longer than others; GR_PACKED.
#pragma once
#include "core/enactor.cuh"
#include "math/edge_order.cuh"
#include "operators/compute.cuh"
#include "operators/gather.cuh"
#include "primitives/commonest_root.cuh"

struct Problem {
  vertex_t* parents;  // v's parent, v itself at first; between rounds the root of its tree
  u64* lightest;      // of v: its lightest edge out of its tree, as keyed(weight, neighbour)
  u64* choices;       // of a root: its tree's lightest edge out; of a hooked vertex: the edge it was hooked by;
                      //   as choice_of returns it, or NO_EDGE
  u32* weights;       // the chosen edge's weight_order, if its choice does not hold it; else null
  i64 least_order;    // weight_order of the graph's lightest edge
  i64 end_bits;       // bits of a vertex's number, if choices hold all of an edge
};

constexpr u64 NO_EDGE = ~u64(0);
constexpr u32 HEAVIEST = ~0u;

GR_DEVICE vertex_t neighbor_of(u64 key) { return vertex_t(key & 0xffffffffu); }
GR_DEVICE u32 weight_of(u64 key) { return u32(key >> 32); }

// The edge of v with that key: its ends and, if there is room, its weight above them [D-pack-1].
GR_DEVICE u64 choice_of(const Problem& p, vertex_t v, u64 key) {
  const u64 ends = ends_of(v, neighbor_of(key));
#if GR_PACKED
  const u64 weight = weight_of(key) - u32(p.least_order);
  return (weight << p.end_bits | u64(smaller_end(ends))) << p.end_bits | u64(larger_end(ends));
#else
  return ends;
#endif
}
GR_DEVICE u64 ends_in(const Problem& p, u64 choice) {
#if GR_PACKED
  const u64 mask = (u64(1) << p.end_bits) - 1;
  return (choice >> p.end_bits & mask) << 32 | (choice & mask);
#else
  return choice;
#endif
}

// Offers an edge out of the tree of that root. (Most offers come too late to be the least, and atomics on one
// address queue up.)
GR_DEVICE void offer(const Problem& p, vertex_t root, vertex_t v, u64 key) {
#if GR_PACKED
  const u64 mine = choice_of(p, v, key);
  if (mine < load_relaxed(&p.choices[root])) atomic_min(&p.choices[root], mine);
#else
  u32* const least = &p.weights[root];
  if (weight_of(key) < load_relaxed(least) && is_first_with(u64(u32(root)) << 32 | weight_of(key)))
    atomic_min(least, weight_of(key));
#endif
}

#if GR_HUBS
using ListTiers = HubTiers;  // [D-spread-1], [D-group-1]
#else
using ListTiers = UsualTiers;
#endif

// --- functors -------------------------------------------------------------------------------------
// For the first round: the lightest edge of every vertex is its tree's.
struct FirstEdge : GatherFunctor {
  static constexpr bool PEEKS = true;
  using Carry = weight_t;
  const Problem& p;
  const weight_t* values;
  GR_DEVICE FirstEdge(const Problem& problem, const weight_t* weights) : p(problem), values(weights) {}
  GR_DEVICE weight_t fetch(edge_t e) { return load_constant(&values[e]); }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t, weight_t) { return u != v; }
  GR_DEVICE u64 value(vertex_t u, vertex_t, edge_t, weight_t weight) {
    return keyed(weight_order(weight), u32(u));
  }
  GR_DEVICE bool finish(vertex_t v, u64 least) {
    p.choices[v] = least == NO_EDGE ? NO_EDGE : choice_of(p, v, least);
    if (!GR_PACKED) p.weights[v] = weight_of(least);
    return false;
  }
};

// Finds a new lightest edge out of the tree for every vertex whose last one no longer leads out, and offers it
// to the tree's root. The root at an edge's other end is only loaded if the edge is no heavier than the best
// that this thread has found for v [D-carry-1]. Keeps the vertices that have an edge out.
struct LightestOut : GatherFunctor {
  static constexpr bool PEEKS = true;
  using Carry = weight_t;
  const Problem& p;
  const weight_t* values;
  vertex_t common;  // root of the tree that does not choose, or -1
  bool all;         // nothing is known from an earlier round
  vertex_t reader = -1, root = -1;  // the vertex whose list this thread folds, its root, and the least weight there
  u32 least = HEAVIEST;
  GR_DEVICE LightestOut(const Problem& problem, const weight_t* weights, vertex_t left_out, bool anew)
      : p(problem), values(weights), common(left_out), all(anew) {}
  GR_DEVICE bool wants(vertex_t v) {
    const vertex_t root = p.parents[v];
    if (root == common) return false;
    return all || p.parents[neighbor_of(p.lightest[v])] == root;
  }
  GR_DEVICE bool passes(vertex_t v) {
    const vertex_t root = p.parents[v];
    if (root == common) return false;
    offer(p, root, v, p.lightest[v]);
    return true;
  }
  GR_DEVICE weight_t fetch(edge_t e) { return load_constant(&values[e]); }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t, weight_t weight) {
    if (v != reader) {
      reader = v;
      root = p.parents[v];
      least = HEAVIEST;
    }
    const vertex_t asked = weight_order(weight) <= least ? u : v;  // without a branch, so that loads overlap
    return p.parents[asked] != root;
  }
  GR_DEVICE u64 value(vertex_t u, vertex_t, edge_t, weight_t weight) {
    const u32 order = weight_order(weight);
    least = order < least ? order : least;
    return keyed(order, u32(u));
  }
  GR_DEVICE bool finish(vertex_t v, u64 lightest) {
    p.lightest[v] = lightest;
    if (lightest == NO_EDGE) return false;
    offer(p, p.parents[v], v, lightest);
    return true;
  }
};

// --- the enactor ----------------------------------------------------------------------------------
constexpr int HOPS = 8;             // hops of a vertex towards its root in a step
constexpr int HALF = SAMPLES / 2;   // a tree with so many samples may be left out
constexpr i64 MANY = 16;            // if more than one vertex in so many is in the frontier

enum Phase { SCAN, TIES, HOOK, COMPRESS };

// Passes over the whole graph, and a queue that outlives a step: not for a single block.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = SCAN;
    i32 round = 0;
    u32 turn = 0;            // of the frontier, which outlives the steps of a round
    Size frontier = {0, 0};
    vertex_t common = -1;    // root of the tree that does not choose; it stays a root
  };
  enum { UNFINISHED };  // two of Control::counters in turn: the last step that left a vertex on its way

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
        s.phase = s.round == 0 || GR_PACKED ? HOOK : TIES;
        break;
      case TIES:
        s.frontier = s.in;
        ctx.show(TIES, s.round, i64(s.frontier.count), 0);
        if (s.frontier.count == 0) return false;
        for_each_item(ctx, ctx.kept(s.turn, s.frontier), [&](i64, item_t v) { resolve_tie(p, v); });
        s.phase = HOOK;
        break;
      case HOOK:
        if (GR_PACKED) s.frontier = s.in;
        if (s.round > 0 && s.frontier.count == 0) {
          ctx.show(HOOK, s.round, 0, 0);
          return false;
        }
        ctx.show(HOOK, s.round, n, 0);
        hook_roots(ctx, p);
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

  // The vertices whose tree may have edges out; in the second round, all vertices.
  GR_DEVICE static ListedOrRange<item_t> live(const Context& ctx, const State& s) {
    if (s.round < 2) return {nullptr, ctx.graph.n};
    return {ctx.kept(s.turn, s.frontier).queue.items, i64(s.frontier.count)};
  }

  GR_DEVICE static void scan(Context& ctx, const Problem& p, State& s) {
    const Csr& csr = ctx.graph.csr;
    const ListedOrRange<item_t> who = live(ctx, s);
    ctx.show(SCAN, s.round, who.count, s.round < 2 ? ctx.graph.m : 0);
    if (s.round == 0) {
      gather<ArgMin, ListTiers>(ctx, s, Range{ctx.graph.n}, csr, FirstEdge(p, csr.values));
      return;
    }
    if (s.common < 0 && MANY * who.count > ctx.graph.n) {
      const Sample sample = commonest(ctx, p.parents);
      if (sample.count >= HALF) s.common = sample.root;
    }
    ++s.turn;
    gather<ArgMin, ListTiers, Kind::plain>(ctx, ctx.keep(s, s.turn), who, csr,
                                           LightestOut(p, csr.values, s.common, s.round == 1));
  }

  GR_DEVICE static void resolve_tie(const Problem& p, vertex_t v) {
    const vertex_t root = p.parents[v];
    const u64 mine = p.lightest[v];
    if (weight_of(mine) != p.weights[root]) return;
    const u64 ends = ends_of(v, neighbor_of(mine));
    if (ends < load_relaxed(&p.choices[root])) atomic_min(&p.choices[root], ends);
  }

  GR_DEVICE static void hook_roots(Context& ctx, const Problem& p) {
    constexpr int BATCH = 4;  // few are roots: several are tested at once
    const i64 n = ctx.graph.n;
    const Partition partition(ctx, n);
    for (i64 base = partition.mine(); base < n; base = partition.next<BATCH>(base)) {
      vertex_t at[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const i64 v = base + k * partition.stride();
        at[k] = v < n ? load_relaxed(&p.parents[v]) : -1;
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (at[k] == vertex_t(base + k * partition.stride())) hook(p, at[k]);
    }
  }

  // A root writes only its own cell. It may find the other end's root already hooked, and then goes under that
  // root's parent, in the same tree. That parent can be the root itself only if both chose the same edge.
  GR_DEVICE static void hook(const Problem& p, vertex_t root) {
    const u64 choice = p.choices[root], ends = ends_in(p, choice);
    if (choice == NO_EDGE) return;
    const vertex_t one = load_relaxed(&p.parents[smaller_end(ends)]);
    const vertex_t other = one != root ? one : load_relaxed(&p.parents[larger_end(ends)]);
    if (p.choices[other] == choice && root <= other) return;
    store_relaxed(&p.parents[root], other);
  }

  // A vertex writes only its own cell, and no root changes meanwhile. `unfinished` records the step if a vertex
  // is not under its root at its end. Most vertices are: several are tested at once [D-ask-1].
  GR_DEVICE static void compress(Context& ctx, const Problem& p, u64* unfinished, u32 step) {
    constexpr int BATCH = 4;
    const i64 n = ctx.graph.n;
    const Partition partition(ctx, n);
    for (i64 base = partition.mine(); base < n; base = partition.next<BATCH>(base)) {
      vertex_t at[BATCH], next[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const i64 v = base + k * partition.stride();
        at[k] = v < n ? load_relaxed(&p.parents[v]) : -1;
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) next[k] = at[k] < 0 ? -1 : load_relaxed(&p.parents[at[k]]);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (at[k] < 0) continue;
        if (!climb(p, vertex_t(base + k * partition.stride()), at[k], next[k]))
          store_relaxed(unfinished, u64(step));
      }
    }
  }

  // Climbs from `at`, v's parent, whose own parent is `next`. True when v is under its root.
  GR_DEVICE static bool climb(const Problem& p, vertex_t v, vertex_t at, vertex_t next) {
    if (at == v) {
      p.choices[v] = NO_EDGE;
      if (!GR_PACKED) p.weights[v] = HEAVIEST;
      return true;
    }
    if (at == next) return true;
    for (int hop = 0; hop < HOPS && at != next; ++hop) {
      at = next;
      next = load_relaxed(&p.parents[at]);
    }
    store_relaxed(&p.parents[v], at);
    return at == next;
  }
};
