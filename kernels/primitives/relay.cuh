// When a search in levels is left to a kernel whose blocks run ahead (GR_RELAY). A search begins in step, with
// a barrier per level: if its frontiers grow fast, there are few levels. If they stay small and hardly grow, a
// barrier costs more than a level. The levels seen so far decide [D-relay-1]. Called by BFS, SSSP and BC.
#pragma once
#include "core/context.cuh"

constexpr i32 SEEN_LEVELS = 8;   // levels between two decisions; the first comes after twice as many
constexpr i32 SEEN_SOON = 4;     // the same if a level in step costs more than BFS's
// edges grow by this factor in so many levels: a mesh's frontiers grow less, a random graph's more
constexpr i64 GROWTH = 4;
constexpr i64 LEVELS_LEFT = 32;  // levels at this size that are left; fewer do not pay for a launch
constexpr i64 SMALL = WARP > 1 ? 2 : 4096;  // edges per thread of a frontier that hardly keeps the device busy

// For a search in step: the frontier at this depth has `edges` edges, and had `before` SEEN levels earlier.
template <i32 SEEN, i64 LEFT>
GR_DEVICE bool should_run_ahead(i32 depth, u64 edges, u64 before, i64 unexplored) {
  return RELAYS && depth >= 2 * SEEN && depth % SEEN == 0 && i64(edges) < SMALL * BLOCK * launched_blocks() &&
         edges < GROWTH * before && unexplored > LEFT * i64(edges);
}

template <class State>
GR_DEVICE void leave_at(State& s, i64 depth) {
#if GR_RELAY
  s.leaves = depth;
#endif
}
