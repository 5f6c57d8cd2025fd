// Some neighbours: one of every vertex, which is a sample of the edges; the first few of every vertex; or
// all of one vertex. And how long all lists are.
#pragma once
#include "../core/collector.cuh"
#include "../core/turns.cuh"
#include "compute.cuh"

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

// f(v, neighbors) for every vertex v: the first COUNT of them, -1 where there are fewer; BATCH vertices per
// thread at once. A part of a step.
template <int COUNT, int BATCH = 2, class F>
GR_DEVICE void for_each_first_neighbors(Context& ctx, const Csr& lists, F f) {
  const i64 n = ctx.graph.n;
  const Turns turns(ctx, n);
  const i64 stride = turns.stride();
  for (i64 first = turns.mine(); first < n; first = turns.next<BATCH>(first)) {
    Row row[BATCH];
    vertex_t neighbors[BATCH][COUNT];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) row[k] = lists.row_within(first + k * stride, n);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 0; i < COUNT; ++i) {  // loads without a condition: all are under way together
        const vertex_t u = lists.neighbor(i < row[k].length ? row[k].begin + i : 0);
        neighbors[k][i] = i < row[k].length ? u : -1;
      }
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (first + k * stride < n) {
        ctx.count_edges(row[k].length < COUNT ? row[k].length : COUNT);
        f(vertex_t(first + k * stride), neighbors[k]);
      }
  }
}

// found(v) for every vertex v that has neighbours, is not passed over (skip(v)), and has one that passes a
// test among its first LOOKS; those that have none go into `out`. BATCH vertices per thread at once. Most are
// found by the first, and the others, which lie beside it, are looked at only where they are not. A part of a
// step.
template <Kind OUT, int LOOKS, int BATCH = 2, class Skip, class Test, class Found>
GR_DEVICE void for_each_next_to(Context& ctx, const Csr& lists, const NextFrontier& out, Skip skip,
                                Test test, Found found) {
  Collector<OUT> collect(ctx, out, lists);
  const i64 n = ctx.graph.n;
  const Turns turns(ctx, n);
  const i64 stride = turns.stride();
  for (i64 base = turns.first(); base < n; base = turns.next<BATCH>(base)) {
    collect.make_room(BATCH * BLOCK);
    const i64 begin = base + thread_id();
    Row row[BATCH];
    bool open[BATCH], hit[BATCH];
    vertex_t neighbor[BATCH][LOOKS];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 v = begin + k * stride;
      row[k] = lists.row_within(v, n);
      open[k] = row[k].length > 0 && !skip(vertex_t(v < n ? v : n - 1));
    }
    // Loads without a condition: all of a thread's are under way together.
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) neighbor[k][0] = lists.neighbor(open[k] ? row[k].begin : 0);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) hit[k] = test(neighbor[k][0]);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 1; i < LOOKS; ++i)
        neighbor[k][i] = lists.neighbor(open[k] && !hit[k] && i < row[k].length ? row[k].begin + i : 0);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 1; i < LOOKS; ++i) hit[k] |= test(neighbor[k][i]) && i < row[k].length;
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!open[k]) continue;
      const vertex_t v = vertex_t(begin + k * stride);
      ctx.count_edges(row[k].length < LOOKS ? row[k].length : LOOKS);
      if (hit[k]) found(v);
      else collect.push(item_t(v));
    }
  }
  collect.flush();
}

// f(v, length) for the list of every vertex; BATCH per thread at once. A part of a step.
template <int BATCH = 4, class F>
GR_DEVICE void for_each_length(Context& ctx, const Csr& lists, F f) {
  const i64 n = ctx.graph.n;
  const Turns turns(ctx, n);
  const i64 stride = turns.stride();
  for (i64 first = turns.mine(); first < n; first = turns.next<BATCH>(first)) {
    edge_t length[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) length[k] = lists.row_within(first + k * stride, n).length;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (first + k * stride < n) f(vertex_t(first + k * stride), length[k]);
  }
}

// f(u) for every neighbour u of one vertex, by the whole grid. A part of a step.
template <class F>
GR_DEVICE void for_each_entry(Context& ctx, const Csr& lists, vertex_t v, F f) {
  const Row row = lists.row(v);
  for_each_index(ctx, i64(row.length), [&](i64 i) { f(lists.neighbor(row.begin + edge_t(i))); });
}

// Which vertices pass a test, by themselves or by one of their first LOOKS neighbours; BATCH of a thread's
// have their loads under way at once. A part of a step. A functor has
//   own(v) -> Own        what is loaded of a vertex, first of all; `inside`: that it has passed before
//   passes(v, own)       of a vertex that has neighbours: by itself?
//   passes_by(u)         by this neighbour?
//   found(v, own)        one that has neighbours, and passes
//   settle(first, mine)  the whole warp: its vertices from `first` on, each lane's with what came of it
template <int LOOKS, int BATCH = 2, class F>
GR_DEVICE void test_first_neighbors(Context& ctx, const Csr& lists, F& f) {
  const i64 n = ctx.graph.n, stride = ctx.threads();
  for (i64 base = ctx.rank() - lane_id(); base < n; base += BATCH * stride) {
    Row row[BATCH];
    typename F::Own own[BATCH];
    bool passes[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 v = base + k * stride + lane_id();
      row[k] = lists.row_within(v, n);
      own[k] = f.own(vertex_t(v < n ? v : n - 1));
      passes[k] = v < n && own[k].inside;
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (row[k].length == 0) continue;
      const vertex_t v = vertex_t(base + k * stride + lane_id());
      passes[k] = passes[k] || f.passes(v, own[k]);
      if (!passes[k]) {
        vertex_t neighbor[LOOKS];
        GR_UNROLL
        for (int i = 0; i < LOOKS; ++i)
          neighbor[i] = lists.neighbor(row[k].begin + (i < row[k].length ? i : 0));
        GR_UNROLL
        for (int i = 0; i < LOOKS; ++i) passes[k] |= f.passes_by(neighbor[i]);
        ctx.count_edges(row[k].length < LOOKS ? row[k].length : LOOKS);
      }
      if (passes[k]) f.found(v, own[k]);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) f.settle(base + k * stride, passes[k]);
  }
}

}  // namespace gunrock
