// Maximal matching, locally dominant. Preis (1999); Manne and Bisseling (2007); on GPUs Halappanavar and others
// (2012).
//
// Edges are ordered: the heaviest first (GR_BY_WEIGHT), then by a random rank, then by their ends. Every free vertex
// points along its foremost edge to a free neighbour; two that point at each other are matched. This finds any edge
// that comes before all edges that touch it. So the matching is that of a greedy walk through all edges in order,
// whatever the timing.
//   1. POINT: the vertices of the frontier, all at first, find whom to point at.
//   2. PAIR: every vertex checks whether its target points back, and if so is matched; if its target is matched
//      with another vertex, it enters the next frontier. If few vertices have a new target, instead:
//   2. MATCH: those of them whose targets point back are matched; both ends enter the frontier.
//   3. RELEASE: the neighbours that pointed at one of these, and were left, are the next frontier.
// All other vertices keep their targets: the frontier is what changes. If a chain of edges has to be matched one
// after the other, a single core does it; on a GPU it takes steps of the grid [D-alone-1].
// Options: GR_BY_WEIGHT; GR_HUBS, true if some lists are much longer than others.
#pragma once
#include "core/enactor.cuh"
#include "math/edge_order.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"

struct Problem {
  vertex_t* mates;    // -1: free
  vertex_t* targets;  // the vertex that a vertex points at; -1: no neighbour is free
  i64 seed;
};

// --- the order ------------------------------------------------------------------------------------
// An edge of a vertex: its key in the order, least first, and the neighbour. Edges at one vertex with the same
// key are ordered by the neighbours, which gives the same order as their ends.
struct Choice {
  u64 key = ~u64(0);
  vertex_t u = -1;  // -1: none
};

struct Foremost {
  using Value = Choice;
  using Total = Choice;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Choice zero() { return {}; }
  GR_DEVICE static Choice nothing() { return {}; }
  GR_DEVICE static void join(Choice& a, const Choice& b) {
    if (b.key < a.key || (b.key == a.key && u32(b.u) < u32(a.u))) a = b;
  }
  GR_DEVICE static void add(Choice& total, const Choice& x) { join(total, x); }
  GR_DEVICE static Choice widen(const Choice& x) { return x; }
  GR_DEVICE static void merge(Choice& total, const Choice& x) { join(total, x); }
  GR_DEVICE static Choice exchange(const Choice& x, int distance) {
    return {warp_exchange(x.key, distance), warp_exchange(x.u, distance)};
  }
};

#if GR_HUBS
using ListTiers = Tiers<8, 4096, 8, SECTOR, 128>;  // [D-spread-1], [D-group-1], [D-batch-1]
using WideTiers = Tiers<8, 4096, 8, 0, 128, true>;  // for many vertices, none of which is kept [D-draw-1]
#else
using ListTiers = UsualTiers;
#endif

// --- functors -------------------------------------------------------------------------------------
// The common part of the functors with which a vertex looks for a target.
struct Pointing : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  bool first;  // all vertices are free
  bool keeps;  // keeps the vertices that have found a target
  GR_DEVICE Pointing(const Problem& problem, bool all_free, bool fills)
      : p(problem), first(all_free), keeps(fills) {}

  GR_DEVICE u32 random(vertex_t u, vertex_t v) const { return random_rank(ends_of(u, v), u32(p.seed)); }
  GR_DEVICE bool finish(vertex_t v, const Choice& best) {
    store_relaxed(&p.targets[v], best.u);  // with parallel edges a vertex may be there twice
    return keeps && best.u >= 0;
  }
};

#if GR_BY_WEIGHT
// Weights are loaded with the neighbours. A neighbour's mate is only loaded if its edge may come before the
// best that this thread has found for v, which is seldom in a long list [D-carry-1]. Ranks among edges of one
// weight are only computed for the heaviest of a few edges at once [D-sieve-1].
struct Point : Pointing {
  static constexpr bool FOLDS = true;
  using Carry = weight_t;
  const weight_t* values;
  GR_DEVICE Point(const Problem& problem, const weight_t* weights, bool all_free, bool fills)
      : Pointing(problem, all_free, fills), values(weights) {}

