// Distances from a source in a graph that has changed, from those of before: in hops or by weights, as the Rule says.
// Included by bfs/updated.cuh and sssp/updated.cuh after their Problem, Phase and Rule.
//
// Lost edges: a vertex is supported by an in-neighbour that is strictly closer, whose edge explains its distance.
//   1. DOUBT takes the ends of lost edges that explained their distance. SUPPORT keeps those that no other edge
//      explains: they are gone. LOSE takes what their edges explained, for the next SUPPORT, until nothing is. No two
//      vertices can support each other, so the order does not matter. (Where an edge weighs nothing, or too little to
//      make a difference, its end may be given up needlessly, which costs time but not the answer.)
//      If what is gone has a good part of all edges, everything is given up, and the search begins at its source.
//   2. RESET makes what is gone unreached; RESCUE finds its shortest way over in-neighbours that are reached.
// New edges are relaxed along with RESCUE. All that got closer is relaxed, until nothing gets closer. By weights, this
// goes slice by slice, as in sssp/in_step.cuh: SORT puts all that got closer into the far pile, SPLIT takes the next
// slice from it; a bitmap says who waits in the pile, which holds each vertex once.
// The answer is right: a distance that was kept is the length of a path that is still there, so it is no less than the
// least, and in the end no edge is left that would shorten any.
// Option: GR_SLICED (by slices).
#pragma once
#include "core/enactor.cuh"
#include "operators/advance.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/priority_queue.cuh"

using Dist = Rule::Dist;

constexpr i64 GOOD_PART = 4;  // begin again once what is gone has more than a quarter of all edges [D-change-3]

GR_DEVICE Dist distance_of(const Problem& p, vertex_t v) { return load_relaxed(&Rule::distances(p)[v]); }
GR_DEVICE bool is_reached(Dist distance) { return Rule::closer(distance, Rule::unreached()); }

// Vertices are queued once per step.
struct Claims {
  const Problem& p;
  u32 stamp;
  GR_DEVICE Claims(const Problem& problem, u32 step) : p(problem), stamp(step + 1) {}
  GR_DEVICE bool take(vertex_t v) const { return atomic_exchange(&p.queued[v], stamp) != stamp; }
};

// Places of a list of edges become the edges' ends, on their way into a queue.
template <class C>
struct Ends {
  C& collect;
  const vertex_t* ends;
  GR_DEVICE void make_room(int items) { collect.make_room(items); }
  GR_DEVICE void push(item_t i) { collect.push(item_t(ends[i])); }
  GR_DEVICE void flush() { collect.flush(); }
};

// An edge by which no vertex is closer is explained by another, or nothing is.
struct FindSupport : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const weight_t* weights;
  GR_DEVICE FindSupport(const Problem& problem, const Csr& lists) : p(problem), weights(lists.values) {}
  GR_DEVICE bool wants(vertex_t v) { return !bitmap_test(p.gone, v); }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) {
    const Dist from = distance_of(p, u), to = distance_of(p, v);
    return Rule::closer(from, to) && Rule::through(from, weights, e) == to && !bitmap_test(p.gone, u);
  }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& support) {
    if (support.found()) return false;
    bitmap_set(p.gone, v);
    return true;
  }
};

struct Lose : EdgeFunctor {
  const Problem& p;
  const weight_t* weights;
  Claims claims;
  GR_DEVICE Lose(const Problem& problem, const Csr& lists, u32 step)
      : p(problem), weights(lists.values), claims(problem, step) {}
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e) {
    return d != p.source && Rule::through(distance_of(p, s), weights, e) == distance_of(p, d);
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) { return !bitmap_test(p.gone, d) && claims.take(d); }
};

// The shortest way to a vertex over those that are reached.
struct Rescue : GatherFunctor {
  static constexpr bool EMPTY_LISTS = false;
  const Problem& p;
  const weight_t* weights;
  Claims claims;
  GR_DEVICE Rescue(const Problem& problem, const Csr& lists, u32 step)
      : p(problem), weights(lists.values), claims(problem, step) {}
  GR_DEVICE u32 value(vertex_t u, edge_t e) {
    const Dist from = distance_of(p, u);
    return is_reached(from) ? Rule::key(Rule::noted(p, Rule::through(from, weights, e))) : Rule::key(Rule::unreached());
  }
  GR_DEVICE bool finish(vertex_t v, u32 key) {
    if (key >= Rule::key(Rule::unreached())) return false;
    atomic_min(&Rule::distances(p)[v], Rule::of_key(key));
    return claims.take(v);
  }
};

