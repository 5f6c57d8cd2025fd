// Random numbers that need no memory: the same for the same vertex and seed on every backend. Used by
// primitives that break ties at random.
#pragma once
#include "../core/types.cuh"
#include "../backend/backend.cuh"

namespace gunrock {

// Maps 2^32 numbers one to one (the finalizer of MurmurHash3).
GR_DEVICE u32 scramble(u32 x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// The number that scramble maps to x.
GR_DEVICE u32 unscramble(u32 x) {
  x = (x ^ x >> 16) * 0x7ed1b41du;  // the inverses of its factors
  x = (x ^ x >> 13 ^ x >> 26) * 0xa5cb9243u;
  return x ^ x >> 16;
}

// A random number that no other vertex has.
GR_DEVICE u32 random_number(vertex_t v, u32 seed) {
  return scramble(scramble(u32(v) + 1) ^ seed * 0x9e3779b1u);
}

// A random number in five instructions instead of seventeen, for loops that need many. It is less scrambled,
// but the numbers of vertices at any fixed distance from each other still come in no order [D-number-2].
GR_DEVICE u32 quick_number(vertex_t v, u32 seed) {
  const u32 x = u32(v) * 0x9e3779b1u + seed * 0x85ebca6bu;
  return (x ^ x >> 15) * 0xc2b2ae35u;
}

}  // namespace gunrock
