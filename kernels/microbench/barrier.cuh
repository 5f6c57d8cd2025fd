// What an empty level costs: the barrier between two steps. GR_SINGLE_BLOCK: for a single block; else for the
// whole grid or, with --loop host, a launch.
#pragma once
#include "microbench/replay.cuh"

struct Problem {
  i64 levels;
  u32* arrived;  // for each block, the number of steps that it has begun
  u64* broken;   // how often a block was found behind
};

enum Phase { NOTHING };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return GR_SINGLE_BLOCK; }

  // Every block records its step, and checks that its neighbour was in the previous one.
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    ctx.show(NOTHING, s.step, 0, 0);
    if (thread_id() == 0) {
      const int next = ctx.block + 1 < ctx.blocks ? ctx.block + 1 : 0;
      if (load_relaxed(&p.arrived[next]) < s.step) atomic_add(p.broken, u64(1));
      store_relaxed(&p.arrived[ctx.block], s.step + 1);
    }
    return true;
  }
};
