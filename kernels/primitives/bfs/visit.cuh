// What a breadth-first search does with an edge, however its steps are arranged. Exact: an atomic claims each
// vertex once. Idempotent: plain stores; duplicates are harmless and are culled if that is cheap (with
// GR_CULL_GRID, an atomic claims the vertices that a block finds in its only pass). Included by all BFS
// strategies.
// A Problem has labels, preds and visited. Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_CULL_*.
#pragma once
#include "core/bitmap.cuh"
#include "operators/advance.cuh"
#include "operators/culling.cuh"
#include "primitives/bfs/depths.cuh"

constexpr bool IDEMPOTENT = GR_IDEMPOTENCE, MARK_PRED = GR_MARK_PRED;

// Reaches the neighbours that are not yet visited.
template <class Problem>
struct Visit : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true, OWNER_TAGS = IDEMPOTENT;
  Context& ctx;
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  u32* found;   // bitmap of the vertices that this step reaches, or null
  bool direct;  // few edges: latency counts rather than traffic, so go straight to the atomic or the label
  bool blind;   // even fewer edges: an idempotent search that claims by atomics does not test the label either
#if GR_COUNT_IN_EDGES
  u64 in_edges = 0;  // of the vertices that this thread has found
#endif
  GR_DEVICE Visit(Context& c, const Problem& problem, i32 d, u64 edges, u32* bits = nullptr)
      : ctx(c), p(problem), depth(d), found(bits),
        direct(IDEMPOTENT ? fits_one_pass(c, edges) : is_latency_bound(c, edges)),
        blind(IDEMPOTENT && is_latency_bound(c, edges)) {}

  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) {
    if constexpr (IDEMPOTENT) {
      if (!direct) asked = asked && survives_bitmask(ctx, d, p.visited);
      else if (GR_CULL_BITMASK && asked) ctx.count(PAST_BITMASK);
      return depths().looks_new(asked, d);
    } else {
      const IsNew label = depths().looks_new(asked && !direct, d);
      return direct && asked ? IsNew{-1} : label;
    }
  }
  GR_DEVICE auto visit(bool asked, vertex_t, vertex_t d, edge_t) {
    if (asked) ctx.count(PAST_LABEL);
    if constexpr (IDEMPOTENT) return asked && survives_recent(ctx, d);
    else return depths().claim(asked, d, depth);
  }
  // A single edge.
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e) { return peek(true, s, d, e); }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e) { return visit(true, s, d, e); }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t e) {
    finalize(d);
    note(s, d, e);
  }
  GR_DEVICE void finalize(vertex_t d) {
    if constexpr (IDEMPOTENT) store_relaxed(depths().at(d), depth);
  }
  GR_DEVICE void set_tag(vertex_t d, u32 finder) { depths().set_tag(d, finder); }
  GR_DEVICE HasTag has_tag(bool asked, vertex_t d, u32 finder) const {
    return depths().has_tag(asked, d, finder);
  }
  // Called by every finder of d: any finder is as good a parent as the owner of d.
  GR_DEVICE void note(vertex_t s, vertex_t d, edge_t) {
    if constexpr (MARK_PRED) store_relaxed(&p.preds[d], s);
    if (found) bitmap_set(found, d);
#if GR_COUNT_IN_EDGES
    in_edges += u64(ctx.graph.reverse.row(d).length);
#endif
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }

  // For an idempotent search with GR_CULL_GRID: an atomic instead of a tag [D-cull-2].
  struct Claiming : EdgeFunctor {
    static constexpr bool WARP_SEARCH = true;
    Visit& f;
    GR_DEVICE explicit Claiming(Visit& visit) : f(visit) {}
    GR_DEVICE IsNew peek(bool asked, vertex_t s, vertex_t d, edge_t e) {
      const IsNew label = f.peek(asked && !f.blind, s, d, e);
      if (GR_CULL_BITMASK && asked && f.blind) f.ctx.count(PAST_BITMASK);
      return f.blind && asked ? IsNew{-1} : label;
    }
    GR_DEVICE IsNew visit(bool asked, vertex_t s, vertex_t d, edge_t e) {
      const bool survives = f.visit(asked, s, d, e);
      const IsNew claimed = f.depths().claim(survives, d, f.depth);
      if (survives && !claimed) f.ctx.count(PAST_GRID, -1);
      return claimed;
    }
    GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t e) { f.note(s, d, e); }
  };
  GR_DEVICE Claiming claiming() { return Claiming(*this); }

 private:
  GR_DEVICE static bool fits_one_pass(const Context& c, u64 edges) {
    return WARP > 1 && edges <= u64(c.threads()) * BATCH;
  }
};

// The first half of Visit, if a later step does the rest: keeps edges to vertices that have no label yet.
template <class Problem>
struct LooksNew : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  const Depths depths;
  GR_DEVICE explicit LooksNew(const Visit<Problem>& rest) : depths(rest.depths()) {}
  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) { return depths.looks_new(asked, d); }
  GR_DEVICE bool visit(bool asked, vertex_t, vertex_t, edge_t) { return asked; }
};
