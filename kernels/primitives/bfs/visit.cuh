// What a breadth-first search does with an edge, however its steps are arranged: exactly (an atomic claims
// each vertex once) or idempotently (plain stores; duplicates are harmless and culled where that is cheap).
// A Problem has labels, preds and visited. Options: GR_IDEMPOTENCE, GR_MARK_PRED, GR_CULL_*.
#pragma once
#include "core/bitmap.cuh"
#include "operators/advance.cuh"
#include "operators/culling.cuh"
#include "primitives/bfs/depths.cuh"

constexpr bool IDEMPOTENT = GR_IDEMPOTENCE, MARK_PRED = GR_MARK_PRED;

// What is asked for of an edge's end before any of it is waited for.
struct Seen {
  u32 word;   // of the bitmap
  i32 label;  // where few edges are looked at
};
template <bool BITMASK>
struct SeenIf { using type = Nothing; };
template <>
struct SeenIf<true> { using type = Seen; };

// Reach the neighbours that are not yet visited.
template <class Problem>
struct Visit : EdgeFunctor {
  Context& ctx;
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  bool direct;  // few edges: latency counts, not traffic, so straight to the atomic
  bool at_once; // likewise, idempotent: bitmap and label are asked for together
  u32* found;   // bitmap of those that it reaches, or null
  GR_DEVICE Visit(Context& c, const Problem& problem, i32 d, u64 edges, u32* bits = nullptr)
      : ctx(c), p(problem), depth(d), direct(!IDEMPOTENT && is_latency_bound(c, edges)),
        at_once(WARP > 1 && edges <= u64(c.threads()) * BATCH), found(bits) {}

  using Carry = typename SeenIf<IDEMPOTENT && GR_CULL_BITMASK>::type;
  GR_DEVICE void fetch(vertex_t, vertex_t d, edge_t, Seen& seen) {
    seen.word = bitmask_word(p.visited, d);
    if (at_once) seen.label = load_relaxed(depths().at(d));
  }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t, const Seen& seen) {
    if (!survives_bitmask(ctx, d, seen.word, p.visited)) return false;
    return passes(at_once ? seen.label == -1 : depths().looks_new(d));
  }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return passes(direct || depths().looks_new(d));
  }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t e, const Seen&) { return visit(s, d, e); }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) {
    if constexpr (IDEMPOTENT) return survives_recent(ctx, d);
    else return depths().claim(d, depth);
  }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t) {
    if constexpr (IDEMPOTENT) store_relaxed(depths().at(d), depth);
    if constexpr (MARK_PRED) store_relaxed(&p.preds[d], s);
    if (found) bitmap_set(found, d);
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }

 private:
  GR_DEVICE bool passes(bool looks_new) {
    if (looks_new) ctx.count(PAST_LABEL);
    return looks_new;
  }
};

// The first half of it, where a later step does the rest: keeps an edge to what has no label yet.
template <class Problem>
struct LooksNew : EdgeFunctor {
  const Depths depths;
  GR_DEVICE explicit LooksNew(const Visit<Problem>& rest) : depths(rest.depths()) {}
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) { return depths.looks_new(d); }
};
