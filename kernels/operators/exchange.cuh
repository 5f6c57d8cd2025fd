// Exchange: writes parts of arrays that all devices have into the other devices' copies. Parts of
// Team::exchange (core/several_devices.cuh), called by the whole grid.
//
// All writes are contiguous: they run at the speed of the link, while random reads across devices are 16 times
// slower than local ones [D-peers-1]. Each device begins with a different peer, so that no two write to the
// same peer all the time.
#pragma once
#include "../core/several_devices.cuh"

namespace gunrock {

namespace exchanging {

// Writes array[begin, end), one item at a time.
template <class T>
GR_DEVICE void broadcast_items(Context& ctx, T* array, i64 begin, i64 end) {
  const Peers& peers = ctx.peers;
  for (i64 i = begin + ctx.rank(); i < end; i += ctx.threads()) {
    const T item = array[i];
    for (i64 k = 1; k < peers.devices; ++k)
      peers.at(array, (peers.device + k) % peers.devices)[i] = item;
  }
}

}  // namespace exchanging

// Writes array[begin, end), which lies in the symmetric heap, to the same place on all other devices.
template <class T>
GR_DEVICE void broadcast(Context& ctx, T* array, i64 begin, i64 end) {
#if GR_CUDA
  constexpr i64 WIDE = i64(sizeof(uint4) / sizeof(T));  // heaps are aligned alike
  const i64 unaligned = i64(u64(array + begin) % sizeof(uint4) / sizeof(T));
  const i64 first = begin + (unaligned ? WIDE - unaligned : 0);
  if (end - first > WIDE) {
    const i64 packets = (end - first) / WIDE;
    exchanging::broadcast_items(ctx, (uint4*)(array + first), 0, packets);
    exchanging::broadcast_items(ctx, array, begin, first);
    exchanging::broadcast_items(ctx, array, first + packets * WIDE, end);
    return;
  }
#endif
  exchanging::broadcast_items(ctx, array, begin, end);
}

// Where a device's own items lie in an array of all items, which are dealt out to the devices in turn, back and
// forth, in groups of GROUP (graph/partition.py is the host's half).
template <int GROUP>
GR_DEVICE i64 dealt_place(const Peers& peers, i64 own) {
  const i64 round = i64(u64(own) / GROUP), back = peers.devices - 1 - peers.device;
  return (round * peers.devices + (round % 2 ? back : peers.device)) * GROUP + i64(u64(own) % GROUP);
}

// Writes the first `count` of a device's own items, dealt out like this in an array in the symmetric heap, to
// the same places on all other devices; on a GPU, together with the rest of the last packet. An array has room
// for whole groups.
template <int GROUP, class T>
GR_DEVICE void broadcast_dealt(Context& ctx, T* array, i64 count) {
#if GR_CUDA
  using Packet = uint4;
#else
  using Packet = T;
#endif
  constexpr i64 WIDE = i64(sizeof(Packet) / sizeof(T));
  static_assert(GROUP % WIDE == 0, "a packet lies within a group");
  const Peers& peers = ctx.peers;
  Packet* const packets = (Packet*)array;
  for (i64 i = ctx.rank(); i * WIDE < count; i += ctx.threads()) {
    const i64 at = dealt_place<GROUP>(peers, i * WIDE) / WIDE;
    const Packet packet = packets[at];
    for (i64 k = 1; k < peers.devices; ++k)
      peers.at(packets, (peers.device + k) % peers.devices)[at] = packet;
  }
}

// Writes words [begin, end) of a bitmap in the symmetric heap to the same place on all other devices. The other
// copies have no bits in this range that this one has not, so empty words need not be sent. `begin` is a
// multiple of WIDE_WORDS, as is a bitmap's room. The other devices may read their copies meanwhile [D-tell-1].
constexpr i64 WIDE_WORDS = 4;
GR_DEVICE void broadcast_bits(Context& ctx, u32* words, i64 begin, i64 end) {
  const Peers& peers = ctx.peers;
#if GR_CUDA
  constexpr int BATCH = 4;  // packets that a thread loads at once
  uint4* const packets = (uint4*)words;
  const i64 stride = ctx.threads(), last = (end + WIDE_WORDS - 1) / WIDE_WORDS;
  for (i64 i = begin / WIDE_WORDS + ctx.rank(); i < last; i += BATCH * stride) {
    uint4 packet[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      packet[k] = i + k * stride < last ? packets[i + k * stride] : uint4{0, 0, 0, 0};
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!(packet[k].x | packet[k].y | packet[k].z | packet[k].w)) continue;
      for (i64 step = 1; step < peers.devices; ++step)
        peers.at(packets, (peers.device + step) % peers.devices)[i + k * stride] = packet[k];
    }
  }
#else
  for (i64 i = begin + ctx.rank(); i < end; i += ctx.threads()) {
    const u32 word = load_relaxed(&words[i]);
    for (i64 step = 1; word && step < peers.devices; ++step)
      store_relaxed(peers.at(words, (peers.device + step) % peers.devices) + i, word);
  }
#endif
}

// Writes one item: in every device's symmetric heap there is one place per sending device.
template <class T>
GR_DEVICE void broadcast_one(Context& ctx, T* places, const T& item) {
  if (ctx.rank() != 0) return;
  for (i64 peer = 0; peer < ctx.peers.devices; ++peer)
    *ctx.peers.at(places + ctx.peers.device, peer) = item;
}

// The set of places that is used in this turn, of two.
template <class T>
GR_DEVICE T* in_turn(T* places, u32 number) { return places + number % 2 * MOST_DEVICES; }

// Reads an item that another device sent, through the cache: of a multiprocessor's warps, one reads from L2.
template <class T>
GR_DEVICE T load_received(const T* place) {
  static_assert(sizeof(T) % sizeof(u64) == 0, "what is told is words");
  T item;
  for (u64 i = 0; i < sizeof(T) / sizeof(u64); ++i) ((u64*)&item)[i] = load_cached((const u64*)place + i);
  return item;
}

}  // namespace gunrock
