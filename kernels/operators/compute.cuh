// Compute: apply a functor to each vertex, or to each item of a frontier. Gunrock, section 3. Called by
// primitives.
#pragma once
#include "../core/partition.cuh"

namespace gunrock {

// f(i, item) for every item of a frontier; i is its index. A part of a step.
template <class F>
GR_DEVICE void for_each_item(Context& ctx, const Frontier& in, F f) {
  for_each_index(ctx, in.size.count, [&](i64 i) { f(i, in.queue.items[i]); });
}

// f(item) for every item of the step's frontier. A part of a step.
template <class F>
GR_DEVICE void compute(Context& ctx, const LoopState& s, F f) {
  for_each_item(ctx, ctx.in(s), [&](i64, item_t item) { f(item); });
}

// The vertices whose lists are too long for their group: those for a warp, or of one kind, from the front, those
// for a block from the back.
struct LongLists {
  vertex_t* vertices;  // n
  int* counts;         // of either kind; zero before they are found
};

// A part of a step: notes the vertices below `n` whose lists are longer than `longest`, in any order, and counts
// them. (For operators that take long lists before or after all others.)
template <class Lists, class Count>
GR_DEVICE void find_longer(Context& ctx, i64 n, const Lists& lists, i64 longest, vertex_t* found, Count* count) {
  for_each_index(ctx, n, [&](i64 v) {
    if (lists.row(v).length > longest) found[atomic_add(count, Count(1))] = vertex_t(v);
  });
}

// f(i, values[i]) for every i in [0, count), with BATCH loads per thread in flight at once. A part of a step.
template <int BATCH = 4, class T, class F>
GR_DEVICE void for_each_loaded(Context& ctx, i64 count, const T* values, F f) {
  const Partition partition(ctx, count);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < count; first = partition.next<BATCH>(first)) {
    T x[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 i = first + k * stride;
      x[k] = load_relaxed(&values[i < count ? i : count - 1]);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (first + k * stride < count) f(first + k * stride, x[k]);
  }
}

// f(v, x) for every vertex, BATCH at once: v and x are arrays of BATCH, and x is `none` beyond the last vertex.
template <int BATCH = 4, class T, class F>
GR_DEVICE void for_each_vertex_loaded(Context& ctx, const T* values, T none, F f) {
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < n; first = partition.next<BATCH>(first)) {
    vertex_t v[BATCH];
    T x[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 at = first + k * stride;
      v[k] = vertex_t(at);
      x[k] = load_relaxed(&values[at < n ? at : n - 1]);
      if (at >= n) x[k] = none;
    }
    f(v, x);
  }
}

}  // namespace gunrock
