// Compute: apply a functor to each vertex, or to each item of a frontier. Gunrock, section 3.
#pragma once
#include "../core/turns.cuh"

namespace gunrock {

// f(i, item) for every item of a frontier, the i-th. A part of a step.
template <class F>
GR_DEVICE void for_each_item(Context& ctx, const Frontier& in, F f) {
  for_each_index(ctx, in.size.count, [&](i64 i) { f(i, in.queue.items[i]); });
}

// f(item) for every item of the step's frontier. A part of a step.
template <class F>
GR_DEVICE void compute(Context& ctx, const LoopState& s, F f) {
  for_each_item(ctx, ctx.in(s), [&](i64, item_t item) { f(item); });
}

}  // namespace gunrock
