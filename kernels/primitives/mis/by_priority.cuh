// Maximal independent set: no two of its vertices are neighbours, and every other vertex has a neighbour in it.
// By priorities, as Luby (1986) and Blelloch and others (2012); states as in ECL-MIS (Burtscher 2018).
//
// A vertex whose neighbours of higher priority have all been excluded is chosen, and excludes its neighbours at
// once. One word holds a vertex's whole state: EXCLUDED, CHOSEN, or its rank while it is open; the greater the
// word, the more it keeps others from being chosen. States change once, from open to one of the other two, so a
// stale state does no harm: an excluded neighbour that still looks open only causes a delay. Therefore steps
// read what they write, and no atomic is needed. Whatever the schedule, the result is the set that a loop over
// the vertices by falling priority would choose.
//
// A pass over all vertices leaves few open; those wait in a frontier [D-mis-1]. If lists are short, all
// vertices are decided without a barrier. A vertex stops at the first neighbour that keeps it waiting or, if
// one thread walks its list, finds the foremost. Ranks favour vertices with few neighbours, which makes large
// sets and excludes hubs before their lists are walked. Of equal ranks the smaller vertex goes first. Loops do
// not count.
// Options: GR_RESOLVES, true if lists are short; GR_LANES, the number of threads that then share one.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"
#include "operators/resolve.cuh"

struct Problem {
  u16* states;
  u64* waits;    // room for all vertices
  i64 by_degree;  // true: rank by degree, then at random; false: at random
  i64 seed;
};

constexpr u16 EXCLUDED = 0;
constexpr u16 CHOSEN = 0xffff;

// Degrees on a scale of 8 steps per octave, exact below 16.
GR_DEVICE u32 degree_class(edge_t degree) {
  u32 octaves = 0;
  for (; degree >= 16; degree /= 2) ++octaves;
  return 8 * octaves + u32(degree);
}

// The state of an open vertex: the greater, the earlier it is chosen.
GR_DEVICE u16 rank_of(const Problem& p, vertex_t v, edge_t degree) {
  const u32 random = random_number(v, u32(p.seed));
  if (!p.by_degree) return u16(1 + random % (CHOSEN - 1));
  const u32 scale = degree_class(degree), most = 253;
  return u16((254 - (scale < most ? scale : most)) << 8 | random >> 24);
}

// Finds the first neighbour that keeps a vertex from being chosen.
struct Elect : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool NOTIFIES = true;
  u16* states;
  bool fresh = false;
  vertex_t reader = -1;  // the vertex whose list this thread walks, and its state at the start
  u16 state = EXCLUDED;
  GR_DEVICE explicit Elect(u16* words) : states(words) {}

  GR_DEVICE void look_up(vertex_t v) {
    if (v == reader) return;
    reader = v;
    state = other_state(v);
  }
  GR_DEVICE bool wants(vertex_t v) {
    reader = -1;  // the state may have changed since this thread read it
    look_up(v);
    return state != EXCLUDED && state != CHOSEN;
  }
  GR_DEVICE void read(vertex_t v) { look_up(v); }
  // At first the multiprocessor's cached copy suffices: many threads read the same words.
  GR_DEVICE u16 other_state(vertex_t u) const {
    return fresh ? load_relaxed(&states[u]) : load_cached(&states[u]);
  }
  GR_DEVICE u16 state_if(bool wanted, vertex_t u, u16 otherwise) const {
    return fresh ? load_relaxed_if(wanted, &states[u], otherwise)
                 : load_cached_if(wanted, &states[u], otherwise);
  }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) {
    look_up(v);
    const u16 other = other_state(u);
    return other > state || (other == state && u < v);
  }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& first) {
    const bool chosen = !first.found();
    const bool excluded = !chosen && load_relaxed(&states[first.u]) == CHOSEN;
    if (chosen || excluded) store_relaxed(&states[v], chosen ? CHOSEN : EXCLUDED);
    return !chosen && !excluded;
  }
  GR_DEVICE Wait wait(vertex_t v, const Entry& first) { return {v, first.u}; }
  struct Answer {
    u16 own, other;
  };
  GR_DEVICE Answer ask(const Wait& wait) {
    return {load_relaxed(&states[wait.v]), load_relaxed(&states[wait.u])};
  }
  GR_DEVICE Waited judge(const Wait& wait, const Answer& answer) {
    if (answer.own == EXCLUDED) return Waited::done;
    if (answer.other == CHOSEN) store_relaxed(&states[wait.v], EXCLUDED);
    return answer.other == CHOSEN     ? Waited::done
           : answer.other == EXCLUDED ? Waited::ready
                                      : Waited::longer;
  }
  GR_DEVICE bool notifies(const Entry& first) { return !first.found(); }
  GR_DEVICE u16 knows(vertex_t u) const { return state_if(u >= 0, u, EXCLUDED); }
  GR_DEVICE void notify(vertex_t u, vertex_t v, edge_t, u16 known) const {
    if (u != v && known != EXCLUDED) store_relaxed(&states[u], EXCLUDED);
  }
};

