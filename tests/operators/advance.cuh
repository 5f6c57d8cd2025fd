// One advance of a given frontier, for the tests: what was visited, what came out, with which lists.
// GR_IN, GR_OUT: 0 vertices, 1 edges. GR_SINGLE_BLOCK: one block may do it by itself. GR_INCOMING: the functor
// asks for the item that led to an edge. GR_TOGETHER: a warp searches together for the lists of its edges.
#include "core/enactor.cuh"
#include "operators/compute.cuh"

struct Problem {
  item_t* frontier;
  i64 count;
  u32* visits;      // of each edge
  u32* wrong;       // one word: a functor was given an edge that is none
  item_t* found;
  i64* found_size;  // items, and the edges of their lists
};

constexpr Kind IN = GR_IN ? Kind::edge : Kind::vertex, OUT = GR_OUT ? Kind::edge : Kind::vertex;
enum Phase { FILL, ADVANCE, COPY };

struct Visit : EdgeFunctor {
  static constexpr bool WARP_SEARCH = GR_TOGETHER;
  const Problem& p;
  const Csr& csr;
  GR_DEVICE Visit(const Problem& problem, const Csr& lists) : p(problem), csr(lists) {}
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return d % 5 != 4; }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e) {
    const Row row = csr.row(s);
    if (e < row.begin || e >= row.end() || csr.neighbor(e) != d) store_relaxed(p.wrong, 1u);
    return (d + e) % 3 != 0;
  }
  GR_DEVICE void apply(vertex_t, vertex_t, edge_t e) { atomic_add(&p.visits[e], 1u); }
};

// A functor that asks for the item that led to an edge.
struct VisitFrom : Visit {
  struct Carry {
    item_t from;
  };
  using Visit::Visit;
  GR_DEVICE void fetch(vertex_t, vertex_t, edge_t, item_t from, Carry& carry) { carry.from = from; }
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    if (list_of<IN>(carry.from, csr) != s) store_relaxed(p.wrong, 1u);
    return Visit::peek(s, d, e);
  }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    if (list_of<IN>(carry.from, csr) != s) store_relaxed(p.wrong, 1u);
    return Visit::visit(s, d, e);
  }
};

struct Enactor {
  struct State : LoopState {
    i32 phase = FILL;
  };
  GR_DEVICE static bool fits_block(const State&) { return GR_SINGLE_BLOCK; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& csr = ctx.graph.csr;
    if (s.phase == FILL) {
      Collector<IN> collect(ctx, ctx.out(s), csr);
      for (i64 base = i64(ctx.block) * BLOCK; base < p.count; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() < p.count) collect.push(p.frontier[base + thread_id()]);
      }
      collect.flush();
      s.phase = ADVANCE;
      return true;
    }
    if (s.phase == ADVANCE) {
#if GR_INCOMING
      advance<IN, OUT>(ctx, s, VisitFrom(p, csr));
#else
      advance<IN, OUT>(ctx, s, Visit(p, csr));
#endif
      s.phase = COPY;
      return true;
    }
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t item) { p.found[i] = item; });
    if (ctx.rank() == 0) {
      p.found_size[0] = s.in.count;
      p.found_size[1] = i64(s.in.edges);
    }
    return false;
  }
};
