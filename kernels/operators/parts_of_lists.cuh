// Parts of lists: one neighbour of every vertex, which is a sample of the edges; the first few of every vertex;
// all of one vertex; or, on cores, all of some vertices. Also the lengths of all lists, and the longest list.
// Called by connected components.
#pragma once
#include "../core/collector.cuh"
#include "../core/partition.cuh"
#include "../math/monoid.cuh"
#include "compute.cuh"
#include "walk.cuh"

namespace gunrock {

// A part of a step: f(v, u) for every vertex v that has a neighbour u at `place` in its list; BATCH vertices
// per thread at once.
template <int BATCH = 4, class F>
GR_DEVICE void for_each_neighbor_at(Context& ctx, const Csr& lists, i32 place, F f) {
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < n; first = partition.next<BATCH>(first)) {
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

// The neighbours u at `place` in the lists of BATCH vertices; -1 if the list is too short, and for vertices
// from `end` on.
template <int BATCH>
GR_DEVICE void neighbors_at(Context& ctx, const Csr& lists, i32 place, const i64 (&v)[BATCH], i64 end,
                            vertex_t (&u)[BATCH]) {
  Row row[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) row[k] = lists.row_within(v[k], end);
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const vertex_t neighbor = lists.neighbor(place < row[k].length ? row[k].begin + place : 0);
    u[k] = place < row[k].length ? neighbor : -1;
    ctx.count_edges(u[k] >= 0);
  }
}

// One thread: true if one of the first COUNT entries of v's list passes.
template <edge_t COUNT, class F>
GR_DEVICE bool any_of_first(const Csr& lists, vertex_t v, F passes) {
  const Row row = lists.row(v);
  const edge_t end = row.length < COUNT ? row.end() : row.begin + COUNT;
  return walk(lists, row.begin, end, edge_t(1), [&](vertex_t u, edge_t) { return !passes(u); }) < end;
}

// f(v, u) for every vertex, BATCH at once: v and u are arrays, and u is -1 if v has no such neighbour.
template <int BATCH = 4, class F>
GR_DEVICE void for_each_neighbors_at(Context& ctx, const Csr& lists, i32 place, F f) {
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < n; first = partition.next<BATCH>(first)) {
    i64 at[BATCH];
    vertex_t v[BATCH], neighbor[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) v[k] = vertex_t(at[k] = first + k * stride);
    neighbors_at(ctx, lists, place, at, n, neighbor);
    f(v, neighbor);
  }
}

// For cores: f(v, u) for every vertex with a neighbour at `place`. The vertices go to whichever core is free;
// `ticket` is 0 when the step begins [D-cores-6].
template <class F>
GR_DEVICE void for_each_neighbor_dynamic(Context& ctx, const Csr& lists, i32 place, u64* ticket, F f) {
  for_each_dynamic(ctx, ctx.graph.n, ticket, [&](i64 v) {
    const Row row = lists.row(v);
    if (row.length <= place) return;
    ctx.count_edges(1);
    f(vertex_t(v), lists.neighbor(row.begin + place));
  });
}

// For cores: f(v, u) for every neighbour u of every vertex v that is wanted, dealt out in the same way. True if
// there were any.
template <class Wants, class F>
GR_DEVICE bool for_each_entry_dynamic(Context& ctx, const Csr& lists, u64* ticket, Wants wants, F f) {
  bool any = false;
  for_each_dynamic(ctx, ctx.graph.n, ticket, [&](i64 v) {
    if (!wants(vertex_t(v))) return;
    const Row row = lists.row(v);
    ctx.count_edges(row.length);
    walk_all(lists, row.begin, row.end(), edge_t(1), [&](vertex_t u, edge_t) { f(vertex_t(v), u); });
    any |= row.length > 0;
  });
  return any;
}

// A part of a step: f(v, neighbors) for every vertex v and its first COUNT neighbours, -1 beyond the list's
// end; BATCH vertices per thread at once.
template <int COUNT, int BATCH = 2, class F>
GR_DEVICE void for_each_first_neighbors(Context& ctx, const Csr& lists, F f) {
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < n; first = partition.next<BATCH>(first)) {
    Row row[BATCH];
    vertex_t neighbors[BATCH][COUNT];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) row[k] = lists.row_within(first + k * stride, n);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 0; i < COUNT; ++i) {  // unconditional loads, so all are in flight together
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

// A part of a step, for the vertices that have neighbours and are not skipped (skip(v)): found(v) for each
// vertex that has, among its first PROBES neighbours, one that passes a test; all others go into `out`. BATCH
// vertices per thread at once. Most are decided by the first neighbour; the next ones, which lie beside it, are
// tested only for the rest.
template <Kind OUT, int PROBES, int BATCH = 2, class Skip, class Test, class Found>
GR_DEVICE void for_each_next_to(Context& ctx, const Csr& lists, const NextFrontier& out, Skip skip,
                                Test test, Found found) {
  Collector<OUT> collect(ctx, out, lists);
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 base = partition.first(); base < n; base = partition.next<BATCH>(base)) {
    collect.make_room(BATCH * BLOCK);
    const i64 begin = base + thread_id();
    Row row[BATCH];
    bool open[BATCH], hit[BATCH];
    vertex_t neighbor[BATCH][PROBES];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 v = begin + k * stride;
      row[k] = lists.row_within(v, n);
      open[k] = row[k].length > 0 && !skip(vertex_t(v < n ? v : n - 1));
    }
    // Unconditional loads, so that all of a thread's loads are in flight together.
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) neighbor[k][0] = lists.neighbor(open[k] ? row[k].begin : 0);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) hit[k] = test(neighbor[k][0]);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 1; i < PROBES; ++i)
        neighbor[k][i] = lists.neighbor(open[k] && !hit[k] && i < row[k].length ? row[k].begin + i : 0);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      GR_UNROLL
      for (int i = 1; i < PROBES; ++i) hit[k] |= test(neighbor[k][i]) && i < row[k].length;
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!open[k]) continue;
      const vertex_t v = vertex_t(begin + k * stride);
      ctx.count_edges(row[k].length < PROBES ? row[k].length : PROBES);
      if (hit[k]) found(v);
      else collect.push(item_t(v));
    }
  }
  collect.flush();
}

