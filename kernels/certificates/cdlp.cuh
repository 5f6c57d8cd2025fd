// Certificate of label propagation: it goes through the iterations again, and counts in another way. A table holds how
// often each pair of a vertex and a label occurs over all entries of its lists; then each vertex takes the most frequent
// of its labels, of several the smallest. The table is as large as the lists, so vertices go through it in several parts.
// If the run has ended early, its last iteration must change nothing. An asynchronous iteration is two steps, in which
// halves of the vertices take labels in turn, and keep their own if none is more frequent.
#pragma once
#include "certificates/proof.cuh"
#include "math/hash.cuh"

struct Problem {
  i32* communities;
  i32* labels;     // of the iteration, at first the vertices' numbers
  u64* best;       // of each vertex: the complement of the count above the label plus one, 0 for a label that it keeps
  u64* keys;       // `capacity` slots: a vertex above a label, NONE if free
  u32* counts;
  i64 capacity;
  i64 parts;       // vertex v belongs to part v % parts
  i64 iterations;  // steps, if asynchronous
  i64 steps;       // of an iteration: 2 if asynchronous
  i64 settles;     // true if more were asked for
  i64 directed;
  u64* broken;
  i64* first;
};

enum Condition { LABEL, MOVES };

struct Enactor : WholeGridEnactor {
  enum Stage { CLEAR, COUNT, CHOOSE, TAKE };
  struct State : LoopState {
    i32 stage = CLEAR;
    i64 iteration = 0, part = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (s.iteration == p.iterations) {
      for_each_vertex(ctx, [&](vertex_t v) { tally.require(p.communities[v] == p.labels[v], LABEL, v); });
      return false;
    }
    switch (s.stage) {
      case CLEAR:
        for (i64 i = ctx.rank(); i < p.capacity; i += ctx.threads()) {
          p.keys[i] = NONE;
          p.counts[i] = 0;
        }
        for_each_vertex(ctx, [&](vertex_t v) {
          if (s.part == 0) p.best[v] = NONE;
        });
        s.stage = COUNT;
        break;
      case COUNT:
        for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
          count(p, s, u, v);
          if (p.directed) count(p, s, v, u);
        });
        s.stage = CHOOSE;
        break;
      case CHOOSE:
        for (i64 i = ctx.rank(); i < p.capacity; i += ctx.threads()) {
          if (p.keys[i] == NONE) continue;
          const u64 v = p.keys[i] >> 32;
          const u32 label = u32(p.keys[i]);
          const bool keeps = p.steps > 1 && label == u32(p.labels[v]);
          atomic_min(&p.best[v], u64(~p.counts[i]) << 32 | (keeps ? 0 : label + 1));
        }
        s.stage = ++s.part < p.parts ? CLEAR : TAKE;
        break;
      case TAKE:
        for_each_vertex(ctx, [&](vertex_t v) {
          if (p.best[v] == NONE || !has_turn(p, s, v) || u32(p.best[v]) == 0) return;
          const i32 label = i32(u32(p.best[v]) - 1);
          tally.require(label == p.labels[v] || !p.settles || s.iteration + p.steps < p.iterations, MOVES, v);
          p.labels[v] = label;
        });
        s.stage = CLEAR;
        s.part = 0;
        ++s.iteration;
    }
    return true;
  }

 private:
  static constexpr u64 NONE = ~u64(0);

  // True if v takes a label in this step.
  GR_DEVICE static bool has_turn(const Problem& p, const State& s, vertex_t v) {
    if (p.steps == 1) return true;
    return i64(scramble(u32(v) ^ scramble(u32(s.iteration / p.steps))) & 1u) == s.iteration % p.steps;
  }

  // Counts the label of u once more for v.
  GR_DEVICE static void count(const Problem& p, const State& s, vertex_t v, vertex_t u) {
    if (v % p.parts != s.part) return;
    const u64 key = u64(v) << 32 | u32(p.labels[u]);
    u64 i = (key * 0x9e3779b97f4a7c15ull >> 20) % u64(p.capacity);
    for (;; i = i + 1 == u64(p.capacity) ? 0 : i + 1) {
      u64 held = load_relaxed(&p.keys[i]);
      if (held == NONE) held = atomic_cas(&p.keys[i], NONE, key);
      if (held == NONE || held == key) break;
    }
    atomic_add(&p.counts[i], 1u);
  }
};
