// Vertices in the order of their priorities: all begin in the far pile, each split lets the next
// window in, and the near step writes down in which round a vertex came. For the tests of split.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/priority_queue.cuh"

struct Problem {
  weight_t* priority;
  i32* rounds;  // that a vertex was near in
  i32* visits;  // how often it was near
  item_t* far;  // two piles
  weight_t delta;
};

enum Phase { FILL, SPLIT, VISIT };

struct Enactor {
  struct State : LoopState {
    i32 phase = FILL;
    i32 round = 0;
    u32 turns = 0;
    weight_t threshold = 0;
  };
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    FarPiles far{p.far, ctx.graph.n, control.counters, s.turns};
    if (s.phase == FILL) {
      SliceCollector<V> collect(ctx, ctx.out(s), ctx.graph.csr, far.pile());
      for (i64 base = i64(ctx.block) * BLOCK; base < ctx.graph.n; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() < ctx.graph.n) collect.push(item_t(base + thread_id()), FAR);
      }
      collect.flush();
      if (ctx.rank() == 0) far.reset();
      s.phase = SPLIT;
      return true;
    }
    if (s.phase == VISIT && s.in.count > 0) {
      compute(ctx, s, [&](item_t v) {
        p.rounds[v] = s.round;
        atomic_add(&p.visits[v], 1);
      });
      s.phase = SPLIT;
      return true;
    }
    const i64 count = far.size();
    if (count == 0) return false;
    const weight_t lower = s.threshold;
    s.threshold = lower + p.delta;
    split<V>(ctx, s, far, count, lower, s.threshold, [&](item_t v) { return p.priority[v]; });
    ++s.round;
    s.phase = VISIT;
    return true;
  }
};
