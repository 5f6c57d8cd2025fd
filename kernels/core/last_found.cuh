// Who found a vertex last: how duplicates that blocks find at the same time are told from each other
// (GR_CULL_GRID, see operators/culling.cuh). Whoever stages a vertex writes its own name beside the vertex's
// to a table that all blocks share, and looks again before the vertex goes to the queue. There it finds
// itself, a later finder of the same vertex, who stands for it, or another vertex, which says nothing.
// The last finder of a vertex never finds a later one, so one is always left. Plain loads and stores; what
// the table holds at first does not matter.
#pragma once
#include "graph.cuh"

namespace gunrock {

#if GR_CULL_GRID
constexpr bool CULLS_BY_GRID = true;
#else
constexpr bool CULLS_BY_GRID = false;
#endif

constexpr u32 LAST_FOUND = CULLS_BY_GRID ? 1 << 18 : 1;  // places

struct LastFound {
  u64* words;  // a vertex above its finder

  GR_DEVICE void note(vertex_t v, u32 finder) const { store_relaxed(place(v), word(v, finder)); }
  GR_DEVICE bool was(vertex_t v, u32 finder) const {
    const u64 found = load_relaxed(place(v));
    return found == word(v, finder) || found >> 32 != u32(v);
  }

 private:
  GR_DEVICE u64* place(vertex_t v) const { return &words[u32(v) % LAST_FOUND]; }
  GR_DEVICE static u64 word(vertex_t v, u32 finder) { return u64(u32(v)) << 32 | finder; }
};

}  // namespace gunrock
