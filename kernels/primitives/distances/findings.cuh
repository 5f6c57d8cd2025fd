// What becomes of the vertices that a level of many searches finds, each once for each search that finds it. Used by
// together.cuh.
//
// GR_PER says what is kept:
//   PER_VERTEX   of each vertex, over all searches: how many found it, the sum of its depths, of one over them, the
//                greatest
//   PER_SOURCE   of each search: how many vertices it found at this level; the next step adds them up (take_in)
//   PER_PAIR     every depth
#pragma once
#include "operators/bit_rows.cuh"

enum Per { PER_VERTEX, PER_SOURCE, PER_PAIR };
constexpr Per PER = Per(GR_PER);

struct Folds {
  i64* reached;      // of vertices or of sources; null if not asked for, like the others
  i64* sums;
  double* harmonic;
  i32* farthest;
  i32* depths;       // of each vertex one for each source; -1 before
  u32* counts;       // of sources, three rows in turn, zero before
  i64 sources;       // how many there are
  i64* at;           // of each source the numbers of vertices at its first `depths_kept` depths
  i64 depths_kept;

  // `found` more at this depth.
  GR_DEVICE void add(i64 place, i64 found, i32 depth) const {
    if (reached) reached[place] += found;
    if (at && depth < depths_kept) at[place * depths_kept + depth] += found;
    if (sums) sums[place] += found * depth;
    if (harmonic && depth > 0) harmonic[place] += double(found) / depth;
    if (farthest && farthest[place] < depth) farthest[place] = depth;
  }
};

// How often each bit of a lane's part has been set in up to MOST rows, digit by digit: a row costs a few operations for
// 32 bits at once, where counting bit by bit costs several for each that is set.
struct BitCounts {
  static constexpr int DIGITS = 4, MOST = (1 << DIGITS) - 1;
  RowBits digits[DIGITS] = {};
  int taken = 0;

  GR_DEVICE void add(RowBits carry) {
    GR_UNROLL
    for (int d = 0; d < DIGITS; ++d) carry = digits[d].carried(carry);
    ++taken;
  }
  // f(bit, count) for each bit that has been set, by its number in the row; then none has.
  template <class F>
  GR_DEVICE void hand_on(F f) {
    RowBits some;
    GR_UNROLL
    for (int d = 0; d < DIGITS; ++d) some.join(digits[d]);
    for_each_word_at(some, [&](u32 word, int k, int w, int place) {
      for (; word; word &= word - 1) {
        const int bit = lowest_bit(word);
        u32 count = 0;
        GR_UNROLL
        for (int d = 0; d < DIGITS; ++d) count |= (digits[d].quads[k].words[w] >> bit & 1) << d;
        f(32 * place + bit, count);
      }
    });
    GR_UNROLL
    for (int d = 0; d < DIGITS; ++d) digits[d] = {};
    taken = 0;
  }

 private:
  template <class F>
  GR_DEVICE static void for_each_word_at(const RowBits& bits, F f) {
    GR_UNROLL
    for (int k = 0; k < QUADS_EACH; ++k) {
      GR_UNROLL
      for (int w = 0; w < 4; ++w) f(bits.quads[k].words[w], k, w, place_of(k, w));
    }
  }
};

// A block's counts of a level, in its scratch.
struct SharedRows {
  BitQuad joined[QUADS];
  u32 counts[PER == PER_SOURCE ? ROW_BITS : 1];
};

// A part of a step, by the whole grid: what vertices find in it.
struct Findings {
  Context& ctx;
  const Folds folds;
  i64 first;  // source of the batch
  i32 depth;
  SharedRows& shared;
  RowBits alive;  // the searches that have found something, as seen by this lane
  BitCounts counts;

  GR_DEVICE Findings(Context& context, const Folds& to, i64 first_source, i32 at)
      : ctx(context), folds(to), first(first_source), depth(at), shared(context.shared.as<SharedRows>()) {
    if constexpr (PER == PER_SOURCE) {
      for (int i = thread_id(); i < ROW_BITS; i += BLOCK) shared.counts[i] = 0;
      block_sync();
    }
  }

  // All lanes of a warp: v has been found by these searches.
  GR_DEVICE void take(vertex_t v, const RowBits& bits) {
    alive.join(bits);
    if constexpr (PER == PER_VERTEX) {
      const int found = sum_of_sharers(bits.count());
      if (found > 0 && Sharers::lane() == 0) folds.add(v, found, depth);
    } else if constexpr (PER == PER_SOURCE) {
      counts.add(bits);
      if (counts.taken == BitCounts::MOST) add_counts();
    } else {
      i32* const depths = folds.depths + v * folds.sources + first;
      bits.for_each_bit_together([&](int bit) { depths[bit] = depth; });
    }
  }

  // The whole block, at the end: hands on what it has counted, for the level of number `level`.
  GR_DEVICE void hand_on(BitQuad* all_alive, u32 level) {
    for (int d = Sharers::SIZE; d < WARP; d *= 2) alive.join_across(d);
    if (Sharers::number() == 0 && alive.any()) add_to_row(all_alive, level % 3, alive);  // few do in a small level
    if constexpr (PER == PER_SOURCE) {
      add_counts();
      block_sync();
      u32* const all = folds.counts + level % 3 * ROW_BITS;
      for (int i = thread_id(); i < ROW_BITS; i += BLOCK)
        if (shared.counts[i]) atomic_add(&all[i], shared.counts[i]);
    }
  }

 private:
  GR_DEVICE void add_counts() {
    counts.hand_on([&](int bit, u32 count) {
      if constexpr (WARP > 1) atomic_add(&shared.counts[bit], count);
      else shared.counts[bit] += count;
    });
  }
};

// A part of a step: adds up what each search found at the level before, and clears its counts.
GR_DEVICE void take_in(Context& ctx, const Folds& folds, i64 first, i32 depth, u32 level) {
  if constexpr (PER != PER_SOURCE) return;
  u32* const counts = folds.counts + level % 3 * ROW_BITS;
  for_each_index(ctx, ROW_BITS, [&](i64 i) {
    const u32 found = load_relaxed(&counts[i]);
    if (found == 0) return;
    folds.add(first + i, found, depth);
    store_relaxed(&counts[i], 0u);
  });
}
