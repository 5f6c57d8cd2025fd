// What differs between a GPU and a CPU: the grid, its barriers, atomics, loads, block-wide scan.
//
// The vocabulary is CUDA's: a grid of blocks of BLOCK threads, warps of WARP threads. On the CPU a
// block is one thread of an OpenMP team (BLOCK = WARP = 1), so block-wide operations are no-ops and
// only the grid barrier and the atomics are real. A third backend, for tests (GR_FIBRES), has a GPU's blocks and warps
// on a CPU, small ones, and is a GPU to all else (GR_CUDA).
#pragma once
#include "../core/types.cuh"
#if GR_FIBRES
#include "lanes.cuh"
#elif defined(__CUDACC__) || defined(__CUDACC_RTC__)
#include "cuda.cuh"
#else
#include "cpu.cuh"
#endif

namespace gunrock {
#if GR_FIBRES
using namespace lanes;
#elif GR_CUDA
using namespace cuda;
#else
using namespace cpu;
#endif
}  // namespace gunrock
