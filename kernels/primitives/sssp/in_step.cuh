// Single-source shortest paths. Gunrock, section 5.2; Davidson's near-far pile; delta-stepping
// (Meyer and Sanders).
//
// A step relaxes the edges of the near slice: atomicMin on the neighbour's distance. A vertex that
// got closer enters the next near slice, once a step, if its distance is below the threshold; at the
// threshold or beyond it is far. The far pile holds each vertex that was first reached beyond the
// threshold of its time, once, and always every vertex whose distance is beyond the present one, so
// that getting closer within far needs no entry of its own. When the near slice is empty, one step
// moves the threshold on by delta and splits the pile; where that finds nothing near, the next split
// starts from the least distance in the pile, so that empty buckets cost one step together.
//
// Predecessors are found afterwards, from distances that are final: one pull, each vertex looking
// for an in-edge that explains its distance. Strictly closer parents cannot form a cycle. Equally
// distant ones (zero weights, or weights that vanish in rounding) are taken only after they have a
// parent themselves, in as many pulls as the longest chain of them has edges.
//
// Not fused, the relaxations are a step by themselves, which keeps every end that got closer, and a filter
// of these is the next: it drops those that the next near slice has already, and tells near from far.
//
// Options: GR_PRIORITY_QUEUE, GR_MARK_PRED, GR_REDUNDANCY (of enum Redundancy), GR_FUSION,
// GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/priority_queue.cuh"
#include "operators/pull.cuh"
#include "math/distance.cuh"

struct Problem {
  weight_t* distances;  // UNREACHED, or the least found so far
  u32* queued;          // queue-id: the step that last queued a vertex; bitmap: two bitmaps in turn
  i64 bitmap_stride;    // words
  item_t* far;          // two piles of n places
  vertex_t* preds;      // or null
  u32* bitmap;          // of the vertices that have a predecessor
  u32* out_of_range;    // one word: a path was too long for weight_t
  i64 source;
  weight_t delta;
};

constexpr bool PRIORITY_QUEUE = GR_PRIORITY_QUEUE, MARK_PRED = GR_MARK_PRED;
constexpr bool CHECK_RANGE = GR_CHECK_RANGE, FUSED = GR_FUSION;
enum Redundancy { QUEUE_ID, BITMAP, ALLOW };
constexpr Redundancy REDUNDANCY = Redundancy(GR_REDUNDANCY);

struct Relax : EdgeFunctor {
  struct Carry {
    weight_t from, by, seen;  // distance of s, the edge's weight, distance of d
  };
  const Problem& p;
  const weight_t* weights;
  weight_t threshold;
  u32 step;

  GR_DEVICE Relax(const Problem& problem, const weight_t* values, weight_t upper, u32 number)
      : p(problem), weights(values), threshold(upper), step(number) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.seen = load_relaxed(&p.distances[d]);
    carry.from = load_relaxed(&p.distances[s]);
    carry.by = load_constant(&weights[e]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) {
    const weight_t reach = longer(carry.from, carry.by);
    if constexpr (CHECK_RANGE)
      if (!closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return closer(reach, carry.seen);
  }

  // Whoever gets here found d's distance improvable in this step, and when the step is over it has
  // been improved, be it by another thread. So the first to claim d may queue it without waiting to
  // hear whether its own atomicMin came first: two independent atomics, not a chain.
  GR_DEVICE Slice visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    const weight_t reach = longer(carry.from, carry.by);
    const bool far = PRIORITY_QUEUE && !closer(reach, threshold);
    if constexpr (!FUSED) {
      const weight_t before = atomic_min(&p.distances[d], reach);
      return far ? (before == UNREACHED ? FAR : DROP) : closer(reach, before) ? NEAR : DROP;
    }
    if (far) return atomic_min(&p.distances[d], reach) == UNREACHED ? FAR : DROP;
    if (REDUNDANCY == ALLOW)
      return closer(reach, atomic_min(&p.distances[d], reach)) ? NEAR : DROP;
    atomic_min(&p.distances[d], reach);
    return claims(d) ? NEAR : DROP;
  }

  GR_DEVICE bool claims(vertex_t d) const {
    if (REDUNDANCY == QUEUE_ID) return atomic_exchange(&p.queued[d], step) != step;
    const u32 bit = 1u << (d % 32);
    return !(atomic_or(&bitmap(step)[d / 32], bit) & bit);
  }
  GR_DEVICE u32* bitmap(u32 number) const { return p.queued + number % 2 * p.bitmap_stride; }
};

// The filter, where it is a step of its own. What was first reached beyond the threshold comes once; if it
// was then found to be nearer in the same step, it comes as near, too, and is far no more.
struct Sift {
  const Relax& relaxed;
  GR_DEVICE Slice visit(item_t v) {
    const weight_t distance = load_relaxed(&relaxed.p.distances[v]);
    if (PRIORITY_QUEUE && !closer(distance, relaxed.threshold)) return FAR;
    return REDUNDANCY == ALLOW || relaxed.claims(vertex_t(v)) ? NEAR : DROP;
  }
};

