// Vertex coloring by Jones and Plassmann, the largest degree first, if all lists are short: every vertex walks
// its list, and waits for the neighbours that go before it. It can note up to three of these, with the colors
// that are taken, and then polls only them; otherwise it waits for the last of them, and walks its list again.
// The coloring is in_order.cuh's, but vertices come in the order of their numbers, in which neighbours share
// cache lines.
//
// One word holds a vertex's whole state: its color, or ~priority until it has one. A color is final, so a stale
// word only delays: no barrier is needed.
// Options: GR_FEW, true if no list is longer than 31; GR_LANES, the number of threads that share a list. If
// that is one: GR_NOTES, true if neighbours are noted, and GR_SHARED_CACHE, what blocks hold: 2, pieces of the
// graph, if they fit; 1, the vertices that wait, if they fit.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/in_pieces.cuh"
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

// What a thread sees of a vertex's neighbours, one by one.
struct Words : GatherFunctor {
  static constexpr bool SPLIT_LOADS = true;  // several words are loaded together [D-branch-1]
  struct Found {
    vertex_t u;
    i32 word;
  };
  const Problem& p;
  bool fresh = false;
  vertex_t v = -1;  // the vertex whose list this thread folds, and its word
  i32 word = 0;
  GR_DEVICE explicit Words(const Problem& problem) : p(problem) {}

  GR_DEVICE void read(vertex_t reader) {
    v = reader;
    word = find(v).word;
  }
  // At first the multiprocessor's cached copy suffices: many threads read the same words.
  GR_DEVICE Found find(vertex_t u) const {
    return {u, word_of(u, 0)};
  }
  GR_DEVICE i32 word_of(vertex_t u, i32 otherwise) const {
    const bool there = u >= 0;
    return fresh ? load_relaxed_if(there, &p.colors[u], otherwise)
                 : load_cached_if(there, &p.colors[u], otherwise);
  }
  template <class Set>
  GR_DEVICE void paint(vertex_t reader, Set taken) const {
    store_relaxed(&p.colors[reader], i32(lowest_bit(~taken)));
  }
  GR_DEVICE bool goes_first(vertex_t u, i32 other) const {
    if (other != word) return other < word;
    return random_number(u, u32(p.seed)) > random_number(v, u32(p.seed));
  }
};

// Waits for the last of the neighbours that go before a vertex.
struct Look : Words {
  static constexpr bool FOLDS = true;
  using Words::Words;
  // All words are in flight before the first is used; NOBODY's word is no color and comes before none.
  template <int BATCH>
  GR_DEVICE void fold(const vertex_t (&u)[BATCH], Around& total) const {
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
      if (words[k] != word || !goes_first(u[k], word)) continue;
      total.word = word;
      total.last = u[k];
    }
  }
  GR_DEVICE bool finish(vertex_t reader, const Around& around) const {
    if (around.last < 0) paint(reader, around.taken);
    return around.last >= 0;
  }
  using Wait = WaitForOne;
  GR_DEVICE Wait wait(vertex_t reader, const Around& around) { return {reader, around.last}; }
  using Answer = i32;
  GR_DEVICE Answer ask(const Wait& wait) { return load_relaxed(&p.colors[wait.u]); }
  GR_DEVICE Waited judge(const Wait&, Answer word) { return word < 0 ? Waited::longer : Waited::ready; }
};

// The first three of some vertices, and the number of all.
struct Three {
  static constexpr u32 NONE = 0x7fffffff;
  u32 u[3] = {NONE, NONE, NONE};
  int many = 0;
  GR_DEVICE void push(bool pushes, u32 x) {
    u[2] = pushes && many == 2 ? x : u[2];
    u[1] = pushes && many == 1 ? x : u[1];
    u[0] = pushes && many == 0 ? x : u[0];
    many += pushes;
  }
};

// A vertex, and up to three that it waits for. Their sign bits say which of the first four colors are taken. If
// the vertex waits for more, or another color is taken, it stands itself in the third place, and has to walk
// its list again.
struct alignas(16) Noted {
  static constexpr bool CHANGES = true;
  static constexpr int COLORS = 4;
  static constexpr u32 NAME = Three::NONE;
  u32 words[COLORS];

