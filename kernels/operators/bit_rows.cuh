// Rows of bits: every vertex has a row, with a bit for each of many searches that share their passes over the edges
// (Then and others, "The more the merrier", 2014). Used by push_rows.cuh, pull_rows.cuh and searches of many sources.
//
// A row is GR_QUADS (a power of two, at most 32) times 128 bits. Neighbouring lanes share it, a quad each, so that a
// row is one or a few lines of memory. Lanes of a smaller warp have several quads each, and a core has them all.
#pragma once
#include "../core/lane_group.cuh"
#include "../core/partition.cuh"

#ifndef GR_QUADS
#define GR_QUADS 8
#endif

namespace gunrock {

constexpr int QUADS = GR_QUADS;
constexpr int ROW_BITS = 128 * QUADS;
using Sharers = LaneGroup<QUADS>;  // the lanes that share a row
constexpr int QUADS_EACH = QUADS / Sharers::SIZE;

struct alignas(16) BitQuad {
  u32 words[4];
};

// The place, among a row's words, of a word of the lane's k-th quad.
GR_DEVICE int place_of(int k, int w) { return 4 * (k * Sharers::SIZE + Sharers::lane()) + w; }

// A lane's part of a row.
struct RowBits {
  BitQuad quads[QUADS_EACH] = {};

  // f(word, place) for each word; `place` is the word's among those of the row.
  template <class F>
  GR_DEVICE void for_each_word(F f) const {
    GR_UNROLL
    for (int k = 0; k < QUADS_EACH; ++k) {
      GR_UNROLL
      for (int w = 0; w < 4; ++w) f(quads[k].words[w], place_of(k, w));
    }
  }
  // f(bit) for each bit that is set, by its number in the row.
  template <class F>
  GR_DEVICE void for_each_bit(F f) const {
    for_each_word([&](u32 word, int place) {
      for (; word; word &= word - 1) f(32 * place + lowest_bit(word));
    });
  }
  // The same by all lanes of a warp together: those that share a row take neighbouring bits in turn, so that they write
  // to neighbouring places.
  template <class F>
  GR_DEVICE void for_each_bit_together(F f) const {
    if constexpr (Sharers::SIZE == 1) return for_each_bit(f);
    const int base = lane_id() - Sharers::lane();
    GR_UNROLL
    for (int k = 0; k < QUADS_EACH; ++k) {
      GR_UNROLL
      for (int w = 0; w < 4; ++w) {
        GR_NO_UNROLL
        for (int owner = 0; owner < Sharers::SIZE; ++owner) {
          const u32 word = warp_broadcast(quads[k].words[w], base + owner);
          if (word == 0) continue;
          for (int bit = Sharers::lane(); bit < 32; bit += Sharers::SIZE)
            if (word >> bit & 1) f(32 * (4 * (k * Sharers::SIZE + owner) + w) + bit);
        }
      }
    }
  }
  // These bits and others added without carry; returns what is carried.
  GR_DEVICE RowBits carried(RowBits other) {
    GR_UNROLL
    for (int k = 0; k < QUADS_EACH; ++k) {
      GR_UNROLL
      for (int w = 0; w < 4; ++w) {
        u32 &mine = quads[k].words[w], &theirs = other.quads[k].words[w];
        const u32 both = mine & theirs;
        mine ^= theirs;
        theirs = both;
      }
    }
    return other;
  }
  GR_DEVICE bool any() const {
    u32 all = 0;
    for_each_word([&](u32 word, int) { all |= word; });
    return all != 0;
  }
  GR_DEVICE int count() const {
    int bits = 0;
    for_each_word([&](u32 word, int) { bits += popcount(word); });
    return bits;
  }
  GR_DEVICE void join(const RowBits& other) {
    each(other, [](u32& mine, u32 theirs) { mine |= theirs; });
  }
  GR_DEVICE RowBits without(RowBits other) const {
    other.each(*this, [](u32& mine, u32 theirs) { mine = theirs & ~mine; });
    return other;
  }
  GR_DEVICE RowBits within(RowBits other) const {
    other.each(*this, [](u32& mine, u32 theirs) { mine &= theirs; });
    return other;
  }
  // Joined with the lane's at this distance, and that one with this.
  GR_DEVICE void join_across(int distance) {
    each(*this, [=](u32& mine, u32) { mine |= warp_exchange(mine, distance); });
  }
  // Another lane's part.
  GR_DEVICE RowBits of_lane(int lane) const {
    RowBits bits = *this;
    bits.each(*this, [=](u32& word, u32) { word = warp_broadcast(word, lane); });
    return bits;
  }

 private:
  template <class F>
  GR_DEVICE void each(const RowBits& other, F f) {
    GR_UNROLL
    for (int k = 0; k < QUADS_EACH; ++k) {
      GR_UNROLL
      for (int w = 0; w < 4; ++w) f(quads[k].words[w], other.quads[k].words[w]);
    }
  }
};

// The caller's part of a row, and where it lies.
GR_DEVICE i64 quad_of(i64 row, int k) { return row * QUADS + k * Sharers::SIZE + Sharers::lane(); }
GR_DEVICE RowBits load_row(const BitQuad* rows, i64 row) {
  RowBits bits;
  GR_UNROLL
  for (int k = 0; k < QUADS_EACH; ++k) bits.quads[k] = rows[quad_of(row, k)];
  return bits;
}
GR_DEVICE void store_row(BitQuad* rows, i64 row, const RowBits& bits) {
  GR_UNROLL
  for (int k = 0; k < QUADS_EACH; ++k) rows[quad_of(row, k)] = bits.quads[k];
}
// Adds bits by atomics; words that have them already are left alone.
GR_DEVICE void add_to_row(BitQuad* rows, i64 row, const RowBits& bits) {
  u32* const words = (u32*)(rows + row * QUADS);
  bits.for_each_word([&](u32 word, int place) {
    if (word & ~load_relaxed(&words[place])) atomic_or(&words[place], word);
  });
}

// All lanes of the warp: true if any of those that share a row says so; the sum over them.
GR_DEVICE bool any_sharer(bool x) { return (warp_ballot(x) & Sharers::mask()) != 0; }
GR_DEVICE int sum_of_sharers(int x) {
  GR_UNROLL
  for (int d = 1; d < Sharers::SIZE; d *= 2) x += warp_exchange(x, d);
  return x;
}

// A part of a step: f(i, there) for every index below a count, by the lanes that share a row. All lanes of a warp
// call f together; `there` is false beyond the count.
template <class F>
GR_DEVICE void for_each_row(Context& ctx, i64 count, F f) {
  if constexpr (WARP > 1) {
    for (i64 base = ctx.rank() / WARP * Sharers::EACH; base < count; base += ctx.threads() / WARP * Sharers::EACH)
      f(base + Sharers::number(), base + Sharers::number() < count);
  } else {
    for_each_index(ctx, count, [&](i64 i) { f(i, true); });
  }
}

}  // namespace gunrock
