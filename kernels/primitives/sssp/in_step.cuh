// Single-source shortest paths. Gunrock, section 5.2; Davidson's near-far pile; delta-stepping (Meyer and
// Sanders).
//
// A step relaxes the edges of the near slice: atomicMin on the neighbour's distance. A vertex that got closer
// enters the next near slice, once per step, if its distance is below the threshold; at the threshold or beyond
// it is far. The far pile gets each vertex once, when it is first reached beyond the threshold of that time. It
// always holds every vertex whose distance is beyond the present threshold, so a vertex that gets closer within
// far needs no second entry. When the near slice is empty, one step moves the threshold on by delta and splits
// the pile; if that finds nothing near, the next split starts from the least distance in the pile, so that all
// empty buckets together cost one step.
//
// Predecessors are found afterwards, once distances are final: in one pull, each vertex looks for an in-edge
// that explains its distance. Strictly closer parents cannot form a cycle. Equally distant ones (zero weights,
// or weights that vanish in rounding) are taken only once they have a parent themselves, in as many pulls as
// their longest chain has edges.
//
// GR_BOUNDED, for graphs with hubs: once a near slice has reached a hub, the vertices near the hub are settled
// first, and edges that end at a first bound or beyond are left alone. Most are too heavy to end below it, and
// only their weight is read (operators/advance_by_value.cuh). Then the vertices left over look back over their
// in-edges for settled neighbours, if these are fewer edges than the settled have, and go on from there if they
// also have neighbours that are left over. Otherwise the bound was too low: it is raised, or near and far take
// over. (Pruning by push and pull: Chakaravarthy et al., Scalable single source shortest path algorithms for
// massively parallel systems, IPDPS 2014.)
//
// Not fused, relaxing is a step by itself, which keeps every end that got closer. The next step filters these:
// it drops those that the next near slice already has, and separates near from far.
//
// Options: GR_PRIORITY_QUEUE, GR_MARK_PRED, GR_REDUNDANCY (of enum Redundancy), GR_FUSION, GR_BOUNDED,
// GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "operators/advance_by_value.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/priority_queue.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"
#include "primitives/relay.cuh"
#include "primitives/sssp/nearest_settled.cuh"
#include "primitives/sssp/relaxing.cuh"

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
  weight_t bound;  // GR_BOUNDED: edges that end this far from the first hub are left alone at first
  weight_t raise;  // the bound moves by this each time that too many edges are left over
  weight_t least;  // least weight of all edges
};

constexpr bool BOUNDED = GR_BOUNDED;
constexpr bool PRIORITY_QUEUE = GR_PRIORITY_QUEUE, MARK_PRED = GR_MARK_PRED;
constexpr bool FUSED = GR_FUSION;
enum Redundancy { QUEUE_ID, BITMAP, ALLOW };
constexpr Redundancy REDUNDANCY = Redundancy(GR_REDUNDANCY);

struct Relax : Relaxing<Problem> {
  using Relaxing::Relaxing;

  // A thread that gets here found d's distance improvable in this step, and by the end of the step it has been
  // improved, if only by another thread. So the first thread to claim d may queue it without waiting for its
  // own atomicMin's answer: two independent atomics rather than a chain.
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

// Relaxes below a bound; writes nothing at the bound or beyond.
struct RelaxBelow {
  using Own = weight_t;
  using Through = weight_t;
  const Relax& relax;
  weight_t bound, least;

  GR_DEVICE weight_t own(vertex_t v) const { return load_relaxed(&relax.p.distances[v]); }
  GR_DEVICE weight_t through(weight_t from, weight_t by) const { return longer(from, by); }
  GR_DEVICE bool passes(weight_t reach) const { return closer(reach, bound); }
  GR_DEVICE bool peek(vertex_t d, weight_t reach) const { return closer(reach, own(d)); }
  GR_DEVICE bool visit(vertex_t d, weight_t reach) const {
    const weight_t before = atomic_min(&relax.p.distances[d], reach);
    if (!passes(longer(reach, least))) return false;  // none of its edges ends below the bound
    return REDUNDANCY == ALLOW ? closer(reach, before) : relax.claims(d);
  }
};

// Vertices that the bound left over look back, including those found before there was a bound. Keeps those that
// may lead to others left over.
struct LookBack : GatherFunctor {
  static constexpr bool EMPTY_LISTS = false;
  const Graph& graph;
  const Problem& p;
  weight_t bound;
  bool directed;
  GR_DEVICE LookBack(const Graph& lists, const Problem& problem, weight_t settled_below)
      : graph(lists), p(problem), bound(settled_below), directed(lists.directed()) {}

