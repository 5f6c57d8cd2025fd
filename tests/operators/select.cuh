// The K greatest of the values (select), for the tests: selected, then sorted.
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/select.cuh"

struct Problem {
  const float* values;
  vertex_t* best;   // the greatest first; the rest stays as it is
  i64* found;       // one word: their number
  u32* histograms;
  i64 wanted;
};

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    bool begun = false, selected = false;
    Selection select;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    auto value = [&](i64 i) { return p.values[i]; };
    if (!s.begun) s.select = Selection(p.wanted);
    s.begun = true;
    if (s.selected) {
      rank_items(ctx, members(ctx.in(s)), value, [&](i64 place, i64 i) { p.best[place] = vertex_t(i); });
      if (ctx.rank() == 0) *p.found = i64(s.in.count);
      return false;
    }
    if (s.select.narrow(ctx, p.histograms, ctx.graph.n, value)) return true;
    filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr,
              Where([&](item_t i) { return s.select.takes(value(i), i); }));
    s.selected = true;
    return true;
  }
};
