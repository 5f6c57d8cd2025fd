// Entries of one list that are a given neighbour, found by binary search. Called by triangles and clustering.
//   for_each_entry_of(lists, v, u, f)   f(e) for each entry of v's list that is u: several if edges are parallel
//   is_entry_of(lists, v, u)            true if there is one
//
// This operator reads entries by itself: a thread searches one list for one neighbour. Lists rise.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// The first entry of the row that is not smaller than u, or its end.
GR_DEVICE edge_t first_from(const Csr& lists, const Row& row, vertex_t u) {
  edge_t low = row.begin, high = row.end();
  while (low < high) {
    const edge_t middle = low + (high - low) / 2;
    if (lists.neighbor(middle) < u) low = middle + 1;
    else high = middle;
  }
  return low;
}

template <class F>
GR_DEVICE void for_each_entry_of(const Csr& lists, vertex_t v, vertex_t u, F f) {
  const Row row = lists.row(v);
  for (edge_t e = first_from(lists, row, u); e < row.end() && lists.neighbor(e) == u; ++e) f(e);
}

GR_DEVICE bool is_entry_of(const Csr& lists, vertex_t v, vertex_t u) {
  const Row row = lists.row(v);
  const edge_t e = first_from(lists, row, u);
  return e < row.end() && lists.neighbor(e) == u;
}

}  // namespace gunrock
