// Items that a block keeps in its shared memory, with their lists.
#pragma once
#include "frontier.cuh"

namespace gunrock {

template <int CAPACITY>
struct BlockItems {
  edge_t scan[CAPACITY];
  edge_t rows[CAPACITY];
  item_t items[CAPACITY];
};

using Window = BlockItems<PASS + 1>;             // what one pass of an advance needs
using SingleBlockQueues = BlockItems<SINGLE_BLOCK_CAPACITY>[2];  // in and out, for a block that works alone
static_assert(SINGLE_BLOCK_EDGES <= SINGLE_BLOCK_CAPACITY, "each edge may yield an item");

// In and out, for a block that runs ahead (operators/advance_ahead.cuh); only where GR_AHEAD is set.
struct AheadQueue {
  item_t items[AHEAD_CAPACITY];
  u32 values[AHEAD_CAPACITY];
  edge_t begins[AHEAD_CAPACITY];
  edge_t ends[AHEAD_CAPACITY];
};
// Rounds count what they queue by turns, so that one barrier per round is enough. Three counters would do, but a division
// by three is in the way of every round [D-ahead-14].
struct AheadQueues {
  static constexpr int COUNTERS = 4;
  AheadQueue queues[2];
  int counts[COUNTERS];
};

// The same over a copy of the lists with four words each (operators/advance_ahead_padded.cuh); only where
// GR_AHEAD_PADDED is set, to PADDED_WEIGHTED where each word has a weight.
#define PADDED_WEIGHTED 2
#if GR_AHEAD_PADDED == PADDED_WEIGHTED && GR_CUDA
constexpr int PADDED_CAPACITY = AHEAD_CAPACITY / (GR_BLOCKS_PER_SM > 4 ? 4 : 2);  // so that as many blocks fit
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
  alignas(16) vertex_t weights[PADDED_CAPACITY][4];  // their bits
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
