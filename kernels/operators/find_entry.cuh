// Entries found by their neighbour, in rows that rise. Used by triangles_at.cuh and neighborhoods.cuh.
#pragma once
#include "../core/graph.cuh"

namespace gunrock {

// The first entry of a row whose neighbour is no smaller than u; the row's end if there is none. Rows rise.
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

// The first entry of u in a row; -1 if there is none.
GR_DEVICE edge_t find_entry(const Csr& lists, const Row& row, vertex_t u) {
  const edge_t first = first_from(lists, row, u);
  return first < row.end() && lists.neighbor(first) == u ? first : edge_t(-1);
}

// The same as first_from, for a neighbour that is probably near the row's beginning: looks in steps that double.
GR_DEVICE edge_t first_near(const Csr& lists, const Row& row, vertex_t u) {
  edge_t step = 1;
  while (step < row.length && lists.neighbor(row.begin + step) < u) step *= 2;
  return first_from(lists, {row.begin, step < row.length ? step + 1 : row.length}, u);
}

}  // namespace gunrock
