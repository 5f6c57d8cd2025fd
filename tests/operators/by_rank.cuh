// Smallest free numbers by rank, for the tests.
#include "core/enactor.cuh"
#include "operators/by_rank.cuh"

struct Problem {
  const u32* ranks;
  u8* words;
  u32* room;
};

struct Given {
  const u32* ranks;
  GR_DEVICE u32 rank(vertex_t v) const { return load_constant(&ranks[v]); }
};

enum Phase { NUMBER };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(NUMBER, 0, ctx.graph.n, 0);
    smallest_free_by_rank(ctx, p.words, p.room, Given{p.ranks});
    return true;
  }
};