// The neighbour that keeps a vertex from being chosen, and its state: of several the foremost, which is decided
// first.
struct Keeper {
  u32 state;  // EXCLUDED: no neighbour does
  vertex_t u;
};
struct Foremost : Plain<Foremost, Keeper> {
  GR_DEVICE static Keeper zero() { return {EXCLUDED, -1}; }
  GR_DEVICE static void join(Keeper& a, const Keeper& b) {
    if (b.state > a.state) a = b;
  }
};

// Elects by a short list, loaded as a whole; the states seen then decide.
struct ElectFromAll : Elect {
  static constexpr bool PEEKS = false;
  static constexpr bool SPLIT_LOADS = true;  // several states are loaded together [D-branch-1]
  using Found = Keeper;
  GR_DEVICE explicit ElectFromAll(u16* words) : Elect(words) {}
  GR_DEVICE Keeper find(vertex_t u) const { return {state_if(u >= 0, u, EXCLUDED), u}; }
  GR_DEVICE Keeper value(const Keeper& found) const {
    const bool before = found.state > state || (found.state == state && found.u < reader);
    return found.u >= 0 && before ? found : Foremost::zero();
  }
  GR_DEVICE bool finish(vertex_t v, const Keeper& keeper) {
    const bool decided = keeper.state == EXCLUDED || keeper.state == CHOSEN;
    if (decided) store_relaxed(&states[v], keeper.state == CHOSEN ? EXCLUDED : CHOSEN);
    return !decided;
  }
  GR_DEVICE Wait wait(vertex_t v, const Keeper& keeper) { return {v, keeper.u}; }
  GR_DEVICE bool notifies(const Keeper& keeper) { return keeper.state == EXCLUDED; }
};

enum Phase { RANK, ELECT, SETTLE };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Csr& lists = ctx.graph.csr;
    if (s.step == 0) {
      ctx.show(RANK, 0, n, 0);
      for_each_loaded<4>(ctx, n, [&](i64 v) { return lists.row(v).length; },
                         [&](i64 v, edge_t degree) { p.states[v] = rank_of(p, vertex_t(v), degree); });
      return true;
    }
#if GR_RESOLVES
    ctx.show(SETTLE, 0, n, ctx.graph.m);
    if constexpr (GR_LANES == 1)
      resolve<Foremost, 1, 4>(ctx, Range{n}, lists, ElectFromAll(p.states), p.waits);
    else
      resolve<First, GR_LANES, 1>(ctx, Range{n}, lists, Elect(p.states), p.waits);
#else
    if (s.step == 1) {
      ctx.show(ELECT, 0, n, ctx.graph.m);
      gather<First, SpreadTiers, V>(ctx, s, Range{n}, lists, Elect(p.states));
      return true;
    }
    ctx.show(SETTLE, 0, s.in);
    resolve<First, WARP, 4>(ctx, members(ctx.in(s)), lists, Elect(p.states), p.waits);
#endif
    return false;
  }
};
