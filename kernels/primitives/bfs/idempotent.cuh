// Breadth-first search as in in_step.cuh, but idempotent: it visits by plain stores, and duplicates are culled
// (Merrill, PPoPP 2012; Gunrock, section 5.2.1).
// Options: also GR_CULL_*.
#pragma once
#include "core/enactor.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* visited;       // bitmap of the culling
  u32* bitmaps;       // three frontiers in turn: this, the next, and the one after, which is cleared
  i64 bitmap_stride;  // words
  i64 source;
  double alpha;       // or BY_COST
  double beta;
};

enum Phase { BEGIN, PUSH, TO_BITMAP, PULL, TO_QUEUE };

#include "primitives/bfs/levels.cuh"
#include "primitives/bfs/visit_idempotent.cuh"

struct Enactor : Levels<Enactor, IdempotentVisit<Problem>> {};
