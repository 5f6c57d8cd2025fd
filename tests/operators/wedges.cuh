// An advance from edges to edges, for the tests: the number of walks of two edges that begin at each vertex
// and do not return. The functor knows by the edges' sources where the first edge begins.
#include "gunrock.cuh"

struct Problem {
  vertex_t* sources;
  u32* walks;  // that begin at each vertex
  u32* ended;  // that end there
};

struct GoOn : EdgeFunctor {
  using Carry = vertex_t;
  const Problem& p;
  GR_DEVICE explicit GoOn(const Problem& problem) : p(problem) {}
  GR_DEVICE void fetch(vertex_t, vertex_t, edge_t, item_t from, vertex_t& start) {
    start = load_constant(&p.sources[from]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t, vertex_t& start) { return d != start; }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, vertex_t& start) {
    atomic_add(&p.walks[start], 1u);
    atomic_add(&p.ended[d], 1u);
    return false;
  }
};

enum Phase { FILL, WALK };

struct Enactor {
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State& s) { return s.in.count > 0; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 1) return false;
    if (s.step == 0) filter<E>(ctx, s, Range{ctx.graph.m}, ctx.graph.csr, VertexFunctor{});
    else advance<E>(ctx, s, GoOn(p));
    return true;
  }
};
