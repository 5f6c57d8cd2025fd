// What a step runs in.
#pragma once
#include "shared.cuh"

namespace gunrock {

// What a step runs in: which blocks take part, their shared storage, the graph, the queues.
struct Context {
  const Graph& graph;
  BlockShared& shared;
  int block;   // this block among those that take part
  int blocks;  // how many take part; 1 where a block works alone
  bool solo;
  Queue even, odd;  // in and out in turn, by the step's parity
  u64* tails;       // three: in, out, and the next out, which this step clears
  i64 lb_threshold;

  // Selected field by field: an indexed array would live in local memory.
  GR_DEVICE Queue queue(u32 step) const {
    const bool e = step % 2 == 0;
    return {e ? even.items : odd.items, e ? even.scan : odd.scan, e ? even.rows : odd.rows,
            even.capacity};
  }
  GR_DEVICE u64* tail(u32 step) const { return tails + step % 3; }

  GR_DEVICE i64 rank() const { return i64(block) * BLOCK + thread_id(); }
  GR_DEVICE i64 threads() const { return i64(blocks) * BLOCK; }
};

}  // namespace gunrock
