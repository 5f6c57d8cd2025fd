// Compute: apply a functor to each vertex, or to each item of a frontier. Gunrock, section 3.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// f(i) for every i in [0, count). A part of a step.
template <class F>
GR_DEVICE void for_each_index(Context& ctx, i64 count, F f) {
  for (i64 i = ctx.rank(); i < count; i += ctx.threads()) f(i);
}

// f(item) for every item of a queue. A part of a step.
template <class F>
GR_DEVICE void compute(Context& ctx, const Queue& in, Size size, F f) {
  for_each_index(ctx, size.count, [&](i64 i) { f(in.items[i]); });
}

}  // namespace gunrock
