// The devices that share a run, as one of them sees the others.
//
// Each owns a range of the vertices, and some memory that all lay out alike (its heap), into which the
// others write: what lies at an address in one heap lies in a peer's at the same distance from its
// beginning. At the head of a heap is a word for each device, where that device says how far it has come.
// Nothing is read from a peer, as writes need not be waited for one by one [D-peers-1].
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

constexpr int MOST_DEVICES = 16;
constexpr u64 GONE = ~u64(0);  // the device has ended its run, and will meet no one again

struct Peers {
  i64 device;                // which of them this is
  i64 devices;
  i64 begin;                 // its first vertex
  i64 end;                   // and the one after its last
  u64 limit_ns;              // how long to wait for another device
  u64 heaps[MOST_DEVICES];   // where each device's heap begins
  i64 threads;               // of the smallest grid of all, so that different devices decide alike by it

  GR_DEVICE i64 count() const { return end - begin; }
  GR_DEVICE bool owns(i64 v) const { return v >= begin && v < end; }

  // Where `mine`, an address in this device's heap, lies in a peer's.
  template <class T>
  GR_DEVICE T* at(T* mine, i64 peer) const {
    return (T*)(heaps[peer] + (u64(mine) - heaps[device]));
  }

  // One block: tell all others that this device is at meeting `number`. Whoever hears of it sees all writes
  // that its threads have seen before.
  GR_DEVICE void announce(u64 number) const {
    for (i64 peer = thread_id(); peer < devices; peer += BLOCK) {
      if (peer == device) continue;
      fence_system();
      store_system((u64*)heaps[peer] + device, number);
    }
  }

  // One block: wait until all others are there. A thread that has waited in vain calls failed(peer, gone);
  // `asked()` may end the waiting, too.
  template <class Asked, class Failed>
  GR_DEVICE void await(u64 number, Asked asked, Failed failed) const {
    constexpr int POLLS = 64;  // between two looks at the clock
    for (i64 peer = thread_id(); peer < devices; peer += BLOCK) {
      if (peer == device) continue;
      const u64* arrived = (const u64*)heaps[device] + peer;
      const u64 begin = clock_ns();
      for (int polls = 1;; ++polls) {
        const u64 seen = load_system(arrived);
        if (seen == GONE) failed(peer, true);
        if (seen >= number) break;
        if (polls % POLLS == 0) {
          if (asked()) break;
          if (clock_ns() - begin > limit_ns) {
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
};

}  // namespace gunrock
