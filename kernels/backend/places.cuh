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

// table[places[k]] for the first `count` places, zero for the others.
template <class T, int COUNT>
inline void load_places(const T* table, const i32* places, i64 count, T (&x)[COUNT]) {
  for (int k = 0; k < COUNT; ++k) x[k] = k < count ? table[places[k]] : T{};
}
#if GR_FAST_GATHER
inline void load_places(const float* table, const i32* places, i64 count, float (&x)[8]) {
  const __m256i lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  const __m256i there = _mm256_cmpgt_epi32(_mm256_set1_epi32(i32(count < 8 ? count : 8)), lanes);
  const __m256i at = _mm256_maskload_epi32(places, there);
  _mm256_storeu_ps(x, _mm256_mask_i32gather_ps(_mm256_setzero_ps(), table, at, _mm256_castsi256_ps(there), 4));
}
#endif

}  // namespace gunrock::cpu
#endif
