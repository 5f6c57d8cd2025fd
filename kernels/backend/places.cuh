// Several loads of a core at once, by an array of places. Kept out of cpu.cuh, as the header that names the
// instructions takes a compiler most of a second.
#pragma once
#include "backend.cuh"

#if !GR_CUDA
// Where one instruction is faster than eight loads: on Intel's newest cores, not on AMD's Zen 3 [D-cores-5].
#if defined(__AVX512FP16__)
#define GR_FAST_GATHER 1
#include <immintrin.h>
#endif

namespace gunrock::cpu {

alignas(64) inline constexpr u32 KEEP[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};  // the first eight

// x, or zero: whichever of its bits `kept` has.
template <class T>
inline T masked(T x, u32 kept) {
  static_assert(sizeof(T) % sizeof(u32) == 0, "a value is some words");
  u32 words[sizeof(T) / sizeof(u32)];
  std::memcpy(words, &x, sizeof x);
  for (u32& word : words) word &= kept;
  std::memcpy(&x, words, sizeof x);
  return x;
}

// table[places[k]] for the first `count` places, at most eight, zero for the others. All eight places are there: what
// they name is loaded and then masked, which takes no branch. Of conditions the compiler makes branches [D-cores-7].
template <class T>
inline void load_places(const T* table, const i32* places, i64 count, T (&x)[8]) {
  const u32* keep = &KEEP[8 - count];
  for (int k = 0; k < 8; ++k) x[k] = table[places[k]];
  for (int k = 0; k < 8; ++k) x[k] = masked(x[k], keep[k]);
}
#if GR_FAST_GATHER
inline void load_places(const float* table, const i32* places, i64 count, float (&x)[8]) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(i32(count)), lanes);
  const __m256i at = _mm256_maskload_epi32(places, there);
  _mm256_storeu_ps(x, _mm256_mask_i32gather_ps(_mm256_setzero_ps(), table, at, _mm256_castsi256_ps(there), 4));
}
#endif

}  // namespace gunrock::cpu
#endif
