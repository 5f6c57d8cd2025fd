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

// What a place held, and with it, once someone asks, whether no other has found the vertex since: a thread's
// other looks are under way meanwhile.
struct StandsLast {
  u64 found, mine;  // a vertex above its finder
  GR_DEVICE operator bool() const { return found == mine || found >> 32 != mine >> 32; }
};

struct LastFound {
  u64* words;  // a vertex above its finder

  GR_DEVICE void note(vertex_t v, u32 finder) const { store_relaxed(place(v), word(v, finder)); }
  // What is not asked about stands. (To ask about some vertex in its stead sent all idle threads to one word.)
  GR_DEVICE StandsLast was(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, place(v), NOBODY), word(v, finder)};
  }

 private:
  static constexpr u64 NOBODY = ~u64(0);  // found no vertex that there is
  GR_DEVICE u64* place(vertex_t v) const { return &words[u32(v) % LAST_FOUND]; }
  GR_DEVICE static u64 word(vertex_t v, u32 finder) { return u64(u32(v)) << 32 | finder; }
};

}  // namespace gunrock
