// BlockShared: the shared memory of a block: words that outlive an operator, and a union that operators use in
// turn, as queues or, like CUB's temporary storage, each as a type of its own. Two operators of a step that use
// the union are separated by a block_sync. While a single block runs the steps, its queues lie there, so
// operators that it calls must leave the union alone.
#pragma once
#include "block_queues.cuh"

namespace gunrock {

GR_DEVICE constexpr int larger(int a, int b) { return a > b ? a : b; }

constexpr int HISTORY = 1024;   // entries of a block's hash table for culling
constexpr int WARP_HASH = 128;  // of a warp's, as in Merrill's paper (engine/tuning.py knows its size)

// The room for each warp in the scratch, if a kernel needs more than its part of the window.
#ifdef GR_STAGED_BYTES
constexpr int STAGED = WARPS * GR_STAGED_BYTES;
#else
constexpr int STAGED = 0;
#endif

// How much a gather leaves for later.
struct Remembered {
  int lists;  // lists, for the block
  int rests;  // rests of lists, for the block's warps
};

// What the threads of a block set aside in shared memory, such as lists for the whole block. What does not fit is
// processed at once.
template <class Item, int ROOM>
struct SetAside {
  static constexpr int MOST = WARP > 1 ? ROOM : 1;
  Item items[MOST];
  GR_DEVICE bool keep(int& count, const Item& item) {
    const int place = reserve(&count);
    if (place < MOST) items[place] = item;
    return place < MOST;
  }
  GR_DEVICE static int kept(int count) { return count < MOST ? count : MOST; }
};

struct BlockShared {
  ScanStorage<edge_t> scan;
  ScanStorage<u64> wide_scan;  // of packed sizes
  u64 broadcast;
  union {  // a step fills a pile or gathers, but not both
    u64 broadcast_far;
    Remembered remembered;
  };
  Tail received;     // the tail that the running step has read
  Tail tails[TAILS];  // of a single block's queues
  int staged;
  int winner;
  item_t stage[STAGE];
#if GR_CULL_HISTORY
  vertex_t history[HISTORY];
#endif
#if GR_CULL_WARP_HASH
  u32 warp_hash[WARPS][WARP_HASH];
#endif
#if GR_SHARED_CACHE  // for a primitive whose blocks cache what most threads read
  alignas(16) char cache_words[SHARED_CACHE_BYTES];
#endif
  union {  // last, so that reads beyond it touch no other member
    Window window;
    SingleBlockQueues single_block;
#if GR_AHEAD
    AheadQueues ahead;
#endif
#if GR_AHEAD_PADDED
    PaddedQueues<GR_AHEAD_PADDED == PADDED_WEIGHTED> ahead_padded;
#endif
    alignas(16) char scratch[larger(larger(sizeof(Window), sizeof(SingleBlockQueues)), STAGED) / 8 * 8];
  };

  // The block's cache of what most threads read; null if the kernel has none.
  template <class T>
  GR_DEVICE T* shared_cache() {
#if GR_SHARED_CACHE
    return (T*)cache_words;
#else
    return nullptr;
#endif
  }

  // The scratch, as an operator's own type.
  template <class Storage>
  GR_DEVICE Storage& as() {
    static_assert(sizeof(Storage) <= sizeof(scratch), "the scratch of a block is too small");
    static_assert(alignof(Storage) <= 16, "the scratch of a block is aligned to 16 bytes");
    return *(Storage*)scratch;
  }
};

}  // namespace gunrock
