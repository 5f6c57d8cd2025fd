// The forest of connected components: v's parent is v itself at first; two vertices whose trees have the same
// root are known to be connected. Included by the samples' units and in_parts.cuh. Options: GR_RANDOM_LINKS.
#pragma once
#include "core/enactor.cuh"
#include "core/partition.cuh"

// By numbers, `first` has the least rank; the vertices after it follow, and those before it come last.
GR_DEVICE u32 rank_of(vertex_t v, vertex_t first) {
  return GR_RANDOM_LINKS ? u32(v) * 0x9e3779b1u : u32(v) - u32(first);
}
GR_DEVICE bool comes_before(vertex_t a, vertex_t b, vertex_t first = 0) {
  return rank_of(a, first) < rank_of(b, first);
}

// The parent of a vertex that has chosen u. A core walks its vertices in order, so it already knows an ancestor
// of u and makes no long paths [D-cc-5]. That ancestor may belong to a link that will be undone, and have a
// larger rank.
GR_DEVICE vertex_t hook_at(const vertex_t* parents, vertex_t u) {
  if constexpr (WARP > 1) return u;
  const vertex_t above = load_relaxed(&parents[u]);
  return comes_before(above, u) ? above : u;
}

// On a core: brings vertex v to depth 1, writing its cell once. Walking several vertices in step, one hop at a
// time, would add mispredictions of where walks end [D-cores-4].
template <class Ends>
GR_DEVICE void compress_vertex(vertex_t* parents, i64 v, Ends ends) {
  const vertex_t first = load_relaxed(&parents[v]);
  vertex_t root = first;
  while (!ends(root)) {
    const vertex_t above = load_relaxed(&parents[root]);
    if (above == root) break;
    root = above;
  }
  if (root != first) store_relaxed(&parents[v], root);
}

// Brings `count` vertices from `begin` to depth 1. A thread writes only to its own vertex's cell: another's
// might already be at its root, and would be moved back. No root changes meanwhile, so the last root found need
// not be read again; most vertices share it. `ends` are known to be roots, too.
template <class Ends>
GR_DEVICE void compress_range(Context& ctx, vertex_t* parents, i64 begin, i64 count, Ends ends) {
  if constexpr (WARP == 1) {
    for_each_index(ctx, count, [&](i64 i) { compress_vertex(parents, begin + i, ends); });
    return;
  }
  constexpr int BATCH = 4;  // vertices whose loads a thread has in flight [D-cc-1]
  const i64 n = begin + count;
  const Partition partition(ctx, count);
  const i64 stride = partition.stride();
  vertex_t root = -1;
  for (i64 first = begin + partition.mine(); first < n; first = partition.next<BATCH>(first, begin)) {
    vertex_t at[BATCH], next[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      at[k] = load_cached(&parents[first + k * stride < n ? first + k * stride : n - 1]);
    for (bool more = true; more;) {  // all vertices walk in step, one hop at a time, so that their loads overlap
      more = false;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        next[k] = at[k] == root || ends(at[k]) ? at[k] : load_cached(&parents[at[k]]);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (next[k] == at[k]) {
          root = at[k];
        } else {
          if (first + k * stride < n) store_relaxed(&parents[first + k * stride], next[k]);
          at[k] = next[k];
          more = true;
        }
      }
    }
  }
}

GR_DEVICE void compress_range(Context& ctx, vertex_t* parents, i64 begin, i64 count) {
  compress_range(ctx, parents, begin, count, [](vertex_t) { return false; });
}

// Compresses all of them; `ticket`, for dynamic scheduling on cores, must be 0.
GR_DEVICE void compress_all(Context& ctx, vertex_t* parents, u64* ticket) {
  if constexpr (WARP == 1) {
    auto ends = [](vertex_t) { return false; };
    for_each_dynamic(ctx, ctx.graph.n, ticket, [&](i64 v) { compress_vertex(parents, v, ends); });
    return;
  }
  compress_range(ctx, parents, 0, ctx.graph.n);
}

