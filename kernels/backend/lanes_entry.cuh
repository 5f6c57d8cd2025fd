// The functions that tests call to run on lanes. Included by core/entry.cuh.
#pragma once
extern "C" {
extern const contract::Entry gr_contract[];
const contract::Entry gr_contract[] = {GR_CONTRACT};
extern const i64 gr_contract_bytes;
const i64 gr_contract_bytes = sizeof(gr_contract);

// Why the last launch failed; empty if it ended normally.
const char* gr_failure() { return lanes::failure().words; }

// gr_run and gr_step return the nanoseconds that the enactor took. `apart`: each block on a thread of the host
// (fibres.cuh).
#if !GR_HOST_LOOP
u64 gr_run(const Args* args, int blocks, u64 seed, int apart) {
  return lanes::launch<BlockShared>(blocks, BLOCK, WARP, seed, apart, [&](BlockShared& shared, int block) {
    Driver<Enactor, Problem>{*args, *args->workspace.control, shared, block, blocks}.run();
  });
}
#else
u64 gr_step(const Args* args, int blocks, u64 seed, int apart, u32 number) {
  return lanes::launch<BlockShared>(blocks, BLOCK, WARP, seed, apart, [&](BlockShared& shared, int block) {
    Driver<Enactor, Problem>{*args, *args->workspace.control, shared, block, blocks}.run_step(number);
  });
}
#endif
}
