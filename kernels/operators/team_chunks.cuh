// TeamChunks: words that devices broadcast in chunks, until each has sent all its words to all others. All know
// each device's number of words, so all take part in equally many exchanges. Called by connected components on
// several devices.
//
// Every device has two slots, used in turn, so that a device that is a chunk ahead does not write where others
// still read.
#pragma once
#include "exchange.cuh"

namespace gunrock {

struct TeamChunks {
  const Peers& peers;
  const i64* counts;  // the number of words of each device; in the symmetric heap, sent with the first chunk or before
  u64* inbox;         // in the symmetric heap: for every device, two slots of `size` words, used in turn
  i64 size;

  // The exchange: broadcasts a chunk of this device's `count` words; word(i) is the i-th.
  template <class Word>
  GR_DEVICE void broadcast(Context& ctx, i64 chunk, i64 count, Word word) const {
    u64* const target = slot(chunk, peers.device);
    const i64 here = in_chunk(chunk, count);
    for (i64 i = ctx.rank(); i < here; i += ctx.threads()) {
      const u64 item = word(chunk * size + i);
      for (i64 k = 1; k < peers.devices; ++k)
        peers.at(target, (peers.device + k) % peers.devices)[i] = item;
    }
  }

  // A step's work: f(word) for a chunk's words from all other devices. True if there are more chunks.
  template <class F>
  GR_DEVICE bool hear(Context& ctx, i64 chunk, F f) const {
    bool more = false;
    for (i64 d = 0; d < peers.devices; ++d) {
      const i64 count = load_cached(&counts[d]);
      more = more || count > (chunk + 1) * size;
      if (d == peers.device) continue;
      const u64* const received = slot(chunk, d);
      for_each_index(ctx, in_chunk(chunk, count), [&](i64 i) { f(load_relaxed(&received[i])); });
    }
    return more;
  }

 private:
  GR_DEVICE u64* slot(i64 chunk, i64 device) const {
    return inbox + (chunk % 2 * peers.devices + device) * size;
  }
  GR_DEVICE i64 in_chunk(i64 chunk, i64 count) const {
    const i64 left = count - chunk * size;
    return left < size ? left : size;
  }
};

}  // namespace gunrock
