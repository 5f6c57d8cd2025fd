// Several entries of a neighbour list at once, so that their loads are under way together.
#pragma once
#include "../core/graph.cuh"

namespace gunrock {

constexpr int TOGETHER = 4;  // independent loads in flight

// The next entries of a list from `e` on, `stride` apart; -1 beyond its end.
template <int COUNT>
GR_DEVICE void load_entries(const Csr& csr, edge_t e, edge_t end, edge_t stride,
                            vertex_t (&entries)[COUNT]) {
  GR_UNROLL
  for (int k = 0; k < COUNT; ++k)
    entries[k] = e + k * stride < end ? load_constant(&csr.column_indices[e + k * stride]) : -1;
}

}  // namespace gunrock
