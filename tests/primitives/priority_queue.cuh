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
    u32 slot = 0;
    weight_t threshold = 0;
  };
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    u64* counts = control.counters;
    u64* least = control.counters + 3;
    auto pile = [&](u32 slot) {
      return Pile{p.far + slot % 2 * ctx.graph.n, &counts[slot % 3]};
    };
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    if (s.phase == FILL) {
      SliceCollector<Kind::vertex> collect(ctx, out, ctx.tail(s.step + 1), ctx.graph.csr, pile(0));
      for (i64 base = i64(ctx.block) * BLOCK; base < ctx.graph.n; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() < ctx.graph.n) collect.push(item_t(base + thread_id()), FAR);
      }
      collect.flush();
      if (ctx.rank() == 0)
        for (int i = 0; i < 3; ++i) store_relaxed(&least[i], ~u64(0));
      s.phase = SPLIT;
      return true;
    }
    if (s.phase == VISIT && s.in.count > 0) {
      compute(ctx, in, s.in, [&](item_t v) {
        p.rounds[v] = s.round;
        atomic_add(&p.visits[v], 1);
      });
      s.phase = SPLIT;
      return true;
    }
    const i64 count = i64(load_relaxed(pile(s.slot).count));
    if (count == 0) return false;
    const weight_t lower = s.threshold;
    s.threshold = lower + p.delta;
    SliceCollector<Kind::vertex> collect(ctx, out, ctx.tail(s.step + 1), ctx.graph.csr,
                                         pile(s.slot + 1));
    split(ctx, pile(s.slot).items, count, lower, s.threshold,
          [&](item_t v) { return p.priority[v]; }, collect, &least[(s.slot + 1) % 3]);
    if (ctx.rank() == 0) {
      store_relaxed(&counts[(s.slot + 2) % 3], u64(0));
      store_relaxed(&least[(s.slot + 2) % 3], ~u64(0));
    }
    ++s.slot;
    ++s.round;
    s.phase = VISIT;
    return true;
  }
};