struct Relax : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  struct Carry {
    Dist reach, seen;
  };
  const Problem& p;
  const weight_t* weights;
  Claims claims;
  GR_DEVICE Relax(const Problem& problem, const Csr& lists, u32 step)
      : p(problem), weights(lists.values), claims(problem, step) {}
  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.seen = distance_of(p, d);
    carry.reach = Rule::through(distance_of(p, s), weights, e);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) {
    return Rule::closer(Rule::noted(p, carry.reach), carry.seen);
  }
  // Whoever gets here found d improvable, so by the end of the step it is closer, and the first may queue it.
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    atomic_min(&Rule::distances(p)[d], carry.reach);
    return claims.take(d);
  }
};

#if GR_SLICED
// The same, in slices.
struct RelaxSlice : Relax {
  Dist threshold;  // near ends here
  GR_DEVICE RelaxSlice(const Problem& problem, const Csr& lists, u32 step, Dist upper)
      : Relax(problem, lists, step), threshold(upper) {}
  GR_DEVICE Slice visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    atomic_min(&Rule::distances(p)[d], carry.reach);
    if (Rule::closer(carry.reach, threshold)) return claims.take(d) ? NEAR : DROP;
    return Rule::starts_waiting(p, d) ? FAR : DROP;
  }
};

// Puts all into the far pile.
struct AllFar {
  const Problem& p;
  GR_DEVICE Slice visit(item_t v) const { return Rule::starts_waiting(p, vertex_t(v)) ? FAR : DROP; }
};
#endif

struct Enactor {
  struct State : LoopState {
    i32 phase = DOUBT;
    i32 turn = 0;
    bool lost = false;  // some vertices are gone
    bool all = false;   // all but the source
    i64 edges = 0;      // out of what is gone
    // of slices
    Dist threshold = Dist(0);
    u32 turns = 0;            // of the far piles
    bool just_split = false;  // true if the step before was a split
    i64 far = 0;              // items in the pile at the last split
  };

  GR_DEVICE static bool fits_block(const State& s) {
    return s.phase == RELAX && (!GR_SLICED || s.in.count > 0 || s.far <= SINGLE_BLOCK_EDGES);
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr &csr = ctx.graph.csr, &reverse = ctx.graph.reverse;
    if (s.phase == DOUBT && p.lost == 0) s.phase = RESCUE;
    if (s.phase == SUPPORT && s.in.count == 0) s.phase = s.lost ? RESET : RESCUE;
    if (s.phase == LOSE && s.in.count == 0) s.phase = s.lost ? RESET : RESCUE;
    if (s.phase == LOSE && (s.edges += i64(s.in.edges)) * GOOD_PART > ctx.graph.m) {
      s.all = true;
      s.phase = RESET;
    }

    switch (s.phase) {
      case DOUBT: {
        ctx.show(DOUBT, 0, p.lost, 0);
        const Claims claims(p, s.step);
        Collector<V> collect(ctx, ctx.out(s), csr);
        Ends<Collector<V>> ends{collect, p.lost_dst};
        auto doubted = Where([&](item_t i) {
          const vertex_t v = p.lost_dst[i];
          const Dist from = distance_of(p, p.lost_src[i]);
          return v != p.source && is_reached(from) &&
                 Rule::through(from, Rule::lost_by(p), edge_t(i)) == distance_of(p, v) && claims.take(v);
        });
        filter_into(ctx, Range{p.lost}, doubted, ends);
        s.phase = SUPPORT;
        break;
      }
      case SUPPORT:
        ctx.show(SUPPORT, s.turn, s.in);
        gather<First, UsualTiers, V>(ctx, s, members(ctx.in(s)), reverse, FindSupport(p, reverse));
        s.phase = LOSE;
        break;
      case LOSE:
        ctx.show(LOSE, s.turn++, s.in);
        s.lost = true;
        advance<V, V>(ctx, s, Lose(p, csr, s.step));
        s.phase = SUPPORT;
        break;
      case RESET:
        ctx.show(RESET, 0, ctx.graph.n, 0);
        filter<V>(ctx, s, Range{ctx.graph.n}, csr, Where([&](item_t v) {
                    if (s.all && v == p.source) return true;
                    if (!s.all && !bitmap_holds(p.gone, vertex_t(v))) return false;
                    store_relaxed(&Rule::distances(p)[v], Rule::unreached());
                    return !s.all;
                  }));
        s.phase = s.all ? first() : RESCUE;
        s.turn = 0;
        break;
      case RESCUE:
        ctx.show(RESCUE, 0, s.lost ? i64(s.in.count) : 0, s.lost ? i64(s.in.edges) : 0);
        rescue(ctx, p, s);
        s.phase = first();
        s.turn = 0;
        break;
      default:
        return relax(ctx, p, control, s);
    }
    return true;
  }

