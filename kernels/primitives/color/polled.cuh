// Vertex coloring by Jones and Plassmann, the largest degree first, if all lists are short: every vertex walks
// its list and waits for the last of the neighbours that go before it; then it walks its list again. The coloring
// is in_order.cuh's, but vertices come in the order of their numbers, in which neighbours share cache lines.
//
// One word holds a vertex's whole state: its color, or ~priority until it has one. A color is final, so a stale
// word only delays: no barrier is needed.
// Options: GR_FEW, true if no list is longer than 31; GR_LANES, the number of threads that share a list;
// GR_SHARED_CACHE, true if a block keeps its waits in shared memory, if they fit.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/resolve.cuh"

struct Problem {
  i32* colors;
  u64* waits;  // room for all vertices: two words each if one thread walks a list
  i64 seed;
};

constexpr i64 LONGEST_POLLED = 63;  // longest list: a set of colors is a word
constexpr int DEGREE_BITS = 6, RANDOM_BITS = 31 - DEGREE_BITS;
constexpr i32 FIRST_OF_ALL = -1 - 0x7fffffff;  // a word that no vertex has
constexpr i32 NOBODY = -1;  // the word of no neighbour: it comes after all words with a priority

GR_DEVICE i32 priority_word(const Problem& p, vertex_t v, edge_t degree) {
  return i32(~(u32(degree) << RANDOM_BITS | random_number(v, u32(p.seed)) >> (32 - RANDOM_BITS)));
}

// A set of colors of a list. GR_FEW: all are below 32.
#if GR_FEW
using Colors = u32;
#else
using Colors = u64;
#endif

// What a vertex sees of its neighbours: the colors that are taken and, of the neighbours it waits for, the one
// that is likely to be last, with its word (the greatest, since priorities are inverted).
struct Around {
  Colors taken;
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

// Waits for the last of the neighbours that go before a vertex.
struct Look : GatherFunctor {
  static constexpr bool FOLDS = true;
  const Problem& p;
  bool fresh = false;
  vertex_t v = -1;  // the vertex whose list this thread folds, and its word
  i32 word = 0;
  GR_DEVICE explicit Look(const Problem& problem) : p(problem) {}

  GR_DEVICE void read(vertex_t reader) {
    v = reader;
    word = word_of(v, 0);
  }
  // At first the multiprocessor's cached copy suffices: many threads read the same words.
  GR_DEVICE i32 word_of(vertex_t u, i32 otherwise) const {
    const bool there = u >= 0;
    return fresh ? load_relaxed_if(there, &p.colors[u], otherwise)
                 : load_cached_if(there, &p.colors[u], otherwise);
  }
  GR_DEVICE bool goes_first(vertex_t u) const {  // for words that are alike
    return random_number(u, u32(p.seed)) > random_number(v, u32(p.seed));
  }
  // All words are in flight before the first is used; NOBODY's word is no color and comes before none.
  template <int BATCH>
  GR_DEVICE void fold(vertex_t, const vertex_t (&u)[BATCH], Around& total) const {
    i32 words[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) words[k] = word_of(u[k], NOBODY);
    bool alike = false;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      alike |= words[k] == word;
      total.taken |= words[k] >= 0 ? Colors(1) << words[k] : 0;
      const bool later = words[k] < word && words[k] >= total.word;
      total.word = later ? words[k] : total.word;
      total.last = later ? u[k] : total.last;
    }
    if (!alike) return;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (words[k] != word || !goes_first(u[k])) continue;
      total.word = word;
      total.last = u[k];
    }
  }
  GR_DEVICE bool finish(vertex_t reader, const Around& around) const {
    if (around.last < 0) store_relaxed(&p.colors[reader], i32(lowest_bit(~around.taken)));
    return around.last >= 0;
  }
  GR_DEVICE Wait wait(vertex_t reader, const Around& around) { return {reader, around.last}; }
  using Answer = i32;
  GR_DEVICE Answer ask(const Wait& wait) { return load_relaxed(&p.colors[wait.u]); }
  GR_DEVICE Waited judge(const Wait&, Answer word) { return word < 0 ? Waited::longer : Waited::ready; }
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
    resolve<Join, GR_LANES, 4>(ctx, Range{n}, lists, Look(p), p.waits);
    return false;
  }
};