struct FindPredecessor {
  const Graph& graph;
  const Problem& p;

  GR_DEVICE bool wants(vertex_t v) {
    return p.preds[v] == -1 && v != p.source && p.distances[v] != UNREACHED;
  }
  GR_DEVICE bool peek(vertex_t s, vertex_t v, edge_t e) {
    const weight_t from = p.distances[s], to = p.distances[v];
    if (longer(from, load_constant(&graph.reverse.values[e])) != to) return false;
    return closer(from, to) || s == p.source || load_relaxed(&p.preds[s]) != -1;
  }
  GR_DEVICE void apply(vertex_t s, vertex_t v, edge_t) { store_relaxed(&p.preds[v], s); }
};

enum Phase { BEGIN, RELAX, SPLIT, PREDECESSORS, FILTER };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 iteration = 0;
    u32 turns = 0;          // of the far piles
    weight_t threshold = 0; // near ends here
    bool just_split = false; // whether the step before was a split
    bool all_candidates = true;  // no list of vertices without predecessor yet
    i64 far = 0;            // in the pile at the last split
  };
  enum { FOUND = FarPiles::COUNTERS };  // of Control::counters, after the piles'

  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == PREDECESSORS) return false;
    if (!FUSED && s.phase == FILTER) return true;
    return (s.phase == RELAX && s.in.count > 0) || s.far <= SOLO_EDGES;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    FarPiles far{p.far, ctx.graph.n, control.counters, s.turns};
    if (s.phase == BEGIN) {
      ctx.show(BEGIN, 0, s.in);
      seed<V>(ctx, s, item_t(p.source));
      if (ctx.rank() == 0) far.reset();
      s.threshold = PRIORITY_QUEUE ? p.delta : UNREACHED;
      s.phase = RELAX;
      return true;
    }
    if (!FUSED && s.phase == FILTER) {
      ctx.show(FILTER, s.iteration, s.in);
      const Relax relaxed(p, ctx.graph.csr.values, s.threshold, s.step);
      filter_near_far<V>(ctx, s, far, Sift{relaxed});
      s.phase = RELAX;
      return true;
    }
    if (s.phase == RELAX && s.in.count > 0) {
      ctx.show(RELAX, s.iteration, s.in);
      relax(ctx, p, far, s);
      return true;
    }
    if (PRIORITY_QUEUE && s.phase != PREDECESSORS) {
      s.phase = SPLIT;
      s.far = far.size();
      if (s.far > SOLO_EDGES && ctx.solo) return true;  // not here: the grid shall do it
      ctx.show(SPLIT, s.iteration, s.far, 0);
      if (s.far > 0) {
        next_bucket(ctx, p, far, s);
        return true;
      }
    }
    if (!MARK_PRED) {
      if (!PRIORITY_QUEUE) ctx.show(RELAX, s.iteration, s.in);
      return false;
    }
    const bool begun = s.phase == PREDECESSORS;
    s.phase = PREDECESSORS;
    if (ctx.solo) return true;  // likewise
    if (s.all_candidates) ctx.show(PREDECESSORS, s.iteration, ctx.graph.n, ctx.graph.m);
    else ctx.show(PREDECESSORS, s.iteration, s.in);
    if (begun && !s.all_candidates && (s.in.count == 0 || i64(s.in.count) == s.far)) return false;
    pull(ctx, s, candidates(ctx, s, s.all_candidates), FindPredecessor{ctx.graph, p}, p.bitmap,
         &control.counters[FOUND]);
    s.far = s.all_candidates ? -1 : i64(s.in.count);  // no progress between two pulls: the end
    s.all_candidates = false;
    return true;
  }

 private:
  GR_DEVICE static void relax(Context& ctx, const Problem& p, const FarPiles& far, State& s) {
    Relax functor(p, ctx.graph.csr.values, s.threshold, s.step);
    if (REDUNDANCY == BITMAP) {  // its bits of the step before are those of the frontier
      u32* spent = functor.bitmap(s.step + 1);
      compute(ctx, s, [=](item_t v) { store_relaxed(&spent[v / 32], 0u); });
    }
    if constexpr (FUSED) {
      advance_near_far<V, V>(ctx, s, far, functor);
    } else {
      advance<V, Kind::plain>(ctx, s, functor);
      s.phase = FILTER;
    }
    s.just_split = false;
    ++s.iteration;
  }

  // Move the threshold on; what is near now is the next frontier.
  GR_DEVICE static void next_bucket(Context& ctx, const Problem& p, FarPiles& far, State& s) {
    const weight_t lower = s.threshold;
    const u64 least = load_relaxed(far.least());
    s.threshold = threshold_after(s.just_split ? from_key(least) : lower, p.delta);
    split<V>(ctx, s, far, s.far, lower, s.threshold,
             [&](item_t v) { return load_relaxed(&p.distances[v]); });
    s.just_split = true;
    s.phase = RELAX;
  }
};
