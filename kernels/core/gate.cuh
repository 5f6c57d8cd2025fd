// The grid's barrier between two steps, at the tail of the frontier in between: the load that tells a block to go on
// tells it how large that frontier is, too. With a barrier elsewhere, every step began with another wait for memory
// [D-gate-1].
//
// Steps use three tails in turn, and a step clears the one after the next, so blocks are counted from 0 each time: all
// have left the barrier there, as they have passed the one after it.
#pragma once
#include "frontier.cuh"

namespace gunrock {

#if GR_CUDA
constexpr bool HAS_GATES = true;

// The whole block: waits for the others, and has in `received` what the tail said when the last arrived.
GR_DEVICE void pass_gate(Tail* tail, u32 blocks, Tail* received) {
  block_sync();
  if (thread_id() == 0) {
    arrive_high((u32*)&tail->halted);  // the word whose upper half is `arrived`
    await_high_with((u64*)tail, blocks, (u64*)received);
  }
  block_sync();
}
#else  // a core looks up the size when it needs it: the last to arrive has just written it
constexpr bool HAS_GATES = false;
inline void pass_gate(Tail*, u32, Tail*) {}
#endif

}  // namespace gunrock
