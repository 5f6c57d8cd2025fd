// Vertex coloring by Jones and Plassmann, by random numbers alone, where lists are very short: a vertex
// takes the smallest color that none of its neighbours of greater number has. Whom a vertex waits for follows
// from its list, without a look at its neighbours or their degrees (operators/by_rank.cuh) [D-number-1].
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/by_rank.cuh"

struct Problem {
  u8* words;  // colors; UNNUMBERED before
  u32* room;  // by_rank.cuh's
  i64 seed;
};

struct ByNumber {
  u32 seed;
  GR_DEVICE u32 rank(vertex_t v) const { return quick_number(v, seed); }
};

enum Phase { COLOR };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State&) {
    ctx.show(COLOR, 0, ctx.graph.n, ctx.graph.m);
    smallest_free_by_rank(ctx, p.words, p.room, ByNumber{u32(p.seed)});
    return false;
  }
};
