// Connected components, weakly connected for a directed graph, from samples (from_samples.cuh).
// Options: GR_RANDOM_LINKS, GR_SAMPLING.
#pragma once
#include "core/enactor.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first
  vertex_t* others;   // all vertices' second, third... neighbours in turn; or null: they are looked up
};

enum Phase { GRAFT, COMPRESS, LINK, REST, FINISH, UNITE, HUB, STAR, JOIN };

#include "primitives/cc/from_samples.cuh"

struct Enactor : FromSamples {};
