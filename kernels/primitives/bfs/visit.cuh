// What a breadth-first search does with an edge, however its steps are arranged. Pushed, an atomic claims each vertex
// once (visit_idempotent.cuh has another way); pulled, a vertex stops at the first parent.
// A Problem has labels and preds. Option: GR_MARK_PRED.
#pragma once
#include "core/bitmap.cuh"
#include "operators/advance.cuh"
#include "primitives/bfs/depths.cuh"

constexpr bool MARK_PRED = GR_MARK_PRED;

// Reaches the neighbours that are not yet visited.
template <class Problem>
struct Visit : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  Context& ctx;
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  u32* found;   // bitmap of the vertices that this step reaches, or null
  bool direct;  // few edges: latency counts rather than traffic, so go straight to the atomic
#if GR_COUNT_IN_EDGES
  u64 in_edges = 0;  // of the vertices that this thread has found
#endif
  GR_DEVICE Visit(Context& c, const Problem& problem, i32 d, u64 edges, u32* bits = nullptr)
      : ctx(c), p(problem), depth(d), found(bits), direct(is_latency_bound(c, edges)) {}

  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) {
    const IsNew label = depths().looks_new(asked && !direct, d);
    return direct && asked ? IsNew{-1} : label;
  }
  GR_DEVICE IsNew visit(bool asked, vertex_t, vertex_t d, edge_t) {
    if (asked) ctx.count(PAST_LABEL);
    return depths().claim(asked, d, depth);
  }
  // A single edge.
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e) { return peek(true, s, d, e); }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e) { return visit(true, s, d, e); }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t) {
    if constexpr (MARK_PRED) store_relaxed(&p.preds[d], s);
    if (found) bitmap_set(found, d);
#if GR_COUNT_IN_EDGES
    in_edges += u64(ctx.graph.reverse.row(d).length);
#endif
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }
};

// An unvisited vertex looks for a parent in the frontier: a bitmap or, without one, the vertices of its depth.
template <class Problem>
struct FindParent {
  const Problem& p;
  const u32* frontier;
  i32 depth;  // of the vertices found

  GR_DEVICE IsNew wants(vertex_t v) { return depths().is_new(v); }
  // The words loaded for s. True if s is in the frontier; tested only when the answer is used.
  struct Looked {
    Bit bit;
    i32 label, above;
    GR_DEVICE operator bool() const { return bit || label == above; }
  };
  GR_DEVICE Looked peek(bool asked, vertex_t s, vertex_t, edge_t) {
    return {bitmap_holds(asked && frontier, frontier, s),
            load_relaxed_if(asked && !frontier, depths().at(s), -1), depth - 1};
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }
  GR_DEVICE void apply(vertex_t s, vertex_t v, edge_t) {
    store_relaxed(depths().at(v), depth);
    if constexpr (MARK_PRED) p.preds[v] = s;
  }
};
