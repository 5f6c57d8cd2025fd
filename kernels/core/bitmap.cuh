// Sets of vertices, one bit each.
#pragma once
#include "partition.cuh"

namespace gunrock {

GR_DEVICE i64 bitmap_words(i64 n) { return (n + 31) / 32; }
GR_DEVICE bool bitmap_test(const u32* bits, vertex_t v) {
  return load_relaxed(&bits[v / 32]) >> (v % 32) & 1;
}
// The same where no one sets bits during the step, so that cached copies of the words will do.
GR_DEVICE bool bitmap_holds(const u32* bits, vertex_t v) { return bits[v / 32] >> (v % 32) & 1; }
// The same if `asked`: the word that was loaded, which is tested for the bit only once someone asks.
struct Bit {
  u32 word, mask;
  GR_DEVICE operator bool() const { return (word & mask) != 0; }
};
GR_DEVICE Bit bitmap_holds(bool asked, const u32* bits, vertex_t v) {
  return {load_cached_if(asked, &bits[u32(v) / 32], 0), 1u << (u32(v) % 32)};
}
GR_DEVICE void bitmap_set(u32* bits, vertex_t v) { atomic_or(&bits[v / 32], 1u << (v % 32)); }

// Set all words to zero. A part of a step.
GR_DEVICE void bitmap_clear(Context& ctx, u32* bits) {
  const i64 words = bitmap_words(ctx.graph.n);
  for_each_index(ctx, words, [=](i64 i) { bits[i] = 0; });
}

}  // namespace gunrock