// Hooks what looked like a root under `low`; returns its parent at that time [D-cc-3]. Walks read parents from
// the multiprocessor's cache: an old ancestor is still an ancestor, and thousands of threads read the same few
// vertices near the root. Only the test that it is still a root must read L2, which all multiprocessors share.
GR_DEVICE vertex_t hook(vertex_t* parents, vertex_t high, vertex_t low) {
  const vertex_t above = load_relaxed(&parents[high]);
  if (above != high) return above;
  const vertex_t before = atomic_cas(&parents[high], high, low);
  return before == high ? low : before;
}

// Decides which of two roots stays one: the root of lesser rank.
struct ByRank {
  vertex_t first = 0;
  GR_DEVICE bool operator()(vertex_t a, vertex_t b) const { return comes_before(a, b, first); }
};

// Makes the trees of a and b one; `before` decides which of two roots stays one. Halving the paths on the way
// costs more than it saves [D-cc-1], except with random ranks [D-halve-1].
template <class Before = ByRank>
GR_DEVICE void unite_trees(vertex_t* parents, vertex_t a, vertex_t b, Before before = {}) {
  while (a != b) {
    const bool ordered = before(a, b);
    const vertex_t high = ordered ? b : a, low = ordered ? a : b;
    vertex_t above = load_cached(&parents[high]);
    if (above == high) above = hook(parents, high, low);
    if (above == low) return;
    a = load_cached(&parents[above]);
    if (GR_RANDOM_LINKS && a != above) store_relaxed(&parents[high], a);  // high was no root, and never will be
    b = load_cached(&parents[low]);
  }
}

// Gives u and v one root. Many threads try to hook the same root under the same other root at once, and atomics
// on one address queue up: of a warp's threads with the same two roots, one acts.
template <class Before = ByRank>
GR_DEVICE void unite(vertex_t* parents, vertex_t u, vertex_t v, Before before = {}) {
  const vertex_t a = load_cached(&parents[u]), b = load_cached(&parents[v]);
  if (a == v || b == u) return;  // half of the edges of a road network are in the forest
  if (a == b || (!GR_RANDOM_LINKS && !is_first_with(u64(u32(a)) << 32 | u32(b)))) return;
  unite_trees(parents, a, b, before);
}

// For edges from v[k] to u[k] (-1: no edge) whose trees are both stars: links the larger root under the
// smaller, without waiting for the result. Another thread may link the root elsewhere, and then one of the two
// links is lost. That suffices for sampled edges, and is many times faster than retrying while thousands of
// threads hook one root [D-cc-2]. The loads for all edges are in flight together [D-link-1].
template <int COUNT>
GR_DEVICE void link_stars(vertex_t* parents, const vertex_t (&v)[COUNT], const vertex_t (&u)[COUNT]) {
  vertex_t high[COUNT], low[COUNT], above[COUNT];
  GR_UNROLL
  for (int k = 0; k < COUNT; ++k) {
    low[k] = load_cached_if(u[k] >= 0, &parents[u[k]], 0);
    high[k] = load_cached_if(u[k] >= 0, &parents[v[k]], 0);
  }
  GR_UNROLL
  for (int k = 0; k < COUNT; ++k) {
    const vertex_t a = low[k], b = high[k];
    const bool ordered = comes_before(a, b);
    low[k] = ordered ? a : b;
    high[k] = ordered ? b : a;
    above[k] = load_relaxed_if(a != b, &parents[high[k]], -1);
  }
  GR_UNROLL
  for (int k = 0; k < COUNT; ++k) {
#if GR_RANDOM_LINKS
    if (above[k] == high[k]) atomic_cas(&parents[high[k]], high[k], low[k]);
#else
    if (low[k] < above[k]) atomic_min(&parents[high[k]], low[k]);
#endif
  }
}
