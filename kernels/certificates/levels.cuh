// Levels of a breadth-first search, as both BFS and BC have to prove them: only the source has 0; no edge leads
// from a reached vertex to one more than a level further on, or to an unreached one; every other reached vertex
// has an in-neighbour one level up.
#pragma once
#include "certificates/proof.cuh"
#include "core/bitmap.cuh"

namespace gunrock {

// A certificate's own conditions follow, from LEVEL_CONDITIONS on.
enum LevelCondition { LABEL, SOURCE, SKIPPED, UNEXPLAINED, LEVEL_CONDITIONS };

struct Levels {
  const i32* labels;
  u32* explained;  // a bit each, zero before: set by an edge from the level above
  i64 source;

  // True if the edge from u to v leads one level on; it must not lead further.
  GR_DEVICE bool leads_on(vertex_t u, vertex_t v, const Tally& tally) const {
    const i64 from = labels[u], to = labels[v];
    if (from < 0) return false;
    tally.require(to >= 0 && to <= from + 1, SKIPPED, v);
    return to == from + 1;
  }
  GR_DEVICE void explain(vertex_t v) const {
    if (!bitmap_test(explained, v)) bitmap_set(explained, v);  // most edges are not the first to explain v
  }

  // In a later step: `missing` is the condition that is broken if no edge explains v.
  GR_DEVICE void judge(vertex_t v, i64 n, const Tally& tally, int missing = UNEXPLAINED) const {
    const i32 label = labels[v];
    tally.require(label >= -1 && i64(label) < n, LABEL, v);
    tally.require((label == 0) == (v == source), SOURCE, v);
    tally.require(label <= 0 || bitmap_test(explained, v), missing, v);
  }
};

}  // namespace gunrock
