// A frontier as a queue, and as a bitmap.
#pragma once
#include "../core/bitmap.cuh"
#include "../core/collector.cuh"

namespace gunrock {

// Add a vertex queue to a bitmap. A part of a step.
GR_DEVICE void bitmap_from_queue(Context& ctx, const Queue& in, u32 count, u32* bits) {
  for (i64 i = ctx.rank(); i < count; i += ctx.threads()) bitmap_set(bits, vertex_t(in.items[i]));
}

// Append a bitmap's vertices to a queue. A part of a step.
GR_DEVICE void queue_from_bitmap(Context& ctx, const u32* bits, const Queue& out, u64* tail,
                                 const Csr& next) {
  Collector<Kind::vertex> collect(ctx, out, tail, next);
  const i64 words = bitmap_words(ctx.graph.n);
  const i64 rounds = (words + ctx.threads() - 1) / ctx.threads();
  for (i64 round = 0; round < rounds; ++round) {
    const i64 i = ctx.rank() + round * ctx.threads();
    u32 word = i < words ? load_relaxed(&bits[i]) : 0;
    while (block_any(word != 0)) {  // a bit a thread at a time, so that the stage cannot overflow
      collect.make_room(BLOCK);
      if (word) {
        collect.push(item_t(i * 32 + lowest_bit(word)));
        word &= word - 1;
      }
    }
  }
  collect.flush();
}

}  // namespace gunrock
