// Connected components (of a directed graph, weakly connected ones) from samples, by the steps of
// from_samples.cuh.
// Options: GR_RANDOM_LINKS, GR_SAMPLING, GR_RUNS.
#pragma once
#if GR_RUNS
#define GR_STAGED_BYTES 2048  // per warp: 512 vertices of a run [D-graft-1]
#endif
#include "core/enactor.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first
  vertex_t* others;   // all vertices' second, third... neighbours in turn; null: the kernel looks them up
};

enum Phase { GRAFT, COMPRESS, LINK, REST, FINISH, UNITE, HUB, STAR, JOIN };

#include "primitives/cc/from_samples.cuh"

struct Enactor : FromSamples {};