  GR_DEVICE bool wants(vertex_t v) const { return !closer(load_relaxed(&p.distances[v]), bound); }
  // Distances are being written, but none that is below the bound or gets there.
  GR_DEVICE Nearest value(vertex_t u, edge_t e) const {
    const weight_t from = load_relaxed(&p.distances[u]);
    if (!closer(from, bound)) return {to_bits(UNREACHED), 1};
    const weight_t reach = longer(from, load_constant(&graph.reverse.values[e]));
    if (CHECK_RANGE && !closer(reach, UNREACHED)) {
      store_relaxed(p.out_of_range, 1u);
      return {to_bits(UNREACHED), 0};
    }
    return {to_bits(reach), 0};
  }
  GR_DEVICE bool finish(vertex_t v, const Nearest& found) const {
    const u32 before = to_bits(load_relaxed(&p.distances[v]));
    if (found.reach < before) store_relaxed(&p.distances[v], from_key(found.reach));
    else if (before == to_bits(UNREACHED)) return false;
    return directed || found.open;
  }
};

// The filter, if it is a step of its own. A vertex first reached beyond the threshold comes once; if the same
// step then found it to be nearer, it also comes as near, and is no longer far.
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

enum Phase { BEGIN, RELAX, SPLIT, PREDECESSORS, FILTER, BELOW, COUNT, TURN, HUB, RAISE };

// A near slice has reached a hub if it has more than one in 4096 of the graph's edges and also more than 1024
// or, on small graphs, one in 128 [D-bound-2].
GR_DEVICE i64 dense_slice(i64 edges) {
  const i64 least = edges / 128 < 1024 ? edges / 128 : 1024;
  return edges / 4096 > least ? edges / 4096 : least;
}
constexpr i64 NO_BOUND = i64(1) << 62;  // more edges than any slice has

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 iteration = 0;
    u32 turns = 0;          // of the far piles
    weight_t threshold = 0; // near ends here; in BELOW, the bound on what is relaxed
    i64 dense = NO_BOUND;      // a slice of more edges sets a bound, once
    bool just_split = false; // true if the step before was a split
    bool all_candidates = true;  // no list of vertices without a predecessor yet
    i64 far = 0;            // items in the pile at the last split
    i64 counted = 0;        // edges of settled vertices, in all earlier counts
    i64 settled = 0;        // edges of settled vertices, in the last count
#if GR_RELAY
    i64 left = 0;           // edges to relax, each once
    Pace<SEEN_LEVELS> pace;
#endif
  };

  // For good: blocks that run ahead find vertices in no order that this kernel could go on with.
  GR_DEVICE static bool leaves(const State& s) {
#if GR_RELAY
    return s.phase == RELAX &&
           s.pace.template calls_for_running_ahead<LEVELS_LEFT / 4>(s.in.edges, s.left, begins_slice(s));
#else
    return false;
#endif
  }
  // Words of Control::counters, after the piles' own. SETTLED holds the longest list of a slice and its
  // vertex's distance, by which a bound is set; from then on the edges of settled vertices are added to it.
  enum { FOUND = FarPiles::COUNTERS, SETTLED };

  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == PREDECESSORS || s.phase == BELOW || s.phase == TURN || s.phase == RAISE) return false;
    if (reaches_hub(s) || leaves(s)) return false;
    if (!FUSED && s.phase == FILTER) return true;
    return (s.phase == RELAX && s.in.count > 0) || s.far <= SINGLE_BLOCK_EDGES;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    FarPiles far{p.far, ctx.graph.n, control.counters, s.turns};
    if (s.phase == BEGIN) {
      ctx.show(BEGIN, 0, s.in);
      seed<V>(ctx, s, item_t(p.source));
      if (ctx.rank() == 0) far.reset();
      s.threshold = PRIORITY_QUEUE ? p.delta : UNREACHED;
      s.phase = RELAX;
#if GR_RELAY
      s.left = ctx.graph.m;
#endif
      if (BOUNDED) {
        if (ctx.rank() == 0) store_relaxed(&control.counters[SETTLED], ArgMin::zero());
        s.dense = dense_slice(ctx.graph.m);
      }
      return true;
    }
    if (reaches_hub(s)) {
      s.dense = NO_BOUND;
      if (s.iteration > 0) {
        find_hub(ctx, p, control, s);
        s.phase = RAISE;
        return true;
      }
      set_bound(p, s, ArgMin::zero(), weight_t(0));  // the source is the hub
    }
    if (BOUNDED && (s.phase == RAISE || s.phase == BELOW || s.phase == TURN)) {
      settle_bounded(ctx, p, control, s);
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
#if GR_RELAY
      if (leaves(s)) {
        leave_at(s, i64(to_bits(s.threshold)));
        return false;
      }
      s.left -= i64(s.in.edges);
      s.pace.add(s.in.edges, begins_slice(s));
#endif
      relax(ctx, p, far, s);
      return true;
    }
    const bool all_near = BOUNDED && s.threshold == UNREACHED;  // the whole pile has since become near
    if (PRIORITY_QUEUE && s.phase != PREDECESSORS && !all_near) {
      s.phase = SPLIT;
      s.far = far.size();
      // too much for a single block: leave it to the grid
      if (s.far > SINGLE_BLOCK_EDGES && ctx.single_block) return true;
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
    if (ctx.single_block) return true;  // likewise
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
  GR_DEVICE static bool reaches_hub(const State& s) {
    return BOUNDED && s.phase == RELAX && i64(s.in.edges) > s.dense;
  }
  // True before a slice's first step, or any if there are no slices.
  GR_DEVICE static bool begins_slice(const State& s) { return !PRIORITY_QUEUE || s.just_split; }

  // Finds the longest list of a slice that has reached hubs and, of several as long, the nearest.
  GR_DEVICE static void find_hub(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(HUB, s.iteration, s.in);
    begin_relaxing(ctx, p, s);  // clears the bitmap, which the slice no longer needs
    u64 hub = ArgMin::zero();
    compute(ctx, s, [&](item_t v) {
      const u32 length = u32(ctx.graph.csr.row(v).length);
      ArgMin::join(hub, keyed(~length, to_bits(load_relaxed(&p.distances[v]))));
    });
    fold_grid<ArgMin>(ctx, hub, &control.counters[SETTLED]);
  }
  GR_DEVICE static void set_bound(const Problem& p, State& s, u64 counted, weight_t hub) {
    s.counted = i64(counted);
    s.threshold = threshold_after(hub, p.bound);
    s.phase = BELOW;
  }

  // The vertices found below the threshold are the next frontier.
  GR_DEVICE static void gather_near(Context& ctx, const Problem& p, const State& s) {
    const weight_t threshold = s.threshold;
    filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, Where([&](item_t v) {
                return closer(load_relaxed(&p.distances[v]), threshold);
              }));
  }

  // Sets a bound; settles the vertices below it; counts their edges; looks back for the rest, or raises the
  // bound.
  GR_DEVICE static void settle_bounded(Context& ctx, const Problem& p, Control& control, State& s) {
    u64* settled = &control.counters[SETTLED];
    const weight_t bound = s.threshold;
    if (s.phase == RAISE) {
      ctx.show(RAISE, s.iteration, ctx.graph.n, 0);
      const u64 hub = load_relaxed(settled);
      set_bound(p, s, hub, from_key(u32(hub)));
      gather_near(ctx, p, s);
      return;
    }
    if (s.phase == BELOW && s.in.count > 0) {
      ctx.show(BELOW, s.iteration++, s.in);
      const Relax functor = begin_relaxing(ctx, p, s);
      RelaxBelow below{functor, bound, p.least};
      advance_by_value(ctx, s, below);
      return;
    }
    if (s.phase != TURN) {
      ctx.show(COUNT, s.iteration, ctx.graph.n, 0);
      u64 edges = 0;
      for_each_index(ctx, ctx.graph.n, [&](i64 v) {
        if (closer(load_relaxed(&p.distances[v]), bound)) edges += u64(ctx.graph.csr.row(v).length);
      });
      fold_grid<Sum<u64>>(ctx, edges, settled);
      s.phase = TURN;
      return;
    }
    const i64 near = i64(load_relaxed(settled)) - s.counted, rest = ctx.graph.m - near;
    // By at least half each time; otherwise this would wait for an unreachable part of the graph.
    const bool growing = near > ctx.graph.m / 8 && 2 * near > 3 * s.settled;
    s.counted += near;
    s.settled = near;
    ctx.show(TURN, s.iteration, ctx.graph.n, rest < near ? rest : near);
    if (rest <= near) {
      gather<NearestSettled, UsualTiers, V>(ctx, s, Range{ctx.graph.n}, ctx.graph.reverse,
                                            LookBack(ctx.graph, p, bound));
      s.threshold = UNREACHED;
      s.phase = RELAX;
      return;
    }
    s.phase = growing ? BELOW : RELAX;
    s.threshold = threshold_after(bound, growing ? p.raise : p.delta);
    gather_near(ctx, p, s);
  }

  GR_DEVICE static Relax begin_relaxing(Context& ctx, const Problem& p, const State& s) {
    Relax functor(p, ctx.graph.csr.values, s.threshold, s.step);
    if (REDUNDANCY == BITMAP) {  // the bits of the previous step are the frontier's
      u32* spent = functor.bitmap(s.step + 1);
      compute(ctx, s, [=](item_t v) { store_relaxed(&spent[v / 32], 0u); });
    }
    return functor;
  }

  GR_DEVICE static void relax(Context& ctx, const Problem& p, const FarPiles& far, State& s) {
    Relax functor = begin_relaxing(ctx, p, s);
    if constexpr (FUSED) {
      advance_near_far<V, V>(ctx, s, far, functor);
    } else {
      advance<V, Kind::plain>(ctx, s, functor);
      s.phase = FILTER;
    }
    s.just_split = false;
    ++s.iteration;
  }

  // Moves the threshold on; vertices that have become near are the next frontier.
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
