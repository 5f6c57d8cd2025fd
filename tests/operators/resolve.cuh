// Levels by resolve, for the tests: a vertex's is one more than the greatest of its neighbours of greater rank, for
// which it waits. GR_SHARERS: threads that share a list. GR_SOME: of a frontier, not of all vertices.
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/resolve.cuh"

struct Problem {
  const i32* ranks;  // all different
  i32* levels;       // -1 before
  u64* room;
};

enum Phase { FILL, SETTLE };

struct Level : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const Csr& lists;
  bool fresh = false;
  GR_DEVICE Level(const Problem& problem, const Csr& all) : p(problem), lists(all) {}

  GR_DEVICE bool waits_for(vertex_t u, vertex_t v) const { return p.ranks[u] > p.ranks[v]; }
  GR_DEVICE void read(vertex_t) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return waits_for(u, v) && load_relaxed(&p.levels[u]) < 0; }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& open) {
    if (open.found()) return true;
    i32 level = 0;
    const Row row = lists.row(v);
    for (edge_t e = row.begin; e < row.end(); ++e) {
      const vertex_t u = lists.neighbor(e);
      const i32 before = waits_for(u, v) ? load_relaxed(&p.levels[u]) : -1;
      if (before >= level) level = before + 1;
    }
    store_relaxed(&p.levels[v], level);
    return false;
  }
  using Answer = i32;
  GR_DEVICE Wait wait(vertex_t v, const Entry& open) { return {v, open.u}; }
  GR_DEVICE Answer ask(const Wait& wait) { return load_relaxed(&p.levels[wait.u]); }
  GR_DEVICE Waited judge(const Wait&, Answer level) { return level < 0 ? Waited::longer : Waited::ready; }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& lists = ctx.graph.csr;
    ctx.show(s.step ? SETTLE : FILL, s.step, s.in);
    if (s.step > 1) return false;
    if (s.step == 0) {
      filter<V>(ctx, s, Range{ctx.graph.n}, lists, Where([&](item_t) { return true; }));
      return true;
    }
#if GR_SOME
    resolve<First, GR_SHARERS, 2>(ctx, members(ctx.in(s)), lists, Level(p, lists), p.room);
#else
    resolve<First, GR_SHARERS, 2>(ctx, Range{ctx.graph.n}, lists, Level(p, lists), p.room);
#endif
    return true;
  }
};
