// The grid's barrier between two steps, at the tail of the frontier between them: the load that tells a block
// to go on also reads the frontier's size. With a separate barrier, every step began with another wait for
// memory [D-gate-1]. Called by the driver (enactor.cuh).
//
// Steps use three tails in turn, and a step clears the tail after the next, so blocks are counted from 0 each
// time: when a tail is cleared, all blocks have left its barrier, as they have passed the one after it.
// have left the barrier there, as they have passed the one after it.
#pragma once
#include "frontier.cuh"

namespace gunrock {

#if GR_CUDA
constexpr bool HAS_BARRIER_WITH_PAYLOAD = true;

// The whole block: waits for the other blocks. `received` then holds the tail as it was when the last block
// arrived and, with LEAST, the least key beside it.
template <bool LEAST>
GR_DEVICE void barrier_with_payload(Tail* tail, u32 blocks, Tail* received) {
  block_sync();
  if (thread_id() == 0) {
    u64 size, barrier;
    u32 least = 0;
    arrive(&tail->barrier);
    await_second(&tail->size, blocks, size, barrier, [&] {
      if constexpr (LEAST) least = load_relaxed(&tail->least);
    });
    received->size = size;
    received->barrier = barrier;
    if constexpr (LEAST) received->least = least;
    acquire_once();
  }
  block_sync();
}
#else  // a core reads the size when it needs it: the last to arrive has just written it
constexpr bool HAS_BARRIER_WITH_PAYLOAD = false;
template <bool>
inline void barrier_with_payload(Tail*, u32, Tail*) {}
#endif

}  // namespace gunrock
