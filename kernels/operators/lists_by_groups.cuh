// The lists of a few vertices, walked by one block: a group of lanes shares a list, however long it is. Called
// by BC over all sources, and by distances by weight.
//
// For work that ends before a grid would have shared it out, such as a search of a small graph: while one block
// walks a long list, the others run searches of their own [D-sources-1].
#pragma once
#include "../core/context.cuh"
#include "../core/lane_group.cuh"
#include "walk.cuh"

namespace gunrock {

template <int LANES>
struct ListsByGroups {
  using Lanes = LaneGroup<LANES>;
  Context& ctx;

  // f(vertex, true if there is one) for vertices[begin] to vertices[end - 1], each by a group. All lanes of a
  // warp call f, so that it may exchange values between them.
  template <class F>
  GR_DEVICE static void for_each(const vertex_t* vertices, i32 begin, i32 end, F f) {
    constexpr int GROUPS = BLOCK / Lanes::SIZE;
    for (i32 first = begin; first < end; first += GROUPS) {
      const i32 i = first + thread_id() / Lanes::SIZE;
      f(i < end ? vertices[i] : 0, i < end);
    }
  }

  // f(neighbour, entry) for the entries of v's list, each by one lane of the calling group.
  template <class F>
  GR_DEVICE void for_each_entry(const Csr& lists, vertex_t v, F f) const {
    const Row row = lists.row(v);
    walk_all(lists, row.begin + Lanes::lane(), row.end(), edge_t(Lanes::SIZE), f);
    if (Lanes::lane() == 0) ctx.count_edges(row.length);
  }
  // f(neighbour).
  template <class F>
  GR_DEVICE void for_each_neighbor(const Csr& lists, vertex_t v, F f) const {
    for_each_entry(lists, v, [&](vertex_t u, edge_t) { f(u); });
  }
};

}  // namespace gunrock
