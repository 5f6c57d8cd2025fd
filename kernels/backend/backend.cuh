// The backend: what differs between a GPU and a CPU: the grid, its barriers, atomics, loads, block-wide scans.
// Every other header builds on it.
//
// The vocabulary is CUDA's: a grid of blocks of BLOCK threads, warps of WARP threads. On the CPU a block is one
// thread of the host (BLOCK = WARP = 1), so block-wide operations do nothing and only the grid barrier and the
// atomics are real. A third backend, for tests (GR_FIBRES), has small blocks and warps on a CPU and counts as a
// GPU everywhere else (GR_CUDA).
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
