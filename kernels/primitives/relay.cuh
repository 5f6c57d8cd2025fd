// When a search in levels is left to a kernel whose blocks run ahead (GR_RELAY). It begins in step, a barrier to each level:
// if its frontiers grow fast, there are few levels. Where they stay small and hardly grow, a barrier costs more than a
// level. What decides is what the search sees [D-relay-1].
#pragma once
#include "core/context.cuh"

constexpr i32 SEEN_LEVELS = 8;   // decide so often, the first time after twice as many
constexpr i32 SEEN_SOON = 4;     // the same where a level in step costs more than a search's
constexpr i64 GROWTH = 4;        // in so many levels: a mesh's frontiers grow less, a random graph's more
constexpr i64 LEVELS_LEFT = 32;  // at this size; fewer do not pay for a launch
constexpr i64 SMALL = WARP > 1 ? 2 : 4096;  // edges for each thread: a frontier that hardly keeps the device busy

// Of a search in step: of a frontier at this depth, of so many edges, where it had `before` SEEN levels earlier.
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
