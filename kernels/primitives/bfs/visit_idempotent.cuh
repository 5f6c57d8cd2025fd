// What a breadth-first search does with an edge if it may find a vertex more than once: plain stores; duplicates are
// harmless and are culled if that is cheap (with GR_CULL_GRID, an atomic claims the vertices that a block finds in its
// only pass). And the choice between this and the exact way of visit.cuh, for searches that have both.
// A Problem has labels, preds and visited. Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_CULL_*.
#pragma once
#include "operators/culling.cuh"
#include "primitives/bfs/visit.cuh"

// A label read again. True if it is still the tag that was given.
struct HasTag {
  i32 found, given;
  GR_DEVICE operator bool() const { return found == given; }
};

// Labels. Within a step, values below -1 are tags of threads that found the vertex (operators/last_found.cuh).
struct TaggedDepths : Depths {
  // Leaves a finder's tag at v, which a depth replaces later; has_tag is true if the tag is still there.
  GR_DEVICE void set_tag(vertex_t v, u32 finder) const { store_relaxed(at(v), label_of(finder)); }
  GR_DEVICE HasTag has_tag(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, at(v), KNOWN), label_of(finder)};
  }

 private:
  // A tag's label is neither a depth nor the label of unvisited vertices.
  static_assert(MOST_TAGS <= 0x7fffffff, "a tag fits below -1");
  GR_DEVICE static i32 label_of(u32 finder) { return -2 - i32(finder); }
};

template <class Problem>
struct IdempotentVisit : Visit<Problem> {
  static constexpr bool OWNER_TAGS = true;
  using Exact = Visit<Problem>;
  using Exact::ctx, Exact::p, Exact::depth, Exact::direct;
  bool blind;  // even fewer edges than if `direct`: what is claimed by atomics needs no test of the label either
  GR_DEVICE IdempotentVisit(Context& c, const Problem& problem, i32 d, u64 edges, u32* bits = nullptr)
      : Exact(c, problem, d, edges, bits), blind(direct) {
    direct = fits_one_pass(c, edges);  // then go straight to the label
  }

  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) {
    if (!direct) asked = asked && survives_bitmask(ctx, d, p.visited);
    else if (GR_CULL_BITMASK && asked) ctx.count(PAST_BITMASK);
    return depths().looks_new(asked, d);
  }
  GR_DEVICE bool visit(bool asked, vertex_t, vertex_t d, edge_t) {
    if (asked) ctx.count(PAST_LABEL);
    return asked && survives_recent(ctx, d);
  }
  // A single edge.
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e) { return peek(true, s, d, e); }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e) { return visit(true, s, d, e); }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t e) {
    finalize(d);
    note(s, d, e);
  }
  GR_DEVICE void finalize(vertex_t d) { store_relaxed(depths().at(d), depth); }
  GR_DEVICE void set_tag(vertex_t d, u32 finder) { depths().set_tag(d, finder); }
  GR_DEVICE HasTag has_tag(bool asked, vertex_t d, u32 finder) const {
    return depths().has_tag(asked, d, finder);
  }
  // Called by every finder of d: any finder is as good a parent as the owner of d.
  GR_DEVICE void note(vertex_t s, vertex_t d, edge_t e) { Exact::apply(s, d, e); }
  GR_DEVICE TaggedDepths depths() const { return {p.labels, 0}; }

  // For GR_CULL_GRID: an atomic instead of a tag [D-cull-2].
  struct Claiming : EdgeFunctor {
    static constexpr bool WARP_SEARCH = true;
    IdempotentVisit& f;
    GR_DEVICE explicit Claiming(IdempotentVisit& visit) : f(visit) {}
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

#if GR_IDEMPOTENCE
template <class Problem>
using EitherVisit = IdempotentVisit<Problem>;
#else
template <class Problem>
using EitherVisit = Visit<Problem>;
#endif
