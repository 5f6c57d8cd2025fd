// Sums over a block, and the shared memory that operators may use in passing.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

#if GR_CUDA
// The queues of a lone block are idle here. Their storage is aligned for indices only.
constexpr int SCRATCH_BYTES =
    int(sizeof(SoloQueue[2]) > sizeof(Window) ? sizeof(SoloQueue[2]) : sizeof(Window)) - 8;
GR_DEVICE double* scratch_of(Context& ctx) {
  const u64 address = (u64)&ctx.shared.window;
  return (double*)(address + (8 - address % 8) % 8);
}
#endif

// The whole block: the sum of x over its threads, for thread 0.
GR_DEVICE double block_sum(Context& ctx, double x) {
#if GR_CUDA
  double* sums = scratch_of(ctx);
  x = warp_sum(x);
  block_sync();
  if (lane_id() == 0) sums[warp_id()] = x;
  block_sync();
  if (thread_id() == 0)
    for (int w = 1; w < WARPS; ++w) x += sums[w];
#endif
  return x;
}

}  // namespace gunrock
