// Conversion of a frontier between queue and bitmap; called by searches that change direction.
#pragma once
#include "../core/bitmap_frontier.cuh"
#include "../core/collector.cuh"

namespace gunrock {

// A step of its own: turns the step's frontier into a bitmap, which the next step receives.
GR_DEVICE void queue_to_bitmap(Context& ctx, const LoopState& s, BitmapFrontier& bitmap) {
  const Frontier in = ctx.in(s);
  u32* bits = bitmap.next();
  for_each_index(ctx, in.size.count, [&](i64 i) { bitmap_set(bits, vertex_t(in.queue.items[i])); });
  bitmap.clear_spare(ctx);
  if (ctx.rank() == 0) bitmap.set_next_size(in.size);
  bitmap.turn();
}

// A step of its own: the vertices of a bitmap of `words` words that pass a test become the next frontier. If
// there are fewer words than threads, words are split among threads.
template <Kind OUT, class Test>
GR_DEVICE void bitmap_to_queue(Context& ctx, const LoopState& s, const u32* bits, i64 words, Test test) {
  Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
  if constexpr (WARP == 1) {
    for_each_index(ctx, words, [&](i64 i) {
      for (u32 word = load_relaxed(&bits[i]); word; word &= word - 1) {
        const item_t v = item_t(i * 32 + lowest_bit(word));
        collect.make_room(1);
        if (test(v)) collect.push(v);
      }
    });
    collect.flush();
    return;
  }
  int split = 0;  // log2 of the parts of a word
  while (split < 5 && words << split < ctx.threads()) ++split;
  const i64 parts = words << split;
  const int width = 32 >> split;
  constexpr int LOADS = 4;  // in flight per thread
  const i64 stride = ctx.threads();
  const i64 rounds = (parts + LOADS * stride - 1) / (LOADS * stride);
  for (i64 round = 0; round < rounds; ++round) {
    const i64 first = ctx.rank() + round * LOADS * stride;
    u32 part[LOADS];
    GR_UNROLL
    for (int k = 0; k < LOADS; ++k) {
      const i64 i = first + k * stride;
      part[k] = i < parts ? load_relaxed(&bits[i >> split]) >> (i * width % 32) & ~0u >> (32 - width) : 0;
    }
    for (;;) {  // one bit per thread at a time, so the stage cannot overflow
      int chosen = -1;
      u32 left = 0;
      GR_UNROLL
      for (int k = 0; k < LOADS; ++k) {
        if (chosen >= 0 || part[k] == 0) continue;
        chosen = k;
        left = part[k];
        part[k] &= part[k] - 1;
      }
      if (!block_any(left != 0)) break;
      collect.make_room(BLOCK);
      if (left == 0) continue;
      const item_t v = item_t((first + chosen * stride) * width + lowest_bit(left));
      if (test(v)) collect.push(v);
    }
  }
  collect.flush();
}
// Converts a bitmap of all vertices of the graph.
template <class Test>
GR_DEVICE void bitmap_to_queue(Context& ctx, const LoopState& s, const u32* bits, Test test) {
  bitmap_to_queue<V>(ctx, s, bits, bitmap_words(ctx.graph.n), test);
}
// Converts all of the bitmap, without a test.
GR_DEVICE void bitmap_to_queue(Context& ctx, const LoopState& s, const u32* bits) {
  bitmap_to_queue(ctx, s, bits, [](item_t) { return true; });
}

}  // namespace gunrock