  GR_DEVICE weight_t fetch(edge_t e) { return load_constant(&values[e]); }
  template <int COUNT>
  GR_DEVICE void fold(vertex_t v, const vertex_t (&u)[COUNT], const weight_t (&weight)[COUNT],
                      const bool (&there)[COUNT], Choice& best) const {
    u32 rank[COUNT];  // not 0 of an edge, as no weight is negative
    GR_UNROLL
    for (int k = 0; k < COUNT; ++k) rank[k] = there[k] & (u[k] != v) ? weight_order(weight[k]) : 0;
    u32 heaviest = ~u32(best.key >> 32);
    if (!first) rule_out_matched(u, heaviest, rank);
    GR_UNROLL
    for (int k = 0; k < COUNT; ++k) heaviest = rank[k] > heaviest ? rank[k] : heaviest;
    u32 alike = 0;
    GR_UNROLL
    for (int k = 0; k < COUNT; ++k) alike |= u32(rank[k] == heaviest) << k;
    for (u32 left = heaviest ? alike : 0; left; left &= left - 1) {
      const vertex_t other = pick(u, lowest_bit(left));
      Foremost::add(best, {u64(~heaviest) << 32 | random(other, v), other});
    }
  }

 private:
  // Sets the ranks, at least `least`, of edges to matched neighbours to 0.
  template <int COUNT>
  GR_DEVICE void rule_out_matched(const vertex_t (&u)[COUNT], u32 least, u32 (&rank)[COUNT]) const {
    vertex_t mate[COUNT];
    GR_UNROLL
    for (int k = 0; k < COUNT; ++k) {  // without a branch, so several at once [D-branch-1]
      const bool asked = (rank[k] >= least) & (rank[k] > 0);
      mate[k] = load_cached_if(asked, &p.mates[u[k]], asked ? -1 : 0);
    }
    GR_UNROLL
    for (int k = 0; k < COUNT; ++k) rank[k] = mate[k] < 0 ? rank[k] : 0;
  }
  // u[place], chosen without an index, so that u stays in registers.
  template <int COUNT>
  GR_DEVICE static vertex_t pick(const vertex_t (&u)[COUNT], int place) {
    vertex_t found = u[0];
    GR_UNROLL
    for (int k = 1; k < COUNT; ++k) found = place == k ? u[k] : found;
    return found;
  }
};
#else
// Tests if an edge may be its vertex's choice, by the other end's mate or a word that stands for one.
struct OtherEnd {
  vertex_t mate;
  GR_DEVICE explicit operator bool() const { return mate < 0; }
};

// A neighbour's mate is only loaded if its edge may come before the best that this thread has found for v.
struct Point : Pointing {
  vertex_t reader = -1;  // the vertex whose list this thread folds, and its best key
  u64 best = ~u64(0);
  GR_DEVICE Point(const Problem& problem, const weight_t*, bool all_free, bool fills)
      : Pointing(problem, all_free, fills) {}

  // Several mates are loaded together [D-branch-1].
  GR_DEVICE OtherEnd peek(bool inside, vertex_t u, vertex_t v, edge_t) {
    best = v == reader ? best : ~u64(0);
    reader = v;
    const bool promises = inside & (u != v) & (u64(random(u, v)) <= best);
    return {load_cached_if(promises & !first, &p.mates[u], promises ? -1 : 0)};
  }
  GR_DEVICE Choice value(vertex_t u, edge_t) {
    const u64 key = random(u, reader);
    if (key < best) best = key;
    return {key, u};
  }
};
#endif

// The vertices of a frontier, and the vertices that they point at.
struct WithTargets {
  const item_t* items;
  const vertex_t* targets;
  i64 count;  // two for each item
  GR_DEVICE item_t at(i64 i) const {
    const item_t v = items[i / 2];
    return i % 2 ? item_t(targets[v]) : v;
  }
  GR_DEVICE bool holds(item_t) const { return true; }
};

