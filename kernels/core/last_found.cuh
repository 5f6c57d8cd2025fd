// Who found a vertex last: how duplicates that blocks find at the same time are told from each other
// (GR_CULL_GRID, see operators/culling.cuh). Who finds a vertex leaves its own name, and looks again before the
// vertex goes to the queue. Plain loads and stores, in one of two places:
//
// - What waits in a block's stage has its value at once. Whoever stages it writes its name beside the vertex's
//   to a table that all blocks share. There it finds itself, a later finder of the same vertex, who stands for it, or
//   another vertex, which says nothing. What the table holds at first does not matter.
// - What a block's one pass finds goes past the stage, and the vertex itself holds the name where its value is to
//   be (NAMES_FINDERS, operators/functor.cuh): one word to store and to look at again, which is in the cache as it
//   was just asked whether it is new. Who finds its own name stands for the vertex and stores the value; who finds
//   another's, or a value, drops it [D-cull-2].
//
// In every order one is left, and the vertex has its value when the step ends. Of the table: the last to write a
// vertex never finds a later one. Of a vertex's own word, whose stores all threads see in one order: behind the last
// name there are values only. Whoever stored it finds either that name, and then stands and stores the value behind
// it; or a value, of someone who stands or whose find is staged, and of these one is left. So nothing is lost where a
// late finder's name takes the place of a value: the late one then stands, too, or one later still, and its value
// is the same. To the next step, behind the grid's barrier, no name is left.
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

// Names are a block's number times STAGE and a place in the stage, or what would be one. Blocks are all resident:
// a GPU of so many multiprocessors is not in sight.
constexpr u32 MOST_NAMES = 1 << 30;
#if GR_CUDA && GR_CULL_GRID
constexpr u64 MOST_MULTIPROCESSORS = 1 << 12;
static_assert(u64(STAGE) * GR_BLOCKS_PER_SM * MOST_MULTIPROCESSORS <= MOST_NAMES, "a name has too few bits");
#endif

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