// A part of a step: f(v, length) for every vertex's list; BATCH per thread at once.
template <int BATCH = 4, class F>
GR_DEVICE void for_each_length(Context& ctx, const Csr& lists, F f) {
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  const i64 stride = partition.stride();
  for (i64 first = partition.mine(); first < n; first = partition.next<BATCH>(first)) {
    edge_t length[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) length[k] = lists.row_within(first + k * stride, n).length;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (first + k * stride < n) f(vertex_t(first + k * stride), length[k]);
  }
}

// A part of a step, called by the whole grid: f(u) for every neighbour u of one vertex.
template <class F>
GR_DEVICE void for_each_entry(Context& ctx, const Csr& lists, vertex_t v, F f) {
  const Row row = lists.row(v);
  for_each_index(ctx, i64(row.length), [&](i64 i) { f(lists.neighbor(row.begin + edge_t(i))); });
}

// A part of a step: tests `who` by some of their neighbours: PROBES of them, from the `skip`-th on or the last
// ones, two at a time, with the loads of BATCH vertices per thread in flight at once. Vertices that do not pass
// and have neighbours are collected. A functor has
//   passes(v)          true if v passes by itself
//   passes_by(u)       true if a vertex with this neighbour passes
//   finalize(v, mine)  called by the whole warp with each lane's vertex (beyond the last vertex, that vertex
//                      again with mine = false) and true if it passes
template <int PROBES, int BATCH = 2, class Who, class F, class C>
GR_DEVICE void test_some_neighbors(Context& ctx, const Who& who, const Csr& lists, edge_t skip, F& f,
                                   C& collect) {
  constexpr int AT_ONCE = 2;
  static_assert(PROBES % AT_ONCE == 0, "neighbours are looked at two at a time");
  const Partition partition(ctx, who.count);
  const i64 stride = partition.stride();
  for (i64 base = partition.first(); base < who.count; base = partition.next<BATCH>(base)) {
    collect.make_room(BATCH * BLOCK);
    vertex_t v[BATCH];
    Row row[BATCH];
    bool there[BATCH], passes[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 i = base + k * stride + thread_id();
      there[k] = i < who.count;
      v[k] = vertex_t(who.at(there[k] ? i : who.count - 1));
      row[k] = lists.row(v[k]);
      passes[k] = there[k] && f.passes(v[k]);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!there[k]) row[k].length = 0;
      const edge_t last = row[k].length > PROBES ? row[k].length - PROBES : 0;
      row[k].begin += skip < last ? skip : last;
    }
    GR_UNROLL
    for (int part = 0; part < PROBES; part += AT_ONCE) {
      vertex_t neighbor[BATCH][AT_ONCE];
      bool open[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        open[k] = !passes[k] && part < row[k].length;
        GR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i)  // an odd list's last entry twice
          if (open[k])
            neighbor[k][i] = lists.neighbor(row[k].begin + (part + i < row[k].length ? part + i : part));
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (!open[k]) continue;
        ctx.count_edges(part + 1 < row[k].length ? AT_ONCE : 1);
        GR_UNROLL
        for (int i = 0; i < AT_ONCE; ++i) passes[k] |= f.passes_by(neighbor[k][i]);
      }
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      f.finalize(v[k], passes[k]);
      if (!passes[k] && row[k].length > 0) collect.push(item_t(v[k]));
    }
  }
}

// A part of a step: the longest of all lists, as keyed(~length, first_number + v); ArgMin::zero() if all lists
// are empty. Each thread gets the longest list that it saw.
GR_DEVICE u64 longest_list(Context& ctx, const Csr& lists, i64 first_number) {
  u64 longest = ArgMin::zero();
  for_each_length(ctx, lists, [&](vertex_t v, edge_t length) {
    if (length > 0) ArgMin::join(longest, keyed(~u32(length), u32(first_number + v)));
  });
  return longest;
}

}  // namespace gunrock
