// An advance by value of a given frontier, for the tests: the values of its edges, up to a bound.
#include "core/enactor.cuh"
#include "operators/advance_by_value.cuh"
#include "operators/filter.cuh"

struct Problem {
  const u32* frontier;  // not 0: the vertex is in it
  i32* least;           // of the values that edges bring to a vertex
  u32* queued;          // how often it is in the next frontier
  i64 bound;
};

enum Phase { FILL, ADVANCE, READ };

struct Bring {
  using Own = i32;
  using Through = i32;
  const Problem& p;
  GR_DEVICE Own own(vertex_t v) const { return v % 5; }
  GR_DEVICE Through through(Own own, weight_t value) const { return own + value; }
  GR_DEVICE bool passes(Through through) const { return through <= p.bound; }
  GR_DEVICE bool peek(vertex_t d, Through through) const { return through < load_relaxed(&p.least[d]); }
  GR_DEVICE bool visit(vertex_t d, Through through) const { return through < atomic_min(&p.least[d], through); }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& lists = ctx.graph.csr;
    ctx.show(i32(s.step < 3 ? s.step : 2), s.step, s.in);
    if (s.step == 0) {
      filter<V>(ctx, s, Range{ctx.graph.n}, lists, Where([&](item_t v) { return p.frontier[v] != 0; }));
    } else if (s.step == 1) {
      Bring bring{p};
      advance_by_value(ctx, s, bring);
    } else if (s.step == 2) {
      const Frontier in = ctx.in(s);
      for_each_index(ctx, i64(in.size.count), [&](i64 i) { atomic_add(&p.queued[in.queue.items[i]], 1u); });
    } else {
      return false;
    }
    return true;
  }
};
