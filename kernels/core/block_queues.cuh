// Queues that a block keeps in its shared memory: items with their lists. BlockShared (shared.cuh) has room for
// them.
#pragma once
#include "frontier.cuh"

namespace gunrock {

template <int CAPACITY>
struct BlockItems {
  edge_t scan[CAPACITY];
  edge_t rows[CAPACITY];
  item_t items[CAPACITY];
};

using Window = BlockItems<PASS + 1>;             // for one pass of an advance
using SingleBlockQueues = BlockItems<SINGLE_BLOCK_CAPACITY>[2];  // in and out, for a single block
static_assert(SINGLE_BLOCK_EDGES <= SINGLE_BLOCK_CAPACITY, "each edge may yield an item");

// In and out, for a block that runs ahead (operators/advance_ahead.cuh). Only if GR_AHEAD is set.
struct AheadQueue {
  item_t items[AHEAD_CAPACITY];
  u32 values[AHEAD_CAPACITY];
  edge_t begins[AHEAD_CAPACITY];
  edge_t ends[AHEAD_CAPACITY];
};
// Rounds use these counters of queued items in turn, so that one barrier per round is enough. Three would do,
// but every round would then divide by three [D-ahead-14].
struct AheadQueues {
  static constexpr int COUNTERS = 4;
  AheadQueue queues[2];
  int counts[COUNTERS];
};

// The queues for a copy of the lists with four words each (operators/advance_ahead_padded.cuh). Only if
// GR_AHEAD_PADDED is set; PADDED_WEIGHTED: each word has a weight.
#define PADDED_WEIGHTED 2
#if GR_AHEAD_PADDED == PADDED_WEIGHTED && GR_CUDA
// so that as many blocks fit a multiprocessor
constexpr int PADDED_CAPACITY = AHEAD_CAPACITY / (GR_BLOCKS_PER_SM > 4 ? 4 : 2);
#else
constexpr int PADDED_CAPACITY = AHEAD_CAPACITY;
#endif
template <bool WEIGHTED>
struct PaddedQueue {
  alignas(16) vertex_t lists[PADDED_CAPACITY][4];
  u32 values[PADDED_CAPACITY];
};
template <>
struct PaddedQueue<true> {
  alignas(16) vertex_t lists[PADDED_CAPACITY][4];
  alignas(16) vertex_t weights[PADDED_CAPACITY][4];  // the weights' bits
  u32 values[PADDED_CAPACITY];
  vertex_t vertices[PADDED_CAPACITY];
};
template <bool WEIGHTED>
struct PaddedQueues {
  static constexpr int COUNTERS = AheadQueues::COUNTERS;
  PaddedQueue<WEIGHTED> queues[2];
  int counts[COUNTERS];
};

}  // namespace gunrock
