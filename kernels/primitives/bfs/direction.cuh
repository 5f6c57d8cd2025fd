// When a breadth-first search pushes and when it pulls. Called by in_step.cuh and in_parts.cuh.
//
// By the cost of the level in either direction (alpha is BY_COST), or by Beamer's test:
//   push -> pull, once, when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier shrinks and has fewer than n / beta vertices
// If few edges are left, the cost never calls for a pull.
// On graphs of many vertices Beamer's first test also applies, beside the cost: most candidates have short lists,
// which end long before the cost model expects.
// Option: GR_DIRECTION (of enum Direction).
#pragma once
#include "core/context.cuh"

enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);
constexpr double BY_COST = -1;
constexpr double DENSE_ALPHA = 15;        // Beamer's, used beside the cost
constexpr i64 DENSE_VERTICES = 1 << 19;  // for graphs of more vertices [D-direction-2]

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
constexpr float CANDIDATE_COST = 4;  // a candidate's label, its row, the first sector of its list
constexpr float PROBE_COST = 4;       // lists of candidates are walked in no order, by parts of warps
constexpr float SCAN_COST = 0.25f;   // a label, if the candidates are not listed yet
constexpr i64 MOST_PER_EDGE = 4;     // 1 / SCAN_COST
constexpr float STEP_COST = 4;       // for each thread, one more step: from a bitmap to a queue
constexpr i64 STEPS_COST = 10;       // for each thread, the additional steps that a pull brings [D-direction-3]

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

// True if a pull pays, from a queue and with all vertices as candidates.
GR_DEVICE bool pull_pays(const Context& ctx, const LevelSize& level) {
  if (level.frontier_edges * MOST_PER_EDGE <= ctx.graph.n) return false;  // decides most levels without floats
  const float rest = float(level.frontier_edges) - SCAN_COST * float(ctx.graph.n) -
                     CANDIDATE_COST * float(level.candidates);
  return rest > 0 && rest > PROBE_COST * expected_probes(level);
}

// True if a push pays, from a bitmap, with the candidates listed, and with this many threads.
GR_DEVICE bool push_pays(i64 threads, const LevelSize& level) {
  return float(level.frontier_edges) + STEP_COST * float(threads) <
         CANDIDATE_COST * float(level.candidates) + PROBE_COST * expected_probes(level);
}
