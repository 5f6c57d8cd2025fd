// Every vertex is queued by a filter over the whole range, then visited: a step whose in-frontier is
// the source alone, and whose fits_block (GR_LIES) says that a lone block can take it.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"

struct Problem {
  u32* visits;
  i64 source;
};

struct All {
  GR_DEVICE bool cond_vertex(item_t) { return true; }
  GR_DEVICE void apply_vertex(item_t) {}
};

enum Phase { BEGIN, QUEUE, VISIT };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
  };
  GR_DEVICE static bool fits_block(const State& s) { return GR_LIES || s.phase == BEGIN; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& csr = ctx.graph.csr;
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    u64* tail = ctx.tail(s.step + 1);
    ctx.show(s.phase, s.step, s.in);
    if (s.phase == BEGIN) {
      if (ctx.block == 0) seed<Kind::vertex>(ctx, out, tail, csr, item_t(p.source));
      s.phase = QUEUE;
    } else if (s.phase == QUEUE) {
      All all;
      filter_range<Kind::vertex>(ctx, ctx.graph.n, out, tail, csr, all);
      s.phase = VISIT;
    } else {
      compute(ctx, in, s.in, [&](item_t v) { atomic_add(&p.visits[v], 1u); });
      return false;
    }
    return true;
  }
};
