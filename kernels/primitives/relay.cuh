// When a search in levels is left to a kernel whose blocks run ahead (GR_RELAY). A search begins in step, with
// a barrier per level: if its frontiers grow fast, there are few levels. If they stay small and hardly grow, a
// barrier costs more than a level. The levels seen so far decide [D-relay-1]. Called by BFS, SSSP and BC.
#pragma once
#include "core/context.cuh"

constexpr i32 SEEN_LEVELS = 8;   // least levels in a window; a decision compares the last two
constexpr i32 SEEN_SOON = 4;     // the same if a level in step costs more than BFS's
// A window has less than this multiple of the edges of the window before: a mesh's frontiers grow less, a random
// graph's more.
constexpr u64 GROWTH = 4;
constexpr i64 LEVELS_LEFT = 32;  // levels at this size that are left; fewer do not pay for a launch
constexpr i64 SMALL = WARP > 1 ? 2 : 4096;  // edges per thread of a frontier that hardly keeps the device busy

GR_DEVICE i64 small_frontier() { return SMALL * BLOCK * launched_blocks(); }

// How fast a search in step finds edges: those of the frontiers since a window of at least SEEN levels began, and
// of the window before. (A single frontier says little.)
template <i32 SEEN>
struct Pace {
  u64 recent = 0, before = 0;
  i32 levels = 0, levels_before = 0;

  // A frontier is about to be expanded. A window may end only here if `whole`: frontiers of shortest paths swell
  // and shrink within each slice, so their windows hold whole slices.
  GR_DEVICE void add(u64 edges, bool whole = true) {
    if (whole && levels >= SEEN) {
      before = recent;
      levels_before = levels;
      recent = 0;
      levels = 0;
    }
    recent += edges;
    ++levels;
  }
  // True if frontiers are small and hardly grow. Where they shrink, as at the end of a search of few levels,
  // running ahead comes too late, however many edges nobody can reach.
  template <i64 LEFT>
  GR_DEVICE bool calls_for_running_ahead(u64 edges, i64 unexplored, bool whole = true) const {
    if (!RELAYS || !whole || levels < SEEN || levels_before == 0 || i64(edges) >= small_frontier()) return false;
    const u64 now = recent * u64(levels_before), then = before * u64(levels);  // edges a level, times both
    return now < GROWTH * then && 2 * now >= then && unexplored > LEFT * i64(recent / u64(levels));
  }
};

template <class State>
GR_DEVICE void leave_at(State& s, i64 depth) {
#if GR_RELAY
  s.leaves = depth;
#endif
}
