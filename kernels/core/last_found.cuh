// Who found a vertex last: how duplicates that blocks find at the same time are told apart (GR_CULL_GRID, see
// operators/culling.cuh). A finder of a vertex leaves its own name, and looks again before the vertex goes to the
// queue. This takes plain loads and stores, in one of two places:
//
// - The vertex's own word, where its value will be, if a functor is at hand that knows it (OWNER_TAGS,
//   operators/functor.cuh). That is one word to store and to look at again, and it is in the cache, as it has just
//   been tested. A finder that sees its own name stands for the vertex and stores the value; one that sees another's
//   name, or a value, drops the vertex [D-cull-2].
// - A table that all blocks share, where the vertex has its value at once, or has none: a name stands there beside
//   the vertex's. Whoever looks again finds itself; or a later finder of the same vertex, who then stands for it; or
//   another vertex, which says nothing. The table's initial content is irrelevant.
//
// What a block finds in its only pass waits in no stage, so before a second look the block would have to wait for its
// threads. There an atomic claims the vertex instead: it fails where there is a name or a value.
//
// In any order of events one finder is left, and the vertex has its value when the step ends. In the table, the last
// to write a vertex never finds a later one. A vertex's own word gets its stores in one order for all threads, and
// after the last name come only values. Whoever stored that name finds either the name, and then stands and stores
// the value after it; or a value, from someone who stands. So nothing is lost if a late finder's name replaces a value
// (or a claim): that finder stands then, too, or one later still, with the same value. For the next step, after the
// grid's barrier, no name is left.
#pragma once
#include "graph.cuh"

namespace gunrock {

#if GR_CULL_GRID
constexpr bool CULLS_BY_GRID = true;
#else
constexpr bool CULLS_BY_GRID = false;
#endif

constexpr u32 LAST_FOUND = CULLS_BY_GRID ? 1 << 18 : 1;  // places

// What a place held, which answers, once someone asks, whether no other has found the vertex since: the thread's
// other looks are in flight meanwhile.
struct WroteLast {
  u64 found, mine;  // a vertex above its finder
  GR_DEVICE operator bool() const { return found == mine || found >> 32 != mine >> 32; }
};

// A name is the block's number times STAGE plus a place in the stage, or what would be one. All blocks are resident,
// and no GPU with too many multiprocessors for this is in sight.
constexpr u32 MOST_TAGS = 1 << 30;
#if GR_CUDA && GR_CULL_GRID
constexpr u64 MOST_MULTIPROCESSORS = 1 << 12;
static_assert(u64(STAGE) * GR_BLOCKS_PER_SM * MOST_MULTIPROCESSORS <= MOST_TAGS, "a name has too few bits");
#endif

struct LastFound {
  u64* words;  // a vertex above its finder

  GR_DEVICE void note(vertex_t v, u32 finder) const { store_relaxed(place(v), word(v, finder)); }
  // A vertex not asked about stands. (To ask about some vertex in its stead sent all idle threads to one word.)
  GR_DEVICE WroteLast was(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, place(v), NOBODY), word(v, finder)};
  }

 private:
  static constexpr u64 NOBODY = ~u64(0);  // names no vertex that exists
  GR_DEVICE u64* place(vertex_t v) const { return &words[u32(v) % LAST_FOUND]; }
  GR_DEVICE static u64 word(vertex_t v, u32 finder) { return u64(u32(v)) << 32 | finder; }
};

}  // namespace gunrock
