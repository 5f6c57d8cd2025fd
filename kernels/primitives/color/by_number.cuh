// Vertex coloring by Jones and Plassmann, by random numbers only, for very short lists: a vertex takes the
// smallest color that none of its neighbours of greater number has. A vertex knows from its list whom it waits
// for, without reading its neighbours' words or degrees (operators/by_rank.cuh) [D-number-1].
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/by_rank.cuh"

struct Problem {
  u8* words;  // colors; UNNUMBERED before
  u32* room;  // for by_rank.cuh
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
