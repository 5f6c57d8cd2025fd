// What the threads of a block share: what outlives an operator, and a union that operators use in turn,
// as queues or, like CUB's temporary storage, each as a type of its own. Two operators of a step that use
// it are separated by a block_sync. While a block works alone its queues lie there, so what it calls must
// leave the union alone.
#pragma once
#include "block_queues.cuh"

namespace gunrock {

GR_DEVICE constexpr int larger(int a, int b) { return a > b ? a : b; }

constexpr int HISTORY = 1024;   // entries of a block's hash table for culling
constexpr int WARP_HASH = 128;  // and of a warp's, as in Merrill's (engine/tuning.py knows its size)

// The room for each warp in the scratch, if a kernel says that it needs more than its window.
#ifdef GR_STAGED_BYTES
constexpr int STAGED = WARPS * GR_STAGED_BYTES;
#else
constexpr int STAGED = 0;
#endif

// How much a gather leaves for later.
struct Remembered {
  int lists;  // to the block
  int rests;  // of lists, to the block's warps
};

struct BlockShared {
  ScanStorage<edge_t> scan;
  ScanStorage<u64> wide_scan;  // of packed sizes
  u64 broadcast;
  union {  // a step fills a pile or gathers, never both
    u64 broadcast_far;
    Remembered remembered;
  };
  Tail received;     // what the tail said that the running step reads
  Tail tails[TAILS];  // of the queues of a block that works alone
  int staged;
  int winner;
  item_t stage[STAGE];
#if GR_CULL_HISTORY
  vertex_t history[HISTORY];
#endif
#if GR_CULL_WARP_HASH
  u32 warp_hash[WARPS][WARP_HASH];
#endif
#if GR_SHARED_CACHE  // for a primitive that keeps in the block what most threads ask for
  alignas(16) char cache_words[SHARED_CACHE_BYTES];
#endif
  union {  // last: reads beyond it touch nothing of this block
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

  // What a block keeps because most threads ask for it; null where there is no room for it.
  template <class T>
  GR_DEVICE T* shared_cache() {
#if GR_SHARED_CACHE
    return (T*)cache_words;
#else
    return nullptr;
#endif
  }

  // The scratch as an operator's own storage.
  template <class Storage>
  GR_DEVICE Storage& as() {
    static_assert(sizeof(Storage) <= sizeof(scratch), "the scratch of a block is too small");
    static_assert(alignof(Storage) <= 16, "the scratch of a block is aligned to 16 bytes");
    return *(Storage*)scratch;
  }
};

}  // namespace gunrock
