// Numbers vertices by falling degree: 0 is one of the longest list. Called by triangles and clustering. In four steps
// of an enactor, each of which is given the lists, or both kinds of a directed graph (BothWays):
//   count_degrees (histogram.cuh), sum_degrees, scan_degrees   how many vertices have longer lists, for each length
//   number_vertices                                            vertices of equal degree come in any order
#pragma once
#include "histogram.cuh"
#include "scan.cuh"

namespace gunrock {

struct Numbering {
  vertex_t* numbers;  // of each vertex
  u32* by_degree;     // vertices of each degree, up to the longest list's; zero before
  u32* places;        // of each degree, the greatest first: the next number; then the number after its last
};

// The lists of out- and of in-edges as if each vertex had one list: their lengths.
struct BothWays {
  struct Length { edge_t length; };
  const Csr& out;
  const Csr& in;
  i64 max_degree = out.max_degree + in.max_degree;  // no vertex has more
  GR_DEVICE BothWays(const Csr& out_edges, const Csr& in_edges) : out(out_edges), in(in_edges) {}
  GR_DEVICE Length row(i64 v) const { return {out.row(v).length + in.row(v).length}; }
};

template <class Lists>
GR_DEVICE void sum_degrees(Context& ctx, const Lists& lists, const Numbering& to, u64* sums) {
  sum_chunks(ctx, lists.max_degree + 1, [&](i64 i) { return u64(to.by_degree[lists.max_degree - i]); }, sums);
}

template <class Lists>
GR_DEVICE void scan_degrees(Context& ctx, const Lists& lists, const Numbering& to, const u64* sums) {
  scan_chunks(ctx, lists.max_degree + 1, [&](i64 i) { return u64(to.by_degree[lists.max_degree - i]); }, sums,
              [&](i64 i, u64 before, u64) { to.places[i] = u32(before); });
}

// A warp draws the numbers of its lanes' vertices of one degree together, as a graph has few degrees.
template <class Lists>
GR_DEVICE void number_vertices(Context& ctx, const Lists& lists, const Numbering& to) {
  const i64 n = ctx.graph.n;
  if constexpr (WARP == 1) {
    for_each_index(ctx, n, [&](i64 v) {
      to.numbers[v] = vertex_t(atomic_add(&to.places[lists.max_degree - lists.row(v).length], 1u));
    });
  } else {
    for (i64 base = i64(ctx.block) * BLOCK; base < n; base += ctx.threads()) {
      const i64 v = base + thread_id(), degree = v < n ? i64(lists.row(v).length) : -1;
      const u32 mates = warp_match(degree);
      const int leader = first_lane(mates);
      u32 first = 0;
      if (v < n && lane_id() == leader)
        first = atomic_add(&to.places[lists.max_degree - degree], u32(popcount(mates)));
      first = warp_broadcast(first, leader);
      if (v < n) to.numbers[v] = vertex_t(first + u32(popcount(mates & ((1u << lane_id()) - 1))));
    }
  }
}

// After all are numbered: how many vertices have lists longer than this. They have the first numbers.
template <class Lists>
GR_DEVICE i64 longer_than(const Lists& lists, const Numbering& to, i64 length) {
  return lists.max_degree > length ? i64(to.places[lists.max_degree - length - 1]) : 0;
}

}  // namespace gunrock
