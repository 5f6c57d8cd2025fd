// What differs between a GPU and a CPU: the grid, its barriers, atomics, loads, block-wide scan.
//
// The vocabulary is CUDA's: a grid of blocks of BLOCK threads, warps of WARP threads. On the CPU a
// block is one thread of an OpenMP team (BLOCK = WARP = 1), so block-wide operations are no-ops and
// only the grid barrier and the atomics are real.
#pragma once
#include "../core/types.cuh"
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "cuda.cuh"
#else
#include "cpu.cuh"
#endif

namespace gunrock {
#if GR_CUDA
using namespace cuda;
#else
using namespace cpu;
#endif
}  // namespace gunrock
