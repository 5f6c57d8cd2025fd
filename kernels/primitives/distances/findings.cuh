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

  // `found` more at this depth.
  GR_DEVICE void add(i64 place, i64 found, i32 depth) const {
    if (reached) reached[place] += found;
    if (sums) sums[place] += found * depth;
    if (harmonic && depth > 0) harmonic[place] += double(found) / depth;
    if (farthest && farthest[place] < depth) farthest[place] = depth;
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
      bits.for_each_bit([&](int bit) {
        if constexpr (WARP > 1) atomic_add(&shared.counts[bit], 1u);
        else ++shared.counts[bit];
      });
    } else {
      bits.for_each_bit([&](int bit) { folds.depths[v * folds.sources + first + bit] = depth; });
    }
  }

  // The whole block, at the end: hands on what it has counted, for the level of number `level`.
  GR_DEVICE void hand_on(BitQuad* all_alive, u32 level) {
    for (int d = Sharers::SIZE; d < WARP; d *= 2) alive.join_across(d);
    if (Sharers::number() == 0 && alive.any()) add_to_row(all_alive, level % 3, alive);  // few do in a small level
    if constexpr (PER == PER_SOURCE) {
      block_sync();
      u32* const counts = folds.counts + level % 3 * ROW_BITS;
      for (int i = thread_id(); i < ROW_BITS; i += BLOCK)
        if (shared.counts[i]) atomic_add(&counts[i], shared.counts[i]);
    }
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
