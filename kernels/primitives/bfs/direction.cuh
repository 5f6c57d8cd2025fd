// When a breadth-first search pushes and when it pulls.
//
// By what the level would cost either way (alpha is BY_COST), or by Beamer's test:
//   push -> pull, once, when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier shrinks and has fewer than n / beta vertices
// Where few edges are left, the cost never calls for a pull.
// On graphs of many vertices Beamer's first test also applies, alongside the cost: most candidates have short
// lists, which end long before the cost model expects.
// Option: GR_DIRECTION (of enum Direction).
#pragma once
#include "core/context.cuh"

enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);
constexpr double BY_COST = -1;
constexpr double DENSE_ALPHA = 15;        // Beamer's, alongside the cost
constexpr i64 DENSE_VERTICES = 1 << 19;  // on graphs of more vertices [D-direction-2]

// Beamer's tests, in edges and in vertices.
GR_DEVICE bool is_dense(double alpha, i64 frontier, i64 unexplored) {
  return double(frontier) * alpha > double(unexplored);
}
GR_DEVICE bool is_sparse(double beta, u64 frontier, i64 all) {
  return double(frontier) * beta < double(all);
}

// What a level could look at, in vertices and edges.
struct LevelSize {
  i64 frontier_edges;
  i64 candidates, candidate_edges;  // of the vertices that are not yet reached, and the edges into them
};

// Costs in edges that a push looks at [D-direction-1].
constexpr float CANDIDATE_COST = 4;  // its label, its row, the first sector of its list
constexpr float PROBE_COST = 4;       // lists of candidates are walked in no order, by parts of warps
constexpr float SCAN_COST = 0.25f;   // a label, where no candidates are listed yet
constexpr i64 MOST_PER_EDGE = 4;     // 1 / SCAN_COST
constexpr float STEP_COST = 4;       // for each thread, one step more: from a bitmap to a queue
constexpr i64 STEPS_COST = 10;       // for each thread, the additional steps that a pull brings [D-direction-3]

// A candidate looks through its list until it finds the frontier. If ends were drawn at random from those of
// the frontier and of the candidates, it would take this many entries; never more than the list has.
GR_DEVICE float expected_probes(const LevelSize& level) {
  const float edges = level.candidate_edges > 0 ? float(level.candidate_edges) : 0.0f;
  const float frontier = float(level.frontier_edges) + 1;
  const float expected = float(level.candidates) * ((frontier + edges) / frontier);
  return expected < edges ? expected : edges;
}

// A pull saves at most the edges that are left to be pushed, and needs steps of its own. The frontier becomes a
// bitmap, and the last levels, which one block would push alone, stay with the grid while there are candidates.
// Vertices that no path leads to remain candidates to the end.
GR_DEVICE bool pull_could_pay(i64 threads, i64 edges_left) { return edges_left > STEPS_COST * threads; }

// From a queue, with all vertices as candidates.
GR_DEVICE bool pull_pays(const Context& ctx, const LevelSize& level) {
  if (level.frontier_edges * MOST_PER_EDGE <= ctx.graph.n) return false;  // most levels, without floats
  const float rest = float(level.frontier_edges) - SCAN_COST * float(ctx.graph.n) -
                     CANDIDATE_COST * float(level.candidates);
  return rest > 0 && rest > PROBE_COST * expected_probes(level);
}

// From a bitmap, with the candidates listed, and with this many threads.
GR_DEVICE bool push_pays(i64 threads, const LevelSize& level) {
  return float(level.frontier_edges) + STEP_COST * float(threads) <
         CANDIDATE_COST * float(level.candidates) + PROBE_COST * expected_probes(level);
}
