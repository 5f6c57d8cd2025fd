// The order in which edges are taken: by weight, and ties by a key that is the same from both ends of an edge.
// Used by MST and matching.
#pragma once
#include "hash.cuh"

namespace gunrock {

// A weight as an unsigned number of the same order, the lightest being the least. Weights may be negative; -0
// counts as 0.
#if GR_WEIGHT_FLOAT
GR_DEVICE u32 weight_order(weight_t weight) {
  const u32 bits = float_bits(weight == 0.0f ? 0.0f : weight);
  return bits >> 31 ? ~bits : bits | 0x80000000u;
}
#else
GR_DEVICE u32 weight_order(weight_t weight) { return u32(weight) ^ 0x80000000u; }
#endif

// The ends of an undirected edge, the smaller above the larger: the same from both ends. Among the edges at one
// vertex, those to smaller neighbours come first, in the order of those neighbours.
GR_DEVICE u64 ends_of(vertex_t u, vertex_t v) {
  return u < v ? u64(u32(u)) << 32 | u32(v) : u64(u32(v)) << 32 | u32(u);
}
GR_DEVICE vertex_t smaller_end(u64 ends) { return vertex_t(ends >> 32); }
GR_DEVICE vertex_t larger_end(u64 ends) { return vertex_t(ends & 0xffffffffu); }

// A random number for every undirected edge, from a seed. Few edges share one.
GR_DEVICE u32 random_rank(u64 ends, u32 seed) {
  return scramble(scramble(u32(smaller_end(ends)) ^ seed) + u32(larger_end(ends)));
}

}  // namespace gunrock
