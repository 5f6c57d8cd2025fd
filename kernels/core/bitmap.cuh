// Sets of vertices, one bit each. Used by primitives and operators.
#pragma once
#include "partition.cuh"

namespace gunrock {

GR_DEVICE i64 bitmap_words(i64 n) { return (n + 31) / 32; }
GR_DEVICE bool bitmap_test(const u32* bits, vertex_t v) {
  return load_relaxed(&bits[v / 32]) >> (v % 32) & 1;
}
// bitmap_test for a step in which no thread sets bits, so that cached copies of the words suffice.
GR_DEVICE bool bitmap_holds(const u32* bits, vertex_t v) { return bits[v / 32] >> (v % 32) & 1; }
// The answer of a bitmap_holds that loads only if `asked`: the word is tested when the answer is used.
struct Bit {
  u32 word, mask;
  GR_DEVICE operator bool() const { return (word & mask) != 0; }
};
GR_DEVICE Bit bitmap_holds(bool asked, const u32* bits, vertex_t v) {
  return {load_cached_if(asked, &bits[u32(v) / 32], 0), 1u << (u32(v) % 32)};
}
GR_DEVICE void bitmap_set(u32* bits, vertex_t v) { atomic_or(&bits[v / 32], 1u << (v % 32)); }

// A part of a step: sets all words to zero.
GR_DEVICE void bitmap_clear(Context& ctx, u32* bits) {
  const i64 words = bitmap_words(ctx.graph.n);
  for_each_index(ctx, words, [=](i64 i) { bits[i] = 0; });
}

}  // namespace gunrock
