// What the threads of a block share.
#pragma once
#include "frontier.cuh"

namespace gunrock {

#if GR_CUDA
constexpr int ITEMS = GR_ITEMS;  // edges that a thread works on at once
constexpr int PASS = BLOCK * ITEMS;
constexpr int STAGE = 2 * PASS;
#else
constexpr int ITEMS = 8;
constexpr int PASS = BLOCK * ITEMS;
constexpr int STAGE = 4096;
#endif
constexpr int HISTORY = 1024;  // entries of the culling hash table

#if GR_CUDA
constexpr int SOLO_CAPACITY = GR_SOLO_CAPACITY;  // items that a lone block's queues hold
constexpr int SOLO_EDGES = GR_SOLO_EDGES;        // largest frontier that a block keeps to itself
struct Window {  // the vertices that one pass of a load-balanced advance needs
  edge_t scan[PASS + 1];
  edge_t rows[PASS + 1];
  item_t items[PASS + 1];
};
#else
constexpr int SOLO_EDGES = 2048;  // below this, one core beats the team's barrier
constexpr int SOLO_CAPACITY = SOLO_EDGES;
#endif
static_assert(SOLO_EDGES <= SOLO_CAPACITY, "each edge may yield an item");
struct SoloQueue {
  edge_t scan[SOLO_CAPACITY];
  edge_t rows[SOLO_CAPACITY];
  item_t items[SOLO_CAPACITY];
};

// Of operators/advance_ahead.cuh.
constexpr int AHEAD_CAPACITY = GR_CUDA ? 1024 : 4096;  // items of a block that runs ahead
struct AheadQueue {
  item_t items[AHEAD_CAPACITY];
  u32 values[AHEAD_CAPACITY];
  edge_t begins[AHEAD_CAPACITY];
  edge_t ends[AHEAD_CAPACITY];
};
struct AheadStorage {
  AheadQueue queues[2];
  int counts[3];
};

struct BlockShared {
  ScanStorage<edge_t> scan;
  ScanStorage<u64> wide_scan;  // of packed sizes
  u64 broadcast;
  u64 broadcast_far;
  u64 long_edges;        // of long lists, since the stage was written out last
  u64 tails[2 * TAILS];  // of the queues of a block that works alone
  int staged;
  int turn_winner;
  item_t stage[STAGE];
#if GR_CULL_HISTORY
  vertex_t history[HISTORY];
#endif
#if GR_CUDA
  union {  // a block that works alone searches its queue in place and needs no window
    Window window;
    SoloQueue solo[2];
#if GR_AHEAD
    AheadStorage ahead;
#endif
  };
#else
#if GR_AHEAD
  AheadStorage ahead;
#endif
  SoloQueue solo[2];  // last: what is read beyond them lies beyond the block's storage
#endif
};

}  // namespace gunrock
