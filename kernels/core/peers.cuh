// Peers: the devices that share a run, as seen by one of them. Used by the driver and by operators of several
// devices.
//
// Each device owns a range of the vertices, and a symmetric heap: memory that all devices lay out alike and
// that the others write into. An address in one heap corresponds to the address at the same distance from the
// beginning of a peer's heap. At the head of a heap is a word per device, in which that device reports its
// progress. Nothing is read from a peer, as writes need not be waited for one by one [D-peers-1].
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

constexpr int MOST_DEVICES = 16;
constexpr u64 GONE = ~u64(0);  // the device has ended its run, and will come to no more meetings

struct Peers {
  i64 device;                // this device's number
  i64 devices;
  i64 begin;                 // its first vertex
  i64 end;                   // one after its last vertex
  u64 limit_ns;              // how long to wait for another device
  u64 heaps[MOST_DEVICES];   // where each device's symmetric heap begins
  i64 threads;               // of the smallest grid, so that all devices decide alike by it

  GR_DEVICE i64 count() const { return end - begin; }
  GR_DEVICE bool owns(i64 v) const { return v >= begin && v < end; }

  // The address in a peer's heap that corresponds to `mine`, in this device's heap.
  template <class T>
  GR_DEVICE T* at(T* mine, i64 peer) const {
    return (T*)(heaps[peer] + (u64(mine) - heaps[device]));
  }

  // One block: tells all other devices that this one is at meeting `number`. A device that sees this also sees
  // all writes that this block's threads have seen before.
  GR_DEVICE void announce(u64 number) const {
    for (i64 peer = thread_id(); peer < devices; peer += BLOCK) {
      if (peer == device) continue;
      fence_system();
      store_system((u64*)heaps[peer] + device, number);
    }
  }

  // One block: waits until all other devices have come to the meeting. A thread that has waited too long, or
  // for a device that has ended, calls failed(peer, gone); waiting also ends if `asked()` is true.
  template <class Asked, class Failed>
  GR_DEVICE void await(u64 number, Asked asked, Failed failed) const {
    constexpr int POLLS = 64;  // between two readings of the clock
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
