// Cheap culling of duplicates for idempotent primitives (Merrill, section 4.2; Gunrock's inexact filter).
// Called by BFS's functors. Each test may let a duplicate through, but none drops a vertex's last representative.
//
// The tests run in the paper's order: bitmask, label, then those that only see recent items. GR_CULL_BITMASK,
// GR_CULL_WARP, GR_CULL_WARP_HASH and GR_CULL_HISTORY switch each on. (The label is tested by the functor;
// GR_CULL_GRID is tested by the collector, unless the functor claims vertices by atomics.)
#pragma once
#include "filter.cuh"
#include "last_found.cuh"

namespace gunrock {

// The test before the label. `visited` is a bitmap kept without atomics: if two threads set bits of one word at
// the same time, one bit may be lost, which costs one more test of a label and perhaps a duplicate. A thread
// that finds the bit clear sets it at once and goes on, so a lost bit is set again. As in the paper, most set
// bits are seen in the multiprocessor's cache. The cache may be out of date, so a thread that sees the bit
// clear there reads it again from L2.
GR_DEVICE bool survives_bitmask(Context& ctx, vertex_t v, u32* visited) {
#if GR_CULL_BITMASK
  u32* const place = &visited[v / 32];
  const u32 bit = 1u << (v % 32);
  if (load_cached(place) & bit) return false;
  const u32 word = load_relaxed(place);
  if (word & bit) return false;
  store_relaxed(place, word | bit);
  ctx.count(PAST_BITMASK);
#endif
  return true;
}

#if GR_CULL_WARP_HASH
// Merrill's warp culling: all threads of a warp write to a small table, and a thread that then finds its own
// vertex there under another thread's number is a duplicate. Vertex and thread share one word here (the
// vertex's low bits give the place), so no thread of another branch of the warp can come between two writes. A
// dropped thread has seen a later write by a thread with the same vertex, so the last writer is kept.
GR_DEVICE bool survives_warp_hash(Context& ctx, vertex_t v) {
  if constexpr (WARP == 1) return true;
  static_assert(WARP_HASH % WARP == 0, "the name of a thread takes the place of the low bits");
  const u32 vertex = u32(v) / WARP_HASH * WARP, mine = vertex | u32(lane_id());
  u32* place = &ctx.shared.warp_hash[warp_id()][u32(v) % WARP_HASH];
  atomic_exchange(place, mine);
  branch_sync();
  const u32 found = atomic_or(place, 0u);  // other branches may write at the same time
  return found == mine || found / WARP * WARP != vertex;
}
#endif

// The tests after the label: duplicates found at the same time or recently.
GR_DEVICE bool survives_recent(Context& ctx, vertex_t v) {
#if GR_CULL_WARP_HASH
  if (!survives_warp_hash(ctx, v)) return false;
#endif
#if GR_CULL_WARP
  if (!is_first_with(v)) return false;
#endif
#if GR_CULL_WARP || GR_CULL_WARP_HASH
  ctx.count(PAST_WARP);
#endif
#if GR_CULL_HISTORY  // one exchange, not a load and a store [D-cull-1]
  if (atomic_exchange(&ctx.shared.history[v % HISTORY], v) == v) return false;
  ctx.count(PAST_HISTORY);
#endif
#if GR_CULL_GRID
  ctx.count(PAST_GRID);  // the collector takes this back if it drops the item, as does a claim that fails
#endif
  return true;
}

// A vertex functor that also asks all tests.
template <class F>
struct Culled : VertexFunctor {
  Context& ctx;
  F& f;
  u32* visited;
  GR_DEVICE Culled(Context& context, F& functor, u32* bits) : ctx(context), f(functor), visited(bits) {}
  GR_DEVICE bool visit(item_t item) {
    return f.visit(item) && survives_bitmask(ctx, vertex_t(item), visited) && survives_recent(ctx, vertex_t(item));
  }
  GR_DEVICE void apply(item_t item) { f.apply(item); }
};

// Filters the step's frontier, and drops duplicates that the tests recognize.
template <Kind OUT, class F>
GR_DEVICE void filter_inexactly(Context& ctx, const LoopState& s, F&& f, u32* visited) {
#if GR_CULL_GRID
  Collector<OUT, true, ByTable> collect(ctx, ctx.out(s), ctx.graph.csr);
#else
  Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
#endif
  Culled culled(ctx, f, visited);
  filter_into(ctx, members(ctx.in(s)), culled, collect);
}

}  // namespace gunrock