  GR_DEVICE static Noted none() { return {{NAME, NAME, NAME, NAME}}; }
  GR_DEVICE static Noted of(vertex_t v, const Three& open, u64 taken) {
    const bool more = open.many > 3 || taken >> COLORS;
    const u32 first = open.u[0], second = open.u[1], third = more ? u32(v) : open.u[2];
    const auto marked = [&](u32 name, int color) { return name | (u32(taken) >> color & 1) << 31; };
    return {{marked(u32(v), 0), marked(first, 1), marked(second, 2), marked(third, 3)}};
  }
  GR_DEVICE bool there() const { return name(0) != NAME; }
  GR_DEVICE vertex_t vertex() const { return vertex_t(name(0)); }
  GR_DEVICE bool has_more() const { return name(3) == name(0); }
  GR_DEVICE u32 name(int place) const { return words[place] & NAME; }
  GR_DEVICE bool waits_for(int place) const { return name(place) != NAME && (place < 3 || !has_more()); }
  GR_DEVICE u64 taken() const {
    return words[0] >> 31 | words[1] >> 31 << 1 | words[2] >> 31 << 2 | words[3] >> 31 << 3;
  }
};

struct Silent : Plain<Silent, Nothing> {
  GR_DEVICE static Nothing zero() { return {}; }
  GR_DEVICE static void join(Nothing&, const Nothing&) {}
};

// Notes the neighbours that a vertex waits for.
struct NoteWaits : Words {
  using Words::Words;
  u64 taken = 0;  // colors taken around the vertex whose list this thread folds
  Three open;

  GR_DEVICE void read(vertex_t reader) {
    Words::read(reader);
    taken = 0;
    open = {};
  }
  GR_DEVICE Nothing value(const Found& found) {
    const bool there = found.u >= 0, colored = there && found.word >= 0;
    taken |= colored ? u64(1) << found.word : 0;
    open.push(there && !colored && goes_first(found.u, found.word), u32(found.u));
    return {};
  }
  GR_DEVICE bool finish(vertex_t reader, Nothing) const {
    if (open.many == 0) paint(reader, taken);
    return open.many > 0;
  }
  using Wait = Noted;
  GR_DEVICE Wait wait(vertex_t reader, Nothing) const { return Noted::of(reader, open, taken); }
  struct Answer {
    i32 word[3];
  };
  GR_DEVICE Answer ask(const Wait& wait) const {
    Answer answer;
    GR_UNROLL
    for (int k = 0; k < 3; ++k)
      answer.word[k] = load_relaxed_if(wait.waits_for(k + 1), &p.colors[wait.name(k + 1)], -1);
    return answer;
  }
  GR_DEVICE Waited judge(Wait& wait, const Answer& answer) const {
    const vertex_t waiting = wait.vertex();
    const bool more = wait.has_more();
    u64 seen = wait.taken();
    Three left;
    GR_UNROLL
    for (int k = 0; k < 3; ++k) {
      seen |= answer.word[k] >= 0 ? u64(1) << answer.word[k] : 0;
      left.push(wait.waits_for(k + 1) && answer.word[k] < 0, wait.name(k + 1));
    }
    if (left.many == 0 && !more) paint(waiting, seen);
    if (left.many == 0) return more ? Waited::ready : Waited::done;
    if (more) left.many = 4;
    wait = Noted::of(waiting, left, seen);
    return Waited::longer;
  }
};

// Decides which of two vertices of the same degree goes first.
struct ByDegree {
  u32 seed;
  GR_DEVICE u32 rank(vertex_t v) const { return random_number(v, seed); }
};

enum Phase { RANK, COLOR };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Csr& lists = ctx.graph.csr;
#if GR_SHARED_CACHE == 2
    if (fits_in_pieces(ctx)) {
      ctx.show(COLOR, 0, n, ctx.graph.m);
      smallest_free_in_pieces(ctx, p.colors, (u32*)p.waits, ByDegree{u32(p.seed)});
      return false;
    }
#endif
    if (s.step == 0) {
      ctx.show(RANK, 0, n, 0);
      for_each_loaded<4>(ctx, n, [&](i64 v) { return lists.row(v).length; },
                         [&](i64 v, edge_t degree) { p.colors[v] = priority_word(p, vertex_t(v), degree); });
      return true;
    }
    ctx.show(COLOR, 0, n, ctx.graph.m);
    if constexpr (GR_NOTES) resolve<Silent, 1, 4>(ctx, Range{n}, lists, NoteWaits(p), p.waits);
    else resolve<Join, GR_LANES, 4>(ctx, Range{n}, lists, Look(p), p.waits);
    return false;
  }
};
