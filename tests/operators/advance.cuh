// One advance of a given frontier, for the tests: what was visited, what came out, with which lists.
// GR_IN, GR_OUT: 0 vertices, 1 edges. GR_ALONE: one block may do it by itself.
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
  const Problem& p;
  const Csr& csr;
  GR_DEVICE Visit(const Problem& problem, const Csr& lists) : p(problem), csr(lists) {}
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return d % 5 != 4; }
  GR_DEVICE bool cond_edge(vertex_t s, vertex_t d, edge_t e) {
    if (e < csr.row_offsets[s] || e >= csr.row_offsets[s + 1] || csr.column_indices[e] != d)
      store_relaxed(p.wrong, 1u);
    return (d + e) % 3 != 0;
  }
  GR_DEVICE void apply_edge(vertex_t, vertex_t, edge_t e) { atomic_add(&p.visits[e], 1u); }
};

struct Enactor {
  struct State : LoopState {
    i32 phase = FILL;
  };
  GR_DEVICE static bool fits_block(const State&) { return GR_ALONE; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    u64* tail = ctx.tail(s.step + 1);
    const Csr& csr = ctx.graph.csr;
    if (s.phase == FILL) {
      Collector<IN> collect(ctx, out, tail, csr);
      for (i64 base = i64(ctx.block) * BLOCK; base < p.count; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() < p.count) collect.push(p.frontier[base + thread_id()]);
      }
      collect.flush();
      s.phase = ADVANCE;
      return true;
    }
    if (s.phase == ADVANCE) {
      Visit visit(p, csr);
      advance<IN, OUT>(ctx, csr, in, s.in, out, tail, csr, visit);
      s.phase = COPY;
      return true;
    }
    for_each_index(ctx, s.in.count, [&](i64 i) { p.found[i] = in.items[i]; });
    if (ctx.rank() == 0) {
      p.found_size[0] = s.in.count;
      p.found_size[1] = i64(s.in.edges);
    }
    return false;
  }
};
