// The functor of shortest paths whose blocks run ahead, on one device or on each of several: distances only
// fall. Problem must have `distances`, `queued` and `out_of_range`.
#pragma once
#include "math/distance.cuh"
#include "operators/advance_ahead.cuh"

template <class Problem>
struct RelaxAhead {
  static constexpr bool WAITS = true;
  const Problem& p;
  const weight_t* weights;
  u32 bound;  // greater distances wait
  u32 step;
  u32 least = ~0u;  // the least waiting distance that this thread has seen

  GR_DEVICE RelaxAhead(const Problem& problem, const weight_t* values, u32 upper, u32 number)
      : p(problem), weights(values), bound(upper), step(number) {}

  GR_DEVICE u32* cell(vertex_t v) const { return (u32*)&p.distances[v]; }
  GR_DEVICE u32 value(vertex_t v) { return load_relaxed(cell(v)); }
  GR_DEVICE bool waits(u32 value) {
    if (value < bound) return false;
    least = value < least ? value : least;
    return true;
  }
  GR_DEVICE bool keep(vertex_t v) { return atomic_exchange(&p.queued[v], step) != step; }

  GR_DEVICE u32 offer(u32 value, edge_t e) const {
    const weight_t reach = longer(from_key(value), load_constant(&weights[e]));
    if (GR_CHECK_RANGE && !closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return to_bits(reach);
  }
  // The offer by an edge's weight, given as bits.
  GR_DEVICE vertex_t weight(edge_t e) const { return load_constant(&((const vertex_t*)weights)[e]); }
  GR_DEVICE u32 offer_by(u32 value, vertex_t weight) const {
    const weight_t reach = longer(from_key(value), from_key(u32(weight)));
    if (GR_CHECK_RANGE && !closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return to_bits(reach);
  }
  GR_DEVICE bool peek(vertex_t d, u32 now) { return value(d) > now; }
  GR_DEVICE Slice slice(vertex_t d, u32 before, u32 now) {
    if (before <= now) return DROP;
    if (!waits(now)) return NEAR;
    return keep(d) ? FAR : DROP;
  }
};
