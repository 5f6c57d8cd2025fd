// The smallest number that no neighbour before it has, in pieces of the graph, for the tests.
#include "core/enactor.cuh"
#include "operators/in_pieces.cuh"

struct Problem {
  i32* numbers;
  u32* room;
  u32* ranks;
};

struct Ranked {
  const u32* ranks;
  GR_DEVICE u32 rank(vertex_t v) const { return ranks[v]; }
};

enum Phase { NUMBER, TOO_LARGE };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State&) {
    ctx.show(fits_in_pieces(ctx) ? NUMBER : TOO_LARGE, 0, ctx.graph.n, 0);
    if (fits_in_pieces(ctx)) smallest_free_in_pieces(ctx, p.numbers, p.room, Ranked{p.ranks});
    return false;
  }
};
