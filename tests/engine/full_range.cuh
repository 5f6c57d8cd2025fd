// Every vertex is queued by a filter over the whole range, then visited: the step's in-frontier is only
// the source, and its fits_block (GR_LIES) claims that a lone block can take it.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"

struct Problem {
  u32* visits;
  i64 source;
};

enum Phase { BEGIN, QUEUE, VISIT };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
  };
  GR_DEVICE static bool fits_block(const State& s) { return GR_LIES || s.phase == BEGIN; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.phase, s.step, s.in);
    if (s.phase == BEGIN) {
      seed<V>(ctx, s, item_t(p.source));
      s.phase = QUEUE;
    } else if (s.phase == QUEUE) {
      filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, VertexFunctor{});
      s.phase = VISIT;
    } else {
      compute(ctx, s, [&](item_t v) { atomic_add(&p.visits[v], 1u); });
      return false;
    }
    return true;
  }
};
