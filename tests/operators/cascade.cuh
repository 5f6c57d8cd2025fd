// What can be reached from marked vertices, each of which is visited once, for the tests of cascade.
#include "core/enactor.cuh"
#include "operators/cascade.cuh"

struct Problem {
  i32* marks;    // 1: a beginning; 2: found; 3: taken
  i64* visits;   // how often each vertex was taken
};

struct Reach {
  const Problem& p;
  GR_DEVICE bool starts(vertex_t v) {
    const i32 mark = load_relaxed(&p.marks[v]);
    return mark == 1 || mark == 2;
  }
  struct Claim { i32 mark; };
  GR_DEVICE Claim claim(vertex_t v) { return {atomic_exchange(&p.marks[v], 3)}; }
  GR_DEVICE u32 numbers(int) { return 0; }
  GR_DEVICE bool take(vertex_t v, const Claim& claim, u32) {
    if (claim.mark == 3) return false;
    atomic_add(&p.visits[v], i64(1));
    return true;
  }
  GR_DEVICE bool peek(vertex_t u) { return load_relaxed(&p.marks[u]) == 0; }
  GR_DEVICE bool visit(vertex_t u) { return atomic_cas(&p.marks[u], 0, 2) == 0; }
};

enum Phase { FOLLOW };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0 && s.in.count == 0) return false;
    ctx.show(FOLLOW, s.step, ctx.graph.n, 0);
    Reach reach{p};
    if (s.step == 0) cascade(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, reach);
    else cascade(ctx, s, members(ctx.in(s)), ctx.graph.csr, reach);
    return true;
  }
};
