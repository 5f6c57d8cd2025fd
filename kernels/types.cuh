// Index types and the graph, for both backends.
#pragma once

using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

using vertex_t = i32;
#if GR_EDGE64  // more than 2^31 - 1 directed edges
using edge_t = i64;
#else
using edge_t = i32;
#endif
#if GR_WEIGHT_FLOAT
using weight_t = float;
#else
using weight_t = i32;
#endif

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
