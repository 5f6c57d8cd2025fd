// When a breadth-first search pushes and when it pulls. Called by in_step.cuh and in_parts.cuh.
//
// By the cost of the level in either direction (alpha is BY_COST), or by Beamer's test:
//   push -> pull, once, when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier shrinks and has fewer than n / beta vertices
// If few edges are left, the cost never calls for a pull.
// Where labels do not fit the cache, Beamer's first test also applies, beside the cost: a push misses the cache with
// most edges, while a pull reads a bitmap, a thirtieth of the size.
// Option: GR_DIRECTION (of enum Direction).
#pragma once
#include "core/context.cuh"

enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);
constexpr double BY_COST = -1;
constexpr double DENSE_ALPHA = 15;  // Beamer's, used beside the cost [D-direction-2]
// on a device with more vertices than these, whose labels a cache holds: 32 MiB of a GPU's, 2 MiB of a core's
constexpr i64 CACHED_VERTICES = WARP > 1 ? 1 << 23 : 1 << 19;

// Beamer's tests, in edges and in vertices.
GR_DEVICE bool is_dense(double alpha, i64 frontier, i64 unexplored) {
  return double(frontier) * alpha > double(unexplored);
}
GR_DEVICE bool is_sparse(double beta, u64 frontier, i64 all) {
  return double(frontier) * beta < double(all);
}

// The vertices and edges that a level could inspect.
struct LevelSize {
  i64 frontier_edges;
  i64 candidates, candidate_edges;  // unreached vertices, and the edges into them
};

// Costs in edges that a push inspects [D-direction-1].
constexpr float CANDIDATE_COST = 0.5f;  // a candidate's label and row
constexpr float PROBE_COST = 1.5f;      // an entry that a candidate looks at
constexpr float STEP_COST = 4;          // for each thread, one more step: from a bitmap to a queue
constexpr i64 STEPS_COST = 10;          // for each thread, the additional steps that a pull brings [D-direction-3]

// The entries that candidates probe until they find the frontier, if ends were drawn at random from those of
// the frontier and of the candidates; at most the lists' lengths.
GR_DEVICE float expected_probes(const LevelSize& level) {
  const float edges = level.candidate_edges > 0 ? float(level.candidate_edges) : 0.0f;
  const float frontier = float(level.frontier_edges) + 1;
  const float expected = float(level.candidates) * ((frontier + edges) / frontier);
  return expected < edges ? expected : edges;
}

// A pull saves at most the edges that are left to be pushed, and needs steps of its own. The frontier becomes a
// bitmap, and the last levels, which a single block would push, stay with the grid while there are candidates.
// Vertices that no path leads to remain candidates to the end.
GR_DEVICE bool pull_could_pay(i64 threads, i64 edges_left) { return edges_left > STEPS_COST * threads; }

GR_DEVICE float pull_cost(const LevelSize& level) {
  return CANDIDATE_COST * float(level.candidates) + PROBE_COST * expected_probes(level);
}
GR_DEVICE bool pull_pays(const LevelSize& level) { return float(level.frontier_edges) > pull_cost(level); }

// True if a push pays, from a bitmap, with the candidates listed, and with this many threads.
GR_DEVICE bool push_pays(i64 threads, const LevelSize& level) {
  return float(level.frontier_edges) + STEP_COST * float(threads) < pull_cost(level);
}
