// Queues the hub of a star `times` times, by the stage or (if it holds fewer) by single items, and
// reports the size of the next step's frontier. GR_SLICES: by a priority queue's collector.
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/priority_queue.cuh"

struct Problem {
  i64 times;
  i64 alone;       // thread 0 pushes them all
  item_t* far;
  i64* found;      // items, edges
};

#if GR_SLICES
using Collect = SliceCollector<V>;
GR_DEVICE void push(Collect& collect) { collect.push(0, NEAR); }
#else
using Collect = Collector<V>;
GR_DEVICE void push(Collect& collect) { collect.push(0); }
#endif

template <class C>
GR_DEVICE void push_all(Context& ctx, const Problem& p, C& collect) {
  if (p.alone) {
    if (ctx.rank() == 0) for (i64 i = 0; i < p.times; ++i) push(collect);
  } else {
    for (i64 base = i64(ctx.block) * BLOCK; base < p.times; base += ctx.threads()) {
      collect.make_room(BLOCK);
      if (base + thread_id() < p.times) push(collect);
    }
  }
  collect.flush();
}

struct Enactor {
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State&) { return GR_SINGLE_BLOCK; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.step == 0) {
#if GR_SLICES
      Collect collect(ctx, ctx.out(s), ctx.graph.csr, Pile{p.far, &control.counters[0]});
#else
      Collect collect(ctx, ctx.out(s), ctx.graph.csr);
#endif
      push_all(ctx, p, collect);
      return true;
    }
    if (ctx.rank() == 0) {
      p.found[0] = s.in.count;
      p.found[1] = i64(s.in.edges);
    }
    return false;
  }
};
