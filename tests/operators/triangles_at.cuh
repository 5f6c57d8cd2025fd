// The triangles of given edges, for the tests: how many each edge has, and what entries they were told by.
// Options: GR_ONCE.
#include "core/enactor.cuh"
#include "operators/gather.cuh"
#include "operators/triangles_at.cuh"

struct Problem {
  edge_t* edges;   // those of `who`
  i64 count;
  edge_t* twins;
  i64* counts;     // of edges, by entries
  i64* sums;       // of edges: the product of the entries that tell a triangle, summed
  i64* third;      // of edges: triangles that others told, as one of both entries
  i64* queued;     // how often each edge came to the next frontier
};

struct Note : TriangleFunctor {
  static constexpr bool ONCE = GR_ONCE;
  const Problem& p;
  const TwinEdges edges;
  GR_DEVICE Note(const Problem& problem, const TwinEdges& all) : p(problem), edges(all) {}
  GR_DEVICE bool peek(edge_t a) { return edges.lists.neighbor(a) % 5 != 4; }
  template <class C>
  GR_DEVICE void visit(edge_t e, edge_t a, edge_t b, C& collect) {
    atomic_add(&p.counts[e], i64(1));
    atomic_add(&p.sums[e], i64(a) * b);
    atomic_add(&p.third[edges.of(a)], i64(1));
    atomic_add(&p.third[edges.of(b)], i64(1));
    collect.push(item_t(e));
  }
};

enum Phase { LINK, FIND, READ };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const TwinEdges edges = {ctx.graph.csr, p.twins};
    if (s.step == 0) {
      ctx.show(LINK, 0, ctx.graph.n, ctx.graph.m);
      gather<Sum<i32>>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, FindTwins(ctx.graph.csr, p.twins));
    } else if (s.step == 1) {
      ctx.show(FIND, 0, p.count, 0);
      Note note(p, edges);
      triangles_at(ctx, s, Listed<edge_t>{p.edges, p.count}, edges, note);
    } else if (s.step == 2) {
      ctx.show(READ, 0, s.in);
      for_each_index(ctx, s.in.count, [&](i64 i) { atomic_add(&p.queued[ctx.in(s).queue.items[i]], i64(1)); });
    }
    return s.step < 2;
  }
};
