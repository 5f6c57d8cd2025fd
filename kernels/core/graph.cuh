// The graph: rows of neighbours. Every header of the kernels includes this, directly or not.
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// Where a vertex's list lies. All operators reach lists through this, so that rows could be stored in another
// way (for a graph that changes); it compiles to the same code as two offsets.
struct Row {
  edge_t begin, length;
  GR_DEVICE edge_t end() const { return begin + length; }
};

// Rows of neighbours; values is null for an unweighted graph.
struct Csr {
  const edge_t* row_offsets;
  const vertex_t* column_indices;
  const weight_t* values;
  i64 max_degree;  // the longest row

  GR_DEVICE Row row(i64 v) const {
    const edge_t begin = load_constant(&row_offsets[v]);
    return {begin, load_constant(&row_offsets[v + 1]) - begin};
  }
  // A row as two offsets that may still be loading.
  struct Offsets { edge_t begin, end; };
  GR_DEVICE Offsets offsets(i64 v) const {
    return {load_constant(&row_offsets[v]), load_constant(&row_offsets[v + 1])};
  }
  // The row of v; empty if v is beyond the last of n vertices.
  GR_DEVICE Row row_within(i64 v, i64 n) const {
    const edge_t begin = load_constant(&row_offsets[v < n ? v : n]);
    return {begin, load_constant(&row_offsets[v < n ? v + 1 : n]) - begin};
  }
  // Where the row of v begins and that of v - 1 ends.
  GR_DEVICE edge_t row_begin(i64 v) const { return load_constant(&row_offsets[v]); }
  GR_DEVICE vertex_t neighbor(edge_t e) const { return load_constant(&column_indices[e]); }
  // These lists for vertices whose lists lie `rows` rows further on.
  GR_DEVICE Csr shifted(i64 rows) const {
    return {row_offsets + rows, column_indices, values, max_degree};
  }
  // Prefetches where a row lies, or its first neighbours, into the first-level cache or the L2.
  GR_DEVICE void prefetch_row(i64 v) const { prefetch_near(&row_offsets[v]); }
  GR_DEVICE void prefetch_entries(edge_t begin) const { prefetch_near(&column_indices[begin]); }
  GR_DEVICE void prefetch_list(edge_t begin) const { prefetch_far(&column_indices[begin]); }
};

// The same lists, of which nobody will read the entries beside those that are read now.
struct ReadOnce {
  const Csr& lists;
  GR_DEVICE vertex_t neighbor(edge_t e) const { return load_constant_once(&lists.column_indices[e]); }
};

struct Graph {
  i64 n;
  i64 m;           // directed edges
  Csr csr;         // out-edges
  Csr reverse;     // in-edges; the same arrays for an undirected graph. Null pointers for a directed
                   // one where the primitive does not say that it reads them
  const i32* vertex_weights;  // v's weights begin at v * weights_each; null if the graph has none
  i64 weights_each;           // weights per vertex

  GR_DEVICE bool directed() const { return reverse.row_offsets != csr.row_offsets; }
};

}  // namespace gunrock