 private:
  // Relaxes what got closer; false if nothing has.
#if !GR_SLICED
  GR_DEVICE static Phase first() { return RELAX; }
  GR_DEVICE static bool relax(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(RELAX, s.turn++, s.in);
    if (s.in.count > 0) advance<V, V>(ctx, s, Relax(p, ctx.graph.csr, s.step));
    return s.in.count > 0;
  }
#else
  GR_DEVICE static Phase first() { return SORT; }
  GR_DEVICE static bool relax(Context& ctx, const Problem& p, Control& control, State& s) {
    FarPiles far{Rule::far(p), ctx.graph.n, control.counters, s.turns};
    if (s.phase == SORT) {
      ctx.show(SORT, 0, s.in);
      if (ctx.rank() == 0) far.reset();
      filter_near_far<V>(ctx, s, far, AllFar{p});
      s.phase = SPLIT;
      return true;
    }
    if (s.phase == RELAX && s.in.count > 0) {
      ctx.show(RELAX, s.turn++, s.in);
      RelaxSlice functor(p, ctx.graph.csr, s.step, s.threshold);
      advance_near_far<V, V>(ctx, s, far, functor);
      s.just_split = false;
      return true;
    }
    s.phase = SPLIT;
    s.far = far.size();
    if (s.far > SINGLE_BLOCK_EDGES && ctx.single_block) return true;  // too much: leave it to the grid
    ctx.show(SPLIT, s.turn, s.far, 0);
    if (s.far == 0) return false;
    next_slice(ctx, p, far, s);
    return true;
  }

  // Moves the threshold on; vertices that have become near are the next frontier.
  GR_DEVICE static void next_slice(Context& ctx, const Problem& p, FarPiles& far, State& s) {
    const Dist lower = s.threshold;
    s.threshold = threshold_after(s.just_split ? from_key(load_relaxed(far.least())) : lower, Rule::delta(p));
    const Dist upper = s.threshold;
    split<V>(ctx, s, far, s.far, lower, upper, [&](item_t v) {
      const Dist distance = distance_of(p, vertex_t(v));
      if (distance < upper) Rule::stops_waiting(p, vertex_t(v));
      return distance;
    });
    s.just_split = true;
    s.phase = RELAX;
  }
#endif

  // Finds new ways to what is gone, and relaxes new edges.
  GR_DEVICE static void rescue(Context& ctx, const Problem& p, const State& s) {
    const Csr& reverse = ctx.graph.reverse;
    if (s.lost) gather<Least<u32>, UsualTiers, V>(ctx, s, members(ctx.in(s)), reverse, Rescue(p, reverse, s.step));
    block_sync();  // the gather's collector ended without a barrier
    const Claims claims(p, s.step);
    Collector<V> collect(ctx, ctx.out(s), ctx.graph.csr);
    Ends<Collector<V>> ends{collect, p.added_dst};
    auto shortens = Where([&](item_t i) {
      const vertex_t v = p.added_dst[i];
      const Dist from = distance_of(p, p.added_src[i]);
      if (!is_reached(from)) return false;  // if it is rescued now, its edges come next
      const Dist reach = Rule::noted(p, Rule::through(from, Rule::added_by(p), edge_t(i)));
      return Rule::closer(reach, distance_of(p, v)) && Rule::closer(reach, atomic_min(&Rule::distances(p)[v], reach)) &&
             claims.take(v);
    });
    filter_into(ctx, Range{p.added}, shortens, ends);
  }
};
