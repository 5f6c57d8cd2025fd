// Vertex coloring by Jones and Plassmann, the largest degree first, where all lists are short: every vertex
// looks at its neighbours, and waits for the last of those that go before it until it need wait for none. The
// same coloring as in_order.cuh's, but vertices are met in the order of their numbers, in which neighbours
// share lines of memory.
//
// One word says all of a vertex: its color, or ~priority until it has one. A color stays: what is out of date
// is never wrong, only late. So all is settled without a barrier.
// Options: GR_LANES, how many threads share a list.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/settle.cuh"

struct Problem {
  i32* colors;
  u64* waits;  // room for all vertices
  i64 seed;
};

constexpr i64 LONGEST_POLLED = 63;  // list: a set of colors is a word
constexpr int DEGREE_BITS = 6, RANDOM_BITS = 31 - DEGREE_BITS;
constexpr i32 FIRST_OF_ALL = -1 - 0x7fffffff;  // word, of none

GR_DEVICE i32 priority_word(const Problem& p, vertex_t v, edge_t degree) {
  return i32(~(u32(degree) << RANDOM_BITS | random_number(v, u32(p.seed)) >> (32 - RANDOM_BITS)));
}

// What a vertex sees of its neighbours: the colors that are taken, and of those that it waits for the one
// that is likely to be the last, with its word (the greatest, as priorities are turned round).
struct Around {
  u64 taken;
  i32 word;
  vertex_t last;  // -1: none
};
struct Join : Plain<Join, Around> {
  GR_DEVICE static Around zero() { return {0, FIRST_OF_ALL, -1}; }
  GR_DEVICE static Around nothing() { return zero(); }
  GR_DEVICE static void join(Around& a, const Around& b) {
    a.taken |= b.taken;
    if (b.last >= 0 && b.word >= a.word) {
      a.word = b.word;
      a.last = b.last;
    }
  }
  GR_DEVICE static void add(Around& total, const Around& x) { join(total, x); }
  GR_DEVICE static void merge(Around& total, const Around& x) { join(total, x); }
  GR_DEVICE static Around exchange(const Around& x, int distance) {
    return {warp_exchange(x.taken, distance), warp_exchange(x.word, distance), warp_exchange(x.last, distance)};
  }
};

struct Look : GatherFunctor {
  static constexpr bool TWO_PLACES = true;  // several words are asked for together [D-branch-1]
  struct Found {
    vertex_t u;
    i32 word;
  };
  const Problem& p;
  bool fresh = false;
  vertex_t v = -1;  // whose list this thread folds, and its word
  i32 word = 0;
  GR_DEVICE explicit Look(const Problem& problem) : p(problem) {}

  GR_DEVICE void read(vertex_t reader) {
    v = reader;
    word = find(v).word;
  }
  // At first what this multiprocessor saw of it will do: many look at the same ones.
  GR_DEVICE Found find(vertex_t u) const {
    const bool there = u >= 0;
    return {u, fresh ? load_relaxed_if(there, &p.colors[u], 0) : load_cached_if(there, &p.colors[u], 0)};
  }
  GR_DEVICE bool goes_first(vertex_t u, i32 other) const {
    if (other != word) return other < word;
    return random_number(u, u32(p.seed)) > random_number(v, u32(p.seed));
  }
  GR_DEVICE Around value(const Found& found) const {
    const bool there = found.u >= 0, colored = there && found.word >= 0;
    const bool first = there && !colored && goes_first(found.u, found.word);
    return {colored ? u64(1) << found.word : 0, first ? found.word : FIRST_OF_ALL, first ? found.u : -1};
  }
  GR_DEVICE bool finish(vertex_t reader, const Around& around) {
    const bool waits = around.last >= 0;
    if (!waits) store_relaxed(&p.colors[reader], i32(lowest_bit(~around.taken)));
    return waits;
  }
  GR_DEVICE vertex_t awaited(const Around& around) { return around.last; }
  using Answer = i32;
  GR_DEVICE Answer ask(vertex_t, vertex_t u) { return load_relaxed(&p.colors[u]); }
  GR_DEVICE Waited judge(vertex_t, Answer word) { return word < 0 ? Waited::longer : Waited::over; }
};

enum Phase { RANK, COLOR };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Csr& lists = ctx.graph.csr;
    if (s.step == 0) {
      ctx.show(RANK, 0, n, 0);
      for_each_loaded<4>(ctx, n, [&](i64 v) { return lists.row(v).length; },
                         [&](i64 v, edge_t degree) { p.colors[v] = priority_word(p, vertex_t(v), degree); });
      return true;
    }
    ctx.show(COLOR, 0, n, ctx.graph.m);
    settle<Join, GR_LANES, 4>(ctx, Range{n}, lists, Look(p), p.waits);
    return false;
  }
};
