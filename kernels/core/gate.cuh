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

// The whole block: waits for the others, and has in `received` what the tail said when the last arrived and, if that
// is wanted, the least key beside it.
template <bool LEAST>
GR_DEVICE void pass_gate(Tail* tail, const u32* least, u32 blocks, Tail* received, u32* key) {
  block_sync();
  if (thread_id() == 0) {
    Tail seen;
    u32 passed = 0;
    arrive(&tail->gate);
    await_second(&tail->size, blocks, seen.size, seen.gate, [&] {
      if constexpr (LEAST) passed = load_relaxed(least);
    });
    *received = seen;
    if constexpr (LEAST) *key = passed;
    acquire_once();
  }
  block_sync();
}
#else  // a core looks up the size when it needs it: the last to arrive has just written it
constexpr bool HAS_GATES = false;
template <bool>
inline void pass_gate(Tail*, const u32*, u32, Tail*, u32*) {}
#endif

}  // namespace gunrock
