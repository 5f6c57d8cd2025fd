// Biconnected components: two edges belong together if a cycle without a repeated vertex has both. Cut vertices are those
// of edges of several components.
//
// A search by levels from a vertex of each connected component leaves a tree. Every other edge closes a cycle with it,
// and all tree edges on that cycle belong together; what cycles join in this way are the components (Tarjan and Vishkin,
// 1985). A tree edge is named by its lower end. In a search's tree no edge leads to an ancestor, except to a parent
// once more, so each cycle climbs from the two ends of an edge to two children of one vertex:
//   - A climb joins a vertex's edge to its parent's, and remembers so (`above`): the next climb skips what is joined.
//     The target is the same for whoever writes it, so a plain store does. Of two climbs the deeper goes on.
//   - Two children of one vertex at which a cycle turns are joined in a forest by roots (cc/forest.cuh).
// So all cycles take about as much work as the tree's edges and the other edges together, in a single step.
#pragma once
#include "core/enactor.cuh"
#include "operators/advance.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "primitives/cc/forest.cuh"

struct Problem {
  vertex_t* roots;       // of connected components; before, every vertex itself
  i32* depths;           // in the tree; NOT_FOUND before
  vertex_t* parents;     // in the tree; NOBODY for roots
  vertex_t* above;       // an ancestor whose edge belongs together with this vertex's; before, the vertex itself
  vertex_t* components;  // of the edge to the parent: a vertex whose edge is of the same; before, the vertex itself
  u32* cuts;             // 1 for cut vertices; 0 before
};

constexpr i32 NOT_FOUND = -1;
constexpr vertex_t NOBODY = -1;

// Gives both ends of an edge one root.
struct Connect : EdgeFunctor {
  vertex_t* roots;
  GR_DEVICE explicit Connect(vertex_t* forest) : roots(forest) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return u < v; }
  GR_DEVICE bool visit(vertex_t u, vertex_t v, edge_t) {
    unite(roots, u, v);
    return false;
  }
};

struct Find : EdgeFunctor {
  const Problem& p;
  i32 depth;  // of those that are found
  GR_DEVICE Find(const Problem& problem, i32 next) : p(problem), depth(next) {}
  GR_DEVICE bool peek(vertex_t, vertex_t v, edge_t) { return load_relaxed(&p.depths[v]) == NOT_FOUND; }
  GR_DEVICE bool visit(vertex_t, vertex_t v, edge_t) { return atomic_cas(&p.depths[v], NOT_FOUND, depth) == NOT_FOUND; }
  GR_DEVICE void apply(vertex_t u, vertex_t v, edge_t) { p.parents[v] = u; }
};

// Joins the tree's edges on the cycle that an edge closes.
struct Close : EdgeFunctor {
  const Problem& p;
  GR_DEVICE explicit Close(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return u < v && p.parents[u] != v && p.parents[v] != u; }
  GR_DEVICE bool visit(vertex_t u, vertex_t v, edge_t) {
    vertex_t a = top(u), b = top(v);
    while (a != b) {
      const vertex_t from_a = p.parents[a], from_b = p.parents[b];
      if (from_a == from_b) {
        unite(p.components, a, b);
        break;
      }
      const bool first = p.depths[a] >= p.depths[b];
      store_relaxed(&p.above[first ? a : b], first ? from_a : from_b);
      (first ? a : b) = top(first ? from_a : from_b);
    }
    return false;
  }

 private:
  // The highest ancestor that is known to be joined with v; the way there is halved.
  GR_DEVICE vertex_t top(vertex_t v) {
    for (;;) {
      const vertex_t next = load_relaxed(&p.above[v]);
      if (next == v) return v;
      const vertex_t beyond = load_relaxed(&p.above[next]);
      if (beyond == next) return next;
      store_relaxed(&p.above[v], beyond);
      v = beyond;
    }
  }
};

enum Phase { CONNECT, COMPRESS, BEGIN, LEVEL, CLOSE, JOIN, NAME, CUT };

struct Enactor {
  struct State : LoopState {  // the same in every thread
    i32 phase = CONNECT;
    i32 depth = 0;
  };

  GR_DEVICE static bool fits_block(const State& s) { return s.phase == LEVEL; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    if (s.phase == LEVEL && s.in.count > 0) {
      ctx.show(LEVEL, s.depth, s.in);
      advance<V, V>(ctx, s, Find(p, ++s.depth));
      return true;
    }
    if (s.phase == LEVEL) {  // for the whole grid to go on
      s.phase = CLOSE;
      return true;
    }
    const bool walks = s.phase == CONNECT || s.phase == CLOSE;
    ctx.show(s.phase, 0, n, walks ? ctx.graph.m : 0);
    switch (s.phase) {
      case CONNECT: advance_over<DefaultTileSchedule>(ctx, Range{n}, ctx.graph.csr, Connect(p.roots)); break;
      case COMPRESS: compress_range(ctx, p.roots, 0, n); break;
      case BEGIN: begin(ctx, p, s); break;
      case CLOSE: advance_over<DefaultTileSchedule>(ctx, Range{n}, ctx.graph.csr, Close(p)); break;
      case JOIN:
        for_each_index(ctx, n, [&](i64 v) {
          if (p.above[v] != v) unite(p.components, vertex_t(v), p.above[v]);
        });
        break;
      case NAME: compress_range(ctx, p.components, 0, n); break;
      case CUT:
        for_each_index(ctx, n, [&](i64 v) { cut(p, vertex_t(v)); });
        return false;
    }
    ++s.phase;
    return true;
  }

 private:
  GR_DEVICE static void begin(Context& ctx, const Problem& p, const State& s) {
    filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, Where([&](item_t v) {
      if (p.roots[v] != v) return false;
      p.depths[v] = 0;
      return true;
    }));
  }

  // Marks v's parent if v's edge is of another component than the parent's own or, of a root, than another child's. No
  // climb reads `above` any more: of a root it becomes a child's component.
  GR_DEVICE static void cut(const Problem& p, vertex_t v) {
    const vertex_t parent = p.parents[v], own = p.components[v];
    if (parent == NOBODY) return;
    vertex_t other = p.components[parent];
    if (p.parents[parent] == NOBODY) {
      const vertex_t before = atomic_cas(&p.above[parent], parent, own);
      other = before == parent ? own : before;
    }
    if (other != own) store_relaxed(&p.cuts[parent], 1u);
  }
};
