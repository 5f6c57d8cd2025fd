// Core numbers: the greatest k such that the vertex belongs to a subgraph in which every vertex has k edges.
// Undirected graphs; loops do not count, parallel edges each do.
//
// By peeling (Matula and Beck 1983; Kabir and Madduri 2017): for k = 0, 1, ..., the vertices that have k edges left
// are removed, and those that fall to k thereby. The order within a level does not matter, so blocks follow what they
// remove by themselves (operators/cascade.cuh), and a level is one or two steps, however long its chains. A level
// looks at a list of what is left, which is shortened when half of it is gone, and when a level has found nothing:
// that also tells the next level at which there is something to find.
//
// A vertex that is removed takes a number before it takes edges from its neighbours, so at most as many of its
// neighbours have greater numbers as it had edges left; the certificate needs no more. Some numbers are left out.
#pragma once
#include "core/enactor.cuh"
#include "operators/cascade.cuh"
#include "operators/gather.cuh"
#include "operators/reduce.cuh"

struct Problem {
  i32* left;       // of a vertex that is not removed yet: its edges to others that are not; negative of others
  i32* cores;
  u32* numbers;    // of vertices, in the order in which they were removed
  vertex_t* lists;  // two lists of n vertices
  i64* found;      // how many vertices a step removed; a word each for three steps in turn, zero before
  i32* least;      // the fewest edges left; likewise, the greatest number before
  u32* next_number;  // zero before
  i32* counters;   // of the list that is made, likewise; zero before
};

// The next place in an array, for each of the threads that call.
GR_DEVICE i32 draw(i32* counter) {
  if constexpr (WARP > 1) return reserve(counter);
  else return atomic_add(counter, 1);
}

constexpr i32 MOST = 0x7fffffff;

// The words of this step and of the previous one. Words are told between steps that follow each other, as some blocks
// begin a step while others still read.
struct Words {
  const Problem& p;
  u32 step;
  GR_DEVICE i64* found() const { return &p.found[step % 3]; }
  GR_DEVICE i32* least() const { return &p.least[step % 3]; }
  GR_DEVICE i32* listed() const { return &p.counters[step % 3]; }
  GR_DEVICE Words previous() const { return {p, step + 2}; }
  GR_DEVICE void clear_next(const Context& ctx) const {
    const Words next = {p, step + 1};
    if (ctx.rank() != 0) return;
    store_relaxed(next.found(), i64(0));
    store_relaxed(next.least(), MOST);
    store_relaxed(next.listed(), 0);
  }
};

struct CountEdges : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return u != v; }
  GR_DEVICE bool finish(vertex_t v, i64 total) { p.left[v] = i32(total); return false; }
};

// Removes vertices that have at most k edges left.
struct Peel {
  const Problem& p;
  i32 k;
  i64 count = 0;
  GR_DEVICE bool starts(vertex_t v) { return u32(load_relaxed(&p.left[v])) <= u32(k); }
  GR_DEVICE u32 numbers(int many) { return atomic_add(p.next_number, u32(many)); }
  struct Claim { i32 left; };
  GR_DEVICE Claim claim(vertex_t v) { return {atomic_exchange(&p.left[v], -1)}; }
  GR_DEVICE bool take(vertex_t v, const Claim& claim, u32 number) {
    if (claim.left < 0) return false;
    p.cores[v] = k;
    p.numbers[v] = number;
    ++count;
    return true;
  }
  GR_DEVICE bool peek(vertex_t u) { return load_relaxed(&p.left[u]) > k; }
  GR_DEVICE bool visit(vertex_t u) { return atomic_add(&p.left[u], -1) == k + 1; }
};

enum Phase { COUNT, PEEL, SHRINK };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {  // the same in every thread
    i32 k = 0;
    i32 last = COUNT;    // what the previous step did
    u32 lists_made = 0;
    i64 removed = 0;
    i64 of_level = 0;    // removed at this k
    i64 listed = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Words words = {p, s.step};
    words.clear_next(ctx);
    if (s.step == 0) {
      ctx.show(COUNT, 0, n, ctx.graph.m);
      gather<Sum<i32>>(ctx, s, Range{n}, ctx.graph.csr, CountEdges{{}, p});
      s.listed = n;
      return true;
    }
    take_in(words.previous(), s);
    if (s.removed == n) return false;
    const i64 there = n - s.removed;
    if (s.in.count > 0) {  // what blocks could not follow
      peel(ctx, p, s, words, members(ctx.in(s)));
    } else if (s.last == PEEL && (s.of_level == 0 || 2 * there < s.listed)) {
      ctx.show(SHRINK, s.k, s.listed, 0);
      shrink(ctx, p, s, words);
    } else {
      if (s.last == PEEL) ++s.k;
      s.of_level = 0;
      peel(ctx, p, s, words, ListedOrRange<vertex_t>{list(p, s, n), s.listed});
    }
    return true;
  }

 private:
  // Takes in what the previous step has told.
  GR_DEVICE static void take_in(const Words& told, State& s) {
    if (s.last == PEEL) {
      const i64 found = load_relaxed(told.found());
      s.removed += found;
      s.of_level += found;
    } else if (s.last == SHRINK) {
      s.listed = load_relaxed(told.listed());
      s.k = load_relaxed(told.least());
      ++s.lists_made;
    }
  }

  // The vertices that may be left; null for all.
  GR_DEVICE static vertex_t* list(const Problem& p, const State& s, i64 n) {
    return s.lists_made == 0 ? nullptr : p.lists + (s.lists_made % 2) * n;
  }

  template <class Who>
  GR_DEVICE static void peel(Context& ctx, const Problem& p, State& s, const Words& words, const Who& who) {
    ctx.show(PEEL, s.k, who.count, 0);
    Peel functor{p, s.k};
    cascade(ctx, s, who, ctx.graph.csr, functor);
    fold_grid<Sum<i64>>(ctx, functor.count, words.found());
    s.last = PEEL;
  }

  // Lists what is left, and finds the fewest edges of any.
  GR_DEVICE static void shrink(Context& ctx, const Problem& p, State& s, const Words& words) {
    const i64 n = ctx.graph.n;
    const ListedOrRange<vertex_t> all = {list(p, s, n), s.listed};
    vertex_t* const made = p.lists + ((s.lists_made + 1) % 2) * n;
    i32 least = MOST;
    for_each_index(ctx, all.count, [&](i64 i) {
      const vertex_t v = vertex_t(all.at(i));
      const i32 left = load_relaxed(&p.left[v]);
      if (left < 0) return;
      made[draw(words.listed())] = v;
      least = left < least ? left : least;
    });
    fold_grid<Least<i32>>(ctx, least, words.least());
    s.last = SHRINK;
  }
};
