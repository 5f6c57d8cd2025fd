// Prefix sums over an array, by the whole grid, in two steps; called by contraction.cuh and by colorings:
//
//   sum_chunks(ctx, count, value, sums)        first step: the sum of each chunk of the array
//   scan_chunks(ctx, count, value, sums, put)  next step: put(i, before, x) for every index i below count,
//                                              with x = value(i) and the sum of all values before it
//
// value(i) returns a u64, the same in both steps; several sums can be packed into one. `sums` has room for
// SCAN_CHUNKS words.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

constexpr i64 SCAN_CHUNKS = 1024;

// The number of indices in a chunk: consecutive, and equally many in every chunk.
GR_DEVICE i64 scan_chunk(i64 count) {
  constexpr i64 LEAST = 1024;
  const i64 even = (count + SCAN_CHUNKS - 1) / SCAN_CHUNKS;
  return even < LEAST ? LEAST : even;
}

template <class Value>
GR_DEVICE void sum_chunks(Context& ctx, i64 count, Value value, u64* sums) {
  const i64 length = scan_chunk(count);
  int turn = 0;
  block_sync();
  for (i64 chunk = ctx.block; chunk * length < count; chunk += ctx.blocks) {
    const i64 end = (chunk + 1) * length < count ? (chunk + 1) * length : count;
    u64 mine = 0, total = 0;
    for (i64 i = chunk * length + thread_id(); i < end; i += BLOCK) mine += value(i);
    block_scan(mine, total, ctx.shared.wide_scan, turn++);
    if (thread_id() == 0) sums[chunk] = total;
  }
  block_sync();
}

template <class Value, class Put>
GR_DEVICE void scan_chunks(Context& ctx, i64 count, Value value, const u64* sums, Put put) {
  const i64 length = scan_chunk(count);
  int turn = 0;
  block_sync();
  for (i64 chunk = ctx.block; chunk * length < count; chunk += ctx.blocks) {
    const i64 first = chunk * length, end = first + length < count ? first + length : count;
    u64 mine = 0, before = 0;
    for (i64 earlier = thread_id(); earlier < chunk; earlier += BLOCK) mine += sums[earlier];
    block_scan(mine, before, ctx.shared.wide_scan, turn++);
    for (i64 base = first; base < end; base += BLOCK) {
      const i64 i = base + thread_id();
      const u64 x = i < end ? value(i) : 0;
      u64 total = 0;
      const u64 place = before + block_scan(x, total, ctx.shared.wide_scan, turn++);
      if (i < end) put(i, place, x);
      before += total;
    }
  }
  block_sync();
}

}  // namespace gunrock
