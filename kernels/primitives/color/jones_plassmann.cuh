// Vertex coloring by Jones and Plassmann (1993), the largest degree first: a vertex takes the smallest
// color that none of its neighbours of higher priority has. What comes out is the coloring of a loop over
// the vertices by falling priority, whatever the schedule.
//
// The orders of neighbours make a graph without cycles; its levels are the frontiers. A vertex counts its
// neighbours of higher priority (COUNT); each that is colored takes one away, and the last to do so puts it
// into the next frontier. A frontier's neighbours of higher priority have their colors, the others have none
// yet: one walk through a list finds the colors that are taken and the vertices that wait, and no priority is
// looked at again.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/gather.cuh"
#include "operators/smallest_free.cuh"

struct Problem {
  i32* colors;   // -1 at first
  i32* waiting;  // for how many neighbours
  u64* keys;     // degree above a random number; the greater goes first
  i64 seed;
};

struct CountEarlier : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  vertex_t reader = -1;  // whose list this thread looks at, and its key
  u64 key = 0;
  GR_DEVICE explicit CountEarlier(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) {
    if (v != reader) {
      reader = v;
      key = p.keys[v];
    }
    return p.keys[u] > key;
  }
  GR_DEVICE bool finish(vertex_t v, i64 earlier) {
    p.waiting[v] = i32(earlier);
    return earlier == 0;
  }
};

// Colors the vertices of a frontier, no two of which are neighbours.
struct Paint {
  const Problem& p;
  GR_DEVICE i32 number(vertex_t u) { return load_cached(&p.colors[u]); }  // of an earlier frontier, or -1
  // Takes one from what u waits for; keeps it when that was the last.
  GR_DEVICE bool visit(vertex_t u, vertex_t v) {
    return u != v && atomic_add(&p.waiting[u], -1) == 1;
  }
  GR_DEVICE void finish(vertex_t v, i32 free) { store_relaxed(&p.colors[v], free); }
};

enum Phase { RANK, COUNT, COLOR };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State& s) { return s.step > 1 && s.in.count > 0; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const Csr& lists = ctx.graph.csr;
    if (s.step == 0) {
      ctx.show(RANK, 0, n, 0);
      for_each_index(ctx, n, [&](i64 v) {
        p.keys[v] = keyed(u32(lists.row(v).length), random_number(vertex_t(v), u32(p.seed)));
      });
    } else if (s.step == 1) {
      ctx.show(COUNT, 0, n, ctx.graph.m);
      gather<Sum<i32>, UsualTiers, V>(ctx, s, Range{n}, lists, CountEarlier(p));
    } else {
      ctx.show(COLOR, s.step - 2, s.in);
      if (s.in.count == 0) return false;
      smallest_free<V>(ctx, s, members(ctx.in(s)), lists, Paint{p});
    }
    return true;
  }
};
