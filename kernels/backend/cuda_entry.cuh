// The kernels that the host launches on a GPU. Included by core/entry.cuh.
#pragma once
extern "C" __device__ contract::Entry gr_contract[] = {GR_CONTRACT};
extern "C" __device__ i64 gr_contract_bytes = sizeof(gr_contract);

#if !GR_HOST_LOOP
extern "C" __global__ void __launch_bounds__(BLOCK, GR_BLOCKS_PER_SM)
gr_run(const __grid_constant__ Args args) {
  extern __shared__ __align__(16) char storage[];
  Driver<Enactor, Problem>{args, *args.workspace.control, *(BlockShared*)storage, int(blockIdx.x),
                           int(gridDim.x)}
      .run();
}
#else
extern "C" __global__ void __launch_bounds__(BLOCK, GR_BLOCKS_PER_SM)
gr_step(const __grid_constant__ Args args, u32 number) {
  extern __shared__ __align__(16) char storage[];
  Driver<Enactor, Problem>{args, *args.workspace.control, *(BlockShared*)storage, int(blockIdx.x),
                           int(gridDim.x)}
      .run_step(number);
}
#endif

// Keeps the device busy until the host has queued what is to be timed and says so by signal[0], in the host's
// memory, and for `grace` ns more, in which the device fetches what was queued (otherwise 3 to 12 us of every
// time). signal[1] is set if the host took longer than `ns` and was not waited for. (`gunrock profile` leaves
// this kernel out, by its name.)
extern "C" __global__ void wait_for_host(u32* signal, u64 ns, u64 grace) {
  const u64 begin = clock_ns();
  while (load_relaxed(&signal[0]) == 0) {
    if (clock_ns() - begin > ns) {
      store_relaxed(&signal[1], 1u);
      return;
    }
  }
  const u64 opened = clock_ns();
  while (clock_ns() - opened < grace) {
  }
}
