// Vertex coloring by Jones and Plassmann, the largest degree first, where all lists are short: every vertex
// looks at its neighbours again and again until it need wait for none. The same coloring as in_order.cuh's.
//
// One word says all of a vertex: its priority, whether its color is final, and the color or, until then, a
// number that it will not be below. A vertex is done as soon as the smallest color that is free is below what
// all those that it waits for can still take (ECL-GC's first shortcut; Alabandi and others 2020): most need
// not wait for all of them. Bounds only rise, and a color stays: what is out of date is never wrong, only
// late. So all is settled without a barrier.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/settle.cuh"

struct Problem {
  i32* colors;
  u32* states;  // degree, random bits, color or bound, whether it is final
  i64 seed;
};

constexpr i64 LONGEST_POLLED = 63;  // list: a set of colors is a word
constexpr int NUMBER_BITS = 6, RANDOM_BITS = 19;
constexpr int PRIORITY_AT = NUMBER_BITS + 1;

GR_DEVICE u32 number_of(u32 state) { return state >> 1 & ((1u << NUMBER_BITS) - 1); }
GR_DEVICE bool is_final(u32 state) { return state & 1; }
GR_DEVICE u32 priority_of(u32 state) { return state >> PRIORITY_AT; }

// What a vertex sees of its neighbours: the colors that are taken, and what those that it waits for will
// not be below (a number beyond all colors where there are none).
struct Around {
  u64 taken;
  u32 least;
};
struct Join : Plain<Join, Around> {
  GR_DEVICE static Around zero() { return {0, ~0u}; }
  GR_DEVICE static void join(Around& a, const Around& b) {
    a.taken |= b.taken;
    a.least = b.least < a.least ? b.least : a.least;
  }
};

struct Look : GatherFunctor {
  const Problem& p;
  vertex_t v = -1;     // whose list this thread folds, and its state
  u32 state = 0;
  GR_DEVICE explicit Look(const Problem& problem) : p(problem) {}

  GR_DEVICE bool wants(vertex_t reader) {
    v = reader;
    state = load_relaxed(&p.states[v]);
    return !is_final(state);
  }
  GR_DEVICE bool goes_first(vertex_t u, u32 other) const {
    if (priority_of(other) != priority_of(state)) return priority_of(other) > priority_of(state);
    return random_number(u, u32(p.seed)) > random_number(v, u32(p.seed));
  }
  GR_DEVICE Around value(vertex_t u, edge_t) {
    const u32 other = load_relaxed(&p.states[u]);
    if (is_final(other)) return {u64(1) << number_of(other), ~0u};
    return goes_first(u, other) ? Around{0, number_of(other)} : Join::zero();
  }
  GR_DEVICE bool finish(vertex_t, const Around& around) {
    const u32 free = u32(lowest_bit(~around.taken));
    const bool done = free < around.least;
    const u32 now = priority_of(state) << PRIORITY_AT | free << 1 | u32(done);
    if (now != state) store_relaxed(&p.states[v], now);
    if (done) p.colors[v] = i32(free);
    return !done;
  }
};

enum Phase { RANK, COLOR };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Csr& lists = ctx.graph.csr;
    if (s.step == 0) {
      ctx.show(RANK, 0, n, 0);
      for_each_index(ctx, n, [&](i64 v) {
        const u32 random = random_number(vertex_t(v), u32(p.seed)) >> (32 - RANDOM_BITS);
        p.states[v] = (u32(lists.row(v).length) << RANDOM_BITS | random) << PRIORITY_AT;
      });
    } else if (s.step == 1) {
      ctx.show(COLOR, 0, n, ctx.graph.m);
      settle<Join, 4>(ctx, n, lists, Look(p));
    } else {
      return false;
    }
    return true;
  }
};
