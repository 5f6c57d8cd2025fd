// TeamFlow: dataflow (dataflow.cuh) over several devices. A value that other devices wait for is written into
// their memory as soon as it is found, one word each, without any further message or meeting: a vertex waits
// for the words that it sums, wherever they come from. Called by BC.
//
// Each device takes its own vertices in order, so the first unfinished vertex by level waits for nobody.
// Another device may end early, or never start: threads that wait check for that now and then.
#pragma once
#include "../core/bitmap.cuh"
#include "../core/several_devices.cuh"
#include "dataflow.cuh"

namespace gunrock {

// How a device finishes a vertex of its own.
struct TeamFlow {
  struct Border {
    bool others_wait;  // other devices wait for the vertex
  };
  const Peers& peers;
  const u32* border;    // bitmap of this device's vertices, from its first on

  GR_DEVICE i64 begin() const { return peers.begin; }
  GR_DEVICE Border at_border(vertex_t v) const { return {bitmap_test(border, v - vertex_t(peers.begin))}; }
  GR_DEVICE void write(u64* place, u64 word, const Border& at) const {
    store_relaxed(place, word);
    if (!at.others_wait) return;
    for (i64 k = 1; k < peers.devices; ++k)
      store_relaxed(peers.at(place, (peers.device + k) % peers.devices), word);
  }
};

// How long a thread waits for other devices' values.
struct TeamPatience {
  static constexpr bool ENDS = true;
  static constexpr int POLLS = 256;  // polls between two calls of run_ended
  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  Tail* next;         // tail of the next step, which must not run if patience ends
  const u64* stop;    // set by the host
  u64 since = 0;

  GR_DEVICE void begin() { since = 0; }

  // For a thread that waits for v's value (-1: for none): true if the run is over.
  GR_DEVICE bool run_ended(vertex_t v) {
    if (halted(next)) return true;
    if (load_relaxed(stop)) {
      halt(next, ASKED);
      return true;
    }
    for (i64 peer = 0; peer < peers.devices; ++peer) {
      if (peer != peers.device && load_system((const u64*)peers.heaps[peers.device] + peer) == GONE)
        return ends(PEER_LEFT, peer);
    }
    const u64 now = clock_ns();
    if (since == 0) since = now;
    if (v < 0 || peers.owns(v) || now - since <= peers.limit_ns) return false;
    i64 owner = 0;
    while (bounds[owner + 1] <= v) ++owner;
    return ends(PEER_LOST, owner);
  }

 private:
  GR_DEVICE bool ends(Halt why, i64 peer) const {
    halt(next, why, peer);
    return true;
  }
};

}  // namespace gunrock
