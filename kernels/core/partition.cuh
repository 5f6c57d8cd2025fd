// How a loop over many indices is divided among the blocks of a grid. Used by operators and primitives.
//
// On a GPU neighbouring threads take neighbouring indices, so that a warp's loads share lines of memory. If
// cores did so, each would read every line, and write to lines that others write to. So a core takes a run of
// neighbouring indices, as long as leaves every core a few runs. On a graph whose neighbours have neighbouring
// numbers, a core then mostly reads what it wrote itself [D-turns-1].
#pragma once
#include "context.cuh"

namespace gunrock {

// `for (i64 base = partition.first(); base < count; base = partition.next(base))`; a thread's index is base +
// thread_id(). Blocks are not in step: the whole block may leave such a loop together, but not the whole grid.
struct Partition {
  static constexpr i64 LEAST = 16;   // words of 32 bits in a line of memory
  static constexpr i64 BITS = 512;   // a bitmap's bits in a line
  static constexpr i64 MOST = 65536;
  static constexpr i64 EACH = 4;     // fewest runs per block

  const Context& ctx;
  i64 together = BLOCK;  // indices in a run

  // `most` (a power of two) limits the length of a run, for indices whose work varies much.
  GR_DEVICE Partition(const Context& context, i64 count, i64 most = MOST) : ctx(context) {
    if constexpr (WARP == 1) {
      together = LEAST;
      while (together < most && together * 2 * EACH * ctx.blocks <= count) together *= 2;
    }
  }

  GR_DEVICE i64 first() const {
    if constexpr (WARP > 1) return i64(ctx.block) * BLOCK;
    else return ctx.block * together;
  }
  // A thread's first index.
  GR_DEVICE i64 mine() const { return WARP > 1 ? ctx.rank() : first(); }
  // The distance between the indices that a thread processes together.
  GR_DEVICE i64 stride() const {
    if constexpr (WARP > 1) return ctx.threads();
    else return 1;
  }
  // The next base after BATCH indices per thread; `begin` is the first base of the loop.
  template <int BATCH = 1>
  GR_DEVICE i64 next(i64 base, i64 begin = 0) const {
    static_assert(WARP > 1 || LEAST % BATCH == 0, "a batch ends within a turn");
    if constexpr (WARP > 1) return base + BATCH * ctx.threads();
    base += BATCH;
    return (base - begin) & (together - 1) ? base : base + (ctx.blocks - 1) * together;
  }
  // On a core: the index that it reaches `distance` (at most LEAST) indices after base.
  GR_DEVICE i64 later(i64 base, i64 distance) const {
    const i64 index = base + distance;
    return (base ^ index) < together ? index : index + (ctx.blocks - 1) * together;
  }
};

// A part of a step: f(i) for every i in [0, count).
template <class F>
GR_DEVICE void for_each_index(Context& ctx, i64 count, F f) {
  if constexpr (WARP > 1) {
    for (i64 i = ctx.rank(); i < count; i += ctx.threads()) f(i);
  } else {  // a run at a time: a loop that the compiler can vectorize
    const Partition partition(ctx, count);
    const i64 round = ctx.blocks * partition.together;
    for (i64 base = partition.first(); base < count; base += round) {
      const i64 end = base + partition.together < count ? base + partition.together : count;
      for (i64 i = base; i < end; ++i) f(i);
    }
  }
}

// A part of a step, for cores, with dynamic scheduling: f(i) for every i in [0, count), in pieces of
// neighbouring indices that go to whichever core is free. Cores that other programs use as well are slower, and
// all cores would wait for the slowest [D-cores-6]. `ticket` is 0 when the step begins.
template <class F>
GR_DEVICE void for_each_dynamic(Context& ctx, i64 count, u64* ticket, F f) {
  constexpr i64 EACH = 8;  // fewest pieces per core
  i64 piece = Partition::LEAST;
  while (piece * 2 * EACH * ctx.blocks <= count) piece *= 2;
  for (i64 base; (base = piece * i64(atomic_add(ticket, u64(1)))) < count;) {
    const i64 end = base + piece < count ? base + piece : count;
    for (i64 i = base; i < end; ++i) f(i);
  }
}

// put(i, load(i)) for every index; on a GPU each thread has BATCH loads in flight together.
template <int BATCH, class Load, class Put>
GR_DEVICE void for_each_loaded(Context& ctx, i64 count, Load load, Put put) {
  if constexpr (WARP > 1) {
    for (i64 base = ctx.rank(); base < count; base += BATCH * ctx.threads()) {
      decltype(load(base)) x[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (base + k * ctx.threads() < count) x[k] = load(base + k * ctx.threads());
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (base + k * ctx.threads() < count) put(base + k * ctx.threads(), x[k]);
    }
  } else {
    for_each_index(ctx, count, [&](i64 i) { put(i, load(i)); });
  }
}

// f(i) for every i, for loops whose neighbouring indices write the same few words, which cores should not
// share: each core takes one contiguous share of the indices.
template <class F>
GR_DEVICE void for_each_contiguous(Context& ctx, i64 count, F f) {
  if constexpr (WARP > 1) {
    for_each_index(ctx, count, f);
  } else {
    const i64 end = count * (ctx.block + 1) / ctx.blocks;
    for (i64 i = count * ctx.block / ctx.blocks; i < end; ++i) f(i);
  }
}

}  // namespace gunrock
