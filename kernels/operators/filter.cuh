// Filter: keep the items of a frontier that a functor accepts. Gunrock, section 4.2.
//
// A functor has bool cond_vertex(item) and void apply_vertex(item). The exact filter asks it for
// every item and compacts by scan; the inexact one, for idempotent primitives, first drops what the
// culling heuristics recognize as seen. `filter_range` takes every index below
// a count instead of a queue's items: all vertices, or all edges. A filter whose functor never drops is `compute` (compute.cuh).
#pragma once
#include "cull.cuh"

namespace gunrock {

enum class Culling { none, inexact };

// item_at(i) for i in [0, count): those that pass. A part of a step.
template <Kind KIND, Culling CULLING, class At, class F>
GR_DEVICE void filter_items(Context& ctx, i64 count, At item_at, const Queue& out, u64* tail,
                            const Csr& next, F& f, u32* visited) {
  Collector<KIND> collect(ctx, out, tail, next);
  for (i64 base = i64(ctx.block) * BLOCK; base < count; base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    if (i < count) {
      const item_t item = item_at(i);
      bool keep = f.cond_vertex(item);
      if constexpr (CULLING == Culling::inexact)
        keep = keep && survives_culling(ctx, vertex_t(item), visited);
      if (keep) {
        f.apply_vertex(item);
        collect.push(item);
      }
    }
  }
  collect.flush();
}

// The items of a queue.
template <Kind KIND, Culling CULLING, class F>
GR_DEVICE void filter(Context& ctx, const Queue& in, Size size, const Queue& out, u64* tail,
                      const Csr& next, F& f, u32* visited = nullptr) {
  filter_items<KIND, CULLING>(
      ctx, size.count, [&](i64 i) { return in.items[i]; }, out, tail, next, f, visited);
}

// Every index in [0, count), exactly.
template <Kind KIND, class F>
GR_DEVICE void filter_range(Context& ctx, i64 count, const Queue& out, u64* tail, const Csr& next,
                            F& f) {
  filter_items<KIND, Culling::none>(
      ctx, count, [](i64 i) { return item_t(i); }, out, tail, next, f, nullptr);
}

}  // namespace gunrock
