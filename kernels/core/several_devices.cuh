// Several devices that share a run. Each owns a range of the vertices, and a symmetric heap: memory that all devices
// lay out alike and that the others write into. An address in one heap corresponds to the address at the same distance
// from the beginning of a peer's heap (Peers::at). At the head of a heap is a word per device, in which that device
// reports its progress. Nothing is read from a peer, as writes need not be waited for one by one [D-peers-1].
//
// An enactor names its Team, derived from SeveralDevices, with
//   exchange(ctx, problem, control, state)   what the whole grid does between two steps: it sees all that the previous
//                                            step wrote, and the next step sees all that it writes, here and, by the
//                                            meeting of all devices that follows, in other devices' heaps
//   due(state)                               true if the previous step left something to exchange
// All devices must answer `due` alike, and base every decision that they must take together (go on, change direction)
// on what all have received. In the host loop an exchange is a launch of its own. The driver (enactor.cuh) calls the
// rest.
#pragma once
#include "enactor.cuh"

namespace gunrock {

constexpr u64 GONE = ~u64(0);  // the device has ended its run, and will come to no more meetings

// One block: tells all other devices that this one is at meeting `number`. A device that sees this also sees
// all writes that this block's threads have seen before.
GR_DEVICE void announce(const Peers& peers, u64 number) {
  for (i64 peer = thread_id(); peer < peers.devices; peer += BLOCK) {
    if (peer == peers.device) continue;
    fence_system();
    store_system((u64*)peers.heaps[peer] + peers.device, number);
  }
}

// One block: waits until all other devices have come to the meeting. A thread that has waited too long, or
// for a device that has ended, calls failed(peer, gone); waiting also ends if `asked()` is true.
template <class Asked, class Failed>
GR_DEVICE void await(const Peers& peers, u64 number, Asked asked, Failed failed) {
  constexpr int POLLS = 64;  // between two readings of the clock
  for (i64 peer = thread_id(); peer < peers.devices; peer += BLOCK) {
    if (peer == peers.device) continue;
    const u64* arrived = (const u64*)peers.heaps[peers.device] + peer;
    const u64 begin = clock_ns();
    for (int polls = 1;; ++polls) {
      const u64 seen = load_system(arrived);
      if (seen == GONE) failed(peer, true);
      if (seen >= number) break;
      if (polls % POLLS == 0) {
        if (asked()) break;
        if (clock_ns() - begin > peers.limit_ns) {
          failed(peer, false);
          break;
        }
      }
      pause(polls);
    }
    fence_system();
  }
  block_sync();
}

struct SeveralDevices : OneDevice {
  static constexpr bool EXCHANGES = true, MEETS = true;

  // All devices: after the grid's next barrier, each sees what every other wrote before.
  GR_DEVICE static void meet(const Context& ctx, Control& control, const LoopState& state, u32 generation, u64 number) {
    block_sync();
    if (thread_id() == 0) fence_system();  // a fence for each block's own writes to its peers
    if (ctx.block != 0) return;
    await_others(&control.barrier, generation, u32(ctx.blocks));
    Tail* const next = ctx.tail(state.step);
    announce(ctx.peers, number);
    await(
        ctx.peers, number,
        [&] {
          const bool asked = load_relaxed(&control.stop);
          if (asked) halt(next, ASKED);
          return asked;
        },
        [&](i64 peer, bool gone) { halt(next, gone ? PEER_LEFT : PEER_LOST, peer); });
  }

  // Why a step must not run, from what halted it; STATUS_RUNNING if that was no other device.
  GR_DEVICE static Status why(u32 halted) {
    return halted & PEER_LEFT ? STATUS_PEER_LEFT : halted & PEER_LOST ? STATUS_PEER_LOST : STATUS_RUNNING;
  }

  // Before the end of this device's run: notes which device ended it, and tells the others.
  GR_DEVICE static void leave(const Context& ctx, Control& control, Status status, u32 halted) {
    if (ctx.rank() == 0 && status >= STATUS_PEER_LOST) control.needed = halted / PEER;
    if (status != STATUS_DONE && ctx.block == 0) announce(ctx.peers, GONE);
  }
};

}  // namespace gunrock
