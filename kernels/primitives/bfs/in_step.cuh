// Breadth-first search, the default: Beamer's direction switch, Gunrock section 5.1. An atomic claims each vertex once.
// Options: see levels.cuh, which has the steps.
#pragma once
#include "core/enactor.cuh"

struct Problem {
  i32* labels;        // depth, -1 while unvisited
  vertex_t* preds;    // or null
  u32* bitmaps;       // three frontiers in turn: this, the next, and the one after, which is cleared
  i64 bitmap_stride;  // words
  i64 source;
  double alpha;       // or BY_COST
  double beta;
};

enum Phase { BEGIN, PUSH, TO_BITMAP, PULL, TO_QUEUE };

#include "primitives/bfs/levels.cuh"

struct Enactor : Levels<Enactor, Visit<Problem>> {};
