// Chains followed in runs, for the tests, and the length of a run.
#include "core/enactor.cuh"
#include "operators/follow_in_runs.cuh"

struct Problem {
  vertex_t* links;
  const vertex_t* leads;
  i64* length;
};

enum Phase { FOLLOW };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(FOLLOW, 0, ctx.graph.n, 0);
    if (ctx.rank() == 0) *p.length = run_length(ctx);
    follow_in_runs<4>(ctx, p.links, [&](const i64 (&v)[4], i64 end, vertex_t (&to)[4]) {
      GR_UNROLL
      for (int k = 0; k < 4; ++k) to[k] = v[k] < end ? load_constant(&p.leads[v[k]]) : -1;
    });
    return true;
  }
};
