// Filter: keep the items that a functor accepts. Gunrock, section 4.2. Called by primitives and by other
// operators.
//
// It asks about every item and compacts by scan. (culling.cuh has an inexact filter, for idempotent primitives.) A
// filter whose functor never drops an item is `compute`.
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "../core/partition.cuh"
#include "functor.cuh"

namespace gunrock {

// A part of a step: the members of `who` that pass, into any collector.
template <class C, class Who, class F>
GR_DEVICE void filter_into(Context& ctx, const Who& who, F& f, C& collect) {
  const Partition partition(ctx, who.count);
  for (i64 base = partition.first(); base < who.count; base = partition.next(base)) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    if (i < who.count) {
      const item_t item = who.at(i);
      if (who.holds(item) && f.visit(item)) {
        f.apply(item);
        collect.push(item);
      }
    }
  }
  collect.flush();
}

// Filters into `out`, whose items stand for lists of `next`.
template <Kind OUT, class Who, class F>
GR_DEVICE void filter(Context& ctx, const Who& who, const NextFrontier& out, const Csr& next, F& f) {
  Collector<OUT> collect(ctx, out, next);
  filter_into(ctx, who, f, collect);
}

// Filters the step's frontier.
template <Kind OUT, class F>
GR_DEVICE void filter(Context& ctx, const LoopState& s, F&& f) {
  filter<OUT>(ctx, members(ctx.in(s)), ctx.out(s), ctx.graph.csr, f);
}
// Filters other members than the frontier; the result is to be expanded over `next`.
template <Kind OUT, class Who, class F>
GR_DEVICE void filter(Context& ctx, const LoopState& s, const Who& who, const Csr& next, F&& f) {
  filter<OUT>(ctx, who, ctx.out(s), next, f);
}

}  // namespace gunrock
