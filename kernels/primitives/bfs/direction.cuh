// When a breadth-first search pushes and when it pulls.
//
// By what the level would cost either way (alpha is BY_COST), or by Beamer's test:
//   push -> pull, once, when the frontier's edges * alpha > edges out of unvisited vertices
//   pull -> push when the frontier shrinks and has fewer than n / beta vertices
// Option: GR_DIRECTION (of enum Direction).
#pragma once
#include "core/context.cuh"

enum Direction { PUSH_ONLY, PULL_ONLY, OPTIMIZED };
constexpr Direction DIRECTION = Direction(GR_DIRECTION);
constexpr double BY_COST = -1;

// What a level could look at, in vertices and edges.
struct Level {
  i64 frontier_edges;
  i64 candidates, candidate_edges;  // of the vertices that are not yet reached
};

// Costs in edges that a push looks at [D-direction-1].
constexpr double CANDIDATE_COST = 4;  // its label, its row, the first sector of its list
constexpr double LOOK_COST = 4;       // lists of candidates are walked in no order, by parts of warps
constexpr double SCAN_COST = 0.25;    // a label, where no candidates are listed yet
constexpr double STEP_COST = 4;       // for each thread, a step more: from a bitmap to a queue

// A candidate looks at its list until it finds the frontier. Were ends drawn at random from those of the
// frontier and of the candidates, that would be after so many entries; no more than it has.
GR_DEVICE double pull_cost(const Level& level) {
  const double edges = level.candidate_edges > 0 ? double(level.candidate_edges) : 0.0;
  const double frontier = double(level.frontier_edges);
  const double drawn = double(level.candidates) * (frontier + edges) / (frontier + 1);
  return CANDIDATE_COST * double(level.candidates) + LOOK_COST * (drawn < edges ? drawn : edges);
}

// From a queue, all vertices being candidates.
GR_DEVICE bool pull_pays(const Context& ctx, const Level& level) {
  return double(level.frontier_edges) > pull_cost(level) + SCAN_COST * double(ctx.graph.n);
}

// From a bitmap, candidates being listed.
GR_DEVICE bool push_pays(const Context& ctx, const Level& level) {
  return double(level.frontier_edges) + STEP_COST * double(ctx.threads()) < pull_cost(level);
}
