// The graph: rows of neighbours.
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// Rows of neighbours; values is null for an unweighted graph.
struct Csr {
  const edge_t* row_offsets;
  const vertex_t* column_indices;
  const weight_t* values;
  i64 max_degree;  // the longest row
};

struct Graph {
  i64 n;
  i64 m;           // directed edges
  Csr csr;         // out-edges
  Csr reverse;     // in-edges; the same arrays for an undirected graph. Of a directed one null
                   // pointers where the primitive does not say that it reads them
};

}  // namespace gunrock
