// One neighbour of every vertex: a sample of the edges, the same for all.
#pragma once
#include "../core/turns.cuh"

namespace gunrock {

// f(v, u) for every vertex v that has a neighbour u at this place of its list; BATCH vertices per thread
// at once. A part of a step.
template <int BATCH = 4, class F>
GR_DEVICE void for_each_neighbor_at(Context& ctx, const Csr& lists, i32 place, F f) {
  const i64 n = ctx.graph.n;
  const Turns turns(ctx, n);
  const i64 stride = turns.stride();
  for (i64 first = turns.mine(); first < n; first = turns.next<BATCH>(first)) {
    edge_t at[BATCH], end[BATCH];
    vertex_t neighbor[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const Row row = lists.row(first + k * stride < n ? first + k * stride : n - 1);
      at[k] = row.begin + place;
      end[k] = row.end();
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) neighbor[k] = at[k] < end[k] ? lists.neighbor(at[k]) : 0;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (at[k] < end[k] && first + k * stride < n) {
        ctx.count_edges(1);
        f(vertex_t(first + k * stride), neighbor[k]);
      }
  }
}

}  // namespace gunrock
