// Relaxing: the loads of an edge, and the test if it may help, for steps on one device (in_step.cuh) and on
// several (in_parts.cuh). These add `visit`, which says which slice the edge's end belongs to.
//
// Option: GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "operators/functor.cuh"
#include "math/distance.cuh"

constexpr bool CHECK_RANGE = GR_CHECK_RANGE;

template <class Problem>
struct Relaxing : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  struct Carry {
    weight_t from, by, seen;  // distance of s, the edge's weight, distance of d
  };
  const Problem& p;
  const weight_t* weights;
  weight_t threshold;  // near ends here
  u32 step;

  GR_DEVICE Relaxing(const Problem& problem, const weight_t* values, weight_t upper, u32 number)
      : p(problem), weights(values), threshold(upper), step(number) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.seen = load_relaxed(&p.distances[d]);
    carry.from = load_relaxed(&p.distances[s]);
    carry.by = load_constant(&weights[e]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) {
    const weight_t reach = longer(carry.from, carry.by);
    if constexpr (CHECK_RANGE)
      if (!closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return closer(reach, carry.seen);
  }
};
