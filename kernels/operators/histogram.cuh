// Histogram: how many indices each class has. Each block counts the first classes, which should be the common
// ones, in shared memory, as atomics of the whole grid on a few words queue up [D-histogram-1].
#pragma once
#include "compute.cuh"

namespace gunrock {

namespace tallying {

constexpr int CLASSES = 1024;  // classes that a block counts in shared memory

struct ClassCounts {
  u32 counts[CLASSES];
};

}  // namespace tallying

// A part of a step: raises counts[class_of(i)] by one for every i below count.
template <class ClassOf>
GR_DEVICE void histogram(Context& ctx, i64 count, ClassOf class_of, u32* counts) {
  using namespace tallying;
  u32* const own = ctx.shared.as<ClassCounts>().counts;
  for (int c = thread_id(); c < CLASSES; c += BLOCK) own[c] = 0;
  block_sync();
  for_each_index(ctx, count, [&](i64 i) {
    const i64 c = class_of(i);
    atomic_add(c < CLASSES ? &own[c] : &counts[c], 1u);
  });
  block_sync();
  for (int c = thread_id(); c < CLASSES; c += BLOCK)
    if (own[c]) atomic_add(&counts[c], own[c]);
  block_sync();
}

// A histogram of the lists' lengths: raises counts[d] by the number of lists with d entries.
template <class Lists>
GR_DEVICE void count_degrees(Context& ctx, const Lists& lists, u32* counts) {
  histogram(ctx, ctx.graph.n, [&](i64 v) { return i64(lists.row(v).length); }, counts);
}

}  // namespace gunrock
