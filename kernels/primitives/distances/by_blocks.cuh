// Searches one after the other by each block, in arrays of its own, which a Room stands for. Used by apart.cuh and
// lengths.cuh. A Room has
//   Room(ctx, problem)
//   clear(ctx, problem)   a step of the whole grid, before the first search
//   run(place)            the search from the source of this place, by the whole block
// and its Problem says which sources (`portion`), and how many blocks have arrays (`rooms`).
#pragma once
#include "core/enactor.cuh"
#include "primitives/distances/portion.cuh"

// CLEAR and SEARCH are the two kinds of steps, as a trace shows them.
template <class Room, class Problem, int CLEAR, int SEARCH>
struct ByBlocks : WholeGridEnactor {
  static constexpr i64 TURNS = 2;  // sources of a block per step
  struct State : LoopState {
    i64 next = -1;  // source; before the first, what another kernel has begun is cleared
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 working = ctx.blocks < p.rooms ? ctx.blocks : p.rooms;
    if (s.next < 0) {
      ctx.show(CLEAR, 0, ctx.graph.n, 0);
      Room::clear(ctx, p);
      s.next = Portion(ctx, p.portion).first;
      return true;
    }
    const i64 left = Portion(ctx, p.portion).end - s.next;
    if (left <= 0) return false;
    ctx.show(SEARCH, s.next, left < TURNS * working ? left : TURNS * working, 0);
    if (ctx.block < working) {
      const Room room(ctx, p);
      for (i64 turn = 0, place = ctx.block; turn < TURNS && place < left; ++turn, place += working)
        room.run(s.next + place);
    }
    s.next += TURNS * working;
    return true;
  }
};
