// Filter: keep the items of a frontier that a functor accepts. Gunrock, section 4.2.
//
// A functor has bool cond_vertex(item) and void apply_vertex(item). The exact filter asks it for
// every item and compacts by scan; the inexact one, for idempotent primitives, first drops what the
// culling heuristics recognize as seen. A filter whose functor never drops is `compute` (compute.cuh).
#pragma once
#include "cull.cuh"

enum class Culling { none, inexact };

template <Kind KIND, Culling CULLING, class F>
GR_DEVICE void filter(Context& ctx, const Queue& in, Size size, const Queue& out, u64* tail,
                      const Csr& next, F& f, u32* visited = nullptr) {
  Collector<KIND> collect(ctx, out, tail, next);
  for (i64 base = i64(ctx.block) * BLOCK; base < i64(size.count); base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    if (i < i64(size.count)) {
      const item_t item = in.items[i];
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
