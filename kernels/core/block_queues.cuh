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
using SoloQueues = BlockItems<SOLO_CAPACITY>[2];  // in and out, for a block that works alone
static_assert(SOLO_EDGES <= SOLO_CAPACITY, "each edge may yield an item");

// In and out, for a block that runs ahead (operators/advance_ahead.cuh); only where GR_AHEAD is set.
struct AheadQueue {
  item_t items[AHEAD_CAPACITY];
  u32 values[AHEAD_CAPACITY];
  edge_t begins[AHEAD_CAPACITY];
  edge_t ends[AHEAD_CAPACITY];
};
struct AheadQueues {
  AheadQueue queues[2];
  int counts[3];  // used in turn by the rounds, so that one barrier per round is enough
};

// The same over a copy of the lists with four words each (operators/advance_ahead_padded.cuh); only where
// GR_AHEAD_PADDED is set.
struct PaddedQueue {
  alignas(16) vertex_t lists[AHEAD_CAPACITY][4];
  u32 values[AHEAD_CAPACITY];
};
struct PaddedQueues {
  PaddedQueue queues[2];
  int counts[3];
};

}  // namespace gunrock
