// Entries of a list that are a given neighbour, found by binary search. Lists rise. Called by triangles, clustering,
// triangles_at.cuh and neighborhoods.cuh.
//   first_from(lists, row, u)           the first entry that is no smaller than u, or the row's end
//   first_near(lists, row, u)           the same, if it is probably near the row's beginning
//   find_entry(lists, row, u)           the first entry of u, -1 if there is none
//   is_entry_of(lists, v, u)            true if v's list has one
//   for_each_entry_of(lists, v, u, f)   f(e) for each entry of v's list that is u: several if edges are parallel
//
// This operator reads entries by itself: a thread searches one list for one neighbour.
#pragma once
#include "../core/graph.cuh"

namespace gunrock {

GR_DEVICE edge_t first_from(const Csr& lists, const Row& row, vertex_t u) {
  edge_t low = row.begin, length = row.length;
  while (length > 0) {
    const edge_t half = length / 2;
    const bool below = lists.neighbor(low + half) < u;
    low = below ? low + half + 1 : low;
    length = below ? length - half - 1 : half;
  }
  return low;
}

// Looks in steps that double.
GR_DEVICE edge_t first_near(const Csr& lists, const Row& row, vertex_t u) {
  edge_t step = 1;
  while (step < row.length && lists.neighbor(row.begin + step) < u) step *= 2;
  return first_from(lists, {row.begin, step < row.length ? step + 1 : row.length}, u);
}

GR_DEVICE edge_t find_entry(const Csr& lists, const Row& row, vertex_t u) {
  const edge_t first = first_from(lists, row, u);
  return first < row.end() && lists.neighbor(first) == u ? first : edge_t(-1);
}

GR_DEVICE bool is_entry_of(const Csr& lists, vertex_t v, vertex_t u) { return find_entry(lists, lists.row(v), u) >= 0; }

template <class F>
GR_DEVICE void for_each_entry_of(const Csr& lists, vertex_t v, vertex_t u, F f) {
  const Row row = lists.row(v);
  for (edge_t e = first_from(lists, row, u); e < row.end() && lists.neighbor(e) == u; ++e) f(e);
}

}  // namespace gunrock
