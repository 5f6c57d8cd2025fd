// Cheap culling of duplicates for idempotent primitives (Merrill, section 5; Gunrock's inexact
// filter). Each test may let a duplicate through, none drops the first visit. Every one of them can
// be switched off: GR_CULL_BITMASK, GR_CULL_WARP, GR_CULL_HISTORY (label culling is the functor's).
#pragma once
#include "../core/collector.cuh"

namespace gunrock {

// `visited` is a bitmap kept without atomics: two threads that set bits of one word at a time may
// lose one of them, which costs a duplicate later and nothing else.
GR_DEVICE bool survives_culling(Context& ctx, vertex_t v, u32* visited) {
#if GR_CULL_BITMASK
  const u32 word = load_relaxed(&visited[v / 32]);
  const u32 bit = 1u << (v % 32);
  if (word & bit) return false;
  store_relaxed(&visited[v / 32], word | bit);
#endif
#if GR_CULL_WARP
  if (!is_first_with(v)) return false;
#endif
#if GR_CULL_HISTORY  // one exchange, not a load and a store [D-cull-1]
  if (atomic_exchange(&ctx.shared.history[v % HISTORY], v) == v) return false;
#endif
  return true;
}

}  // namespace gunrock