// Matches a vertex whose target points back. Keeps it once, though it may also be there as a target.
struct Match : VertexFunctor {
  const Problem& p;
  GR_DEVICE explicit Match(const Problem& problem) : p(problem) {}
  GR_DEVICE bool visit(item_t v) {
    const vertex_t target = p.targets[v];
    if (p.targets[target] != v || load_relaxed(&p.mates[v]) >= 0) return false;
    return atomic_cas(&p.mates[v], -1, target) < 0;
  }
};

// From a vertex that was just matched: keeps the neighbours that pointed at it, except its mate.
struct ReleaseNeighbors : EdgeFunctor {
  const Problem& p;
  GR_DEVICE explicit ReleaseNeighbors(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t) { return p.targets[d] == s; }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) { return p.mates[s] != d; }
};

// Matches a vertex whose target points back; keeps one whose target is matched with another [D-pair-1].
struct FindPair : VertexFunctor {
  const Problem& p;
  GR_DEVICE explicit FindPair(const Problem& problem) : p(problem) {}
  GR_DEVICE bool visit(item_t v) {
    const vertex_t target = p.targets[v];
    if (target < 0 || p.mates[v] >= 0) return false;
    const vertex_t its = p.targets[target];
    if (its == v) p.mates[v] = target;
    return its != v && its >= 0 && p.targets[its] == target;
  }
};

// --- the enactor ----------------------------------------------------------------------------------
enum Phase { POINT, PAIR, MATCH, RELEASE };

struct Enactor {
  struct State : LoopState {
    i32 phase = POINT;
    i32 round = 0;
  };

  // MATCH queues at most the vertices and as many targets. (On a GPU the code for a single block would take
  // registers that the walk of lists needs [D-alone-1].)
  GR_DEVICE static bool fits_block(const State& s) {
    if (WARP > 1 || s.phase == PAIR) return false;
    if (s.phase == MATCH) return 2 * i64(s.in.count) <= SINGLE_BLOCK_CAPACITY;
    return s.round > 0;
  }

  // True if a frontier's neighbourhood is so large that all vertices should be asked.
  GR_DEVICE static bool is_wide(const Size& in, i64 n) { return 32 * i64(in.count) > n || i64(in.edges) > n; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    const i64 n = ctx.graph.n;
    const bool first = s.round == 0 && s.phase == POINT;
    const Size size = first ? Size{u32(n), u64(ctx.graph.m)} : s.phase == PAIR ? Size{u32(n), 0} : s.in;
    ctx.show(s.phase, s.round, size);
    if (size.count == 0) return false;
    switch (s.phase) {
      case POINT: {
        const bool wide = first || is_wide(s.in, n);
        s.phase = wide ? PAIR : MATCH;
#if GR_HUBS
        if (wide) {
          gather<Foremost, WideTiers>(ctx, s, candidates(ctx, s, first), csr,
                                      Point(p, csr.values, first, false), WideTiers{&control.counters[0]});
          break;
        }
#endif
        gather<Foremost, ListTiers, V>(ctx, s, candidates(ctx, s, first), csr,
                                       Point(p, csr.values, first, !wide));
        break;
      }
      case PAIR:
        if (ctx.rank() == 0) control.counters[0] = 0;  // nobody takes tickets in this step
        filter<V>(ctx, s, Range{n}, csr, FindPair(p));
        s.phase = POINT;
        ++s.round;
        break;
      case MATCH:
        filter<V>(ctx, s, WithTargets{ctx.in(s).queue.items, p.targets, 2 * i64(s.in.count)}, csr,
                  Match(p));
        s.phase = RELEASE;
        break;
      case RELEASE:
        advance<V, V>(ctx, s, ReleaseNeighbors(p));
        s.phase = POINT;
        ++s.round;
        break;
    }
    return true;
  }
};
