// Queues of edges, for the tests: the lists of a given frontier are copied out; then (GR_TWICE) the lists of
// the ends that a functor keeps; and the ends that the functor keeps of these are counted.
#include "core/enactor.cuh"
#include "operators/edge_queue.cuh"
#include "operators/filter.cuh"

struct Problem {
  const u32* frontier;  // not 0: the vertex is in it
  u32* asked;           // how often an edge's end was visited
  u32* from;            // the sources of these edges, added up
  u32* kept;            // how often a vertex is in the last frontier
};

enum Phase { FILL, COPY, AGAIN, CONTRACT, READ };

struct KeepFirst : EdgeFunctor {  // only a vertex's first edge, and no multiple of three
  const Problem& p;
  GR_DEVICE explicit KeepFirst(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return d % 3 != 0; }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    atomic_add(&p.from[d], u32(s));
    return atomic_add(&p.asked[d], 1u) == 0;
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& lists = ctx.graph.csr;
    ctx.show(i32(s.step < 4 ? s.step : 4), s.step, s.in);
    switch (s.step) {
      case 0:
        filter<V>(ctx, s, Range{ctx.graph.n}, lists, Where([&](item_t v) { return p.frontier[v] != 0; }));
        return true;
      case 1: expand_vertices(ctx, s); return true;
      case 2:
#if GR_TWICE
        contract_expand(ctx, s, KeepFirst(p));
#else
        contract_edges<V>(ctx, s, KeepFirst(p));
#endif
        return true;
      case 3: {
        const Frontier in = ctx.in(s);
        for_each_index(ctx, i64(in.size.count), [&](i64 i) { atomic_add(&p.kept[end_of(in.queue.items[i])], 1u); });
        return true;
      }
    }
    return false;
  }
};
