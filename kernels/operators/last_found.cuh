// Who found a vertex last: how duplicates that blocks find at the same time are told apart (GR_CULL_GRID, see
// culling.cuh). Called by collectors. A finder of a vertex leaves its own tag, and looks again before the vertex goes
// to the queue. This takes plain loads and stores, in one of two places:
//
// - The vertex's own word, where its value will be, if the functor has OWNER_TAGS (below). It is one word to store
//   and to load again, and it is cached, as it has just been tested. A finder that sees its own tag owns the vertex
//   and stores the value; one that sees another tag, or a value, drops the vertex [D-cull-2].
// - A table that all blocks share, if the vertex gets its value at once or has none: a tag lies there beside the
//   vertex's number. A finder that looks again sees its own tag; or a later finder of the same vertex, which then
//   owns it; or another vertex, which proves nothing, so the finder keeps its vertex. The table's initial content is
//   irrelevant.
//
// Vertices that a block finds in its only pass do not wait in a stage, so the block would have to wait for its threads
// before it looks again. Instead an atomic claims the vertex: it fails if there is a tag or a value.
//
// Proof that exactly the needed finders are left, in any order of events: in the table, the last thread that writes a
// vertex never sees a later one. The stores to a vertex's own word have one order for all threads, and after the last
// tag come only values. The thread that stored the last tag sees either that tag, and then owns the vertex and stores
// the value after it; or a value, from a thread that owned the vertex. So nothing is lost if a late finder's tag
// replaces a value (or a claim): that finder, or a later one, then owns the vertex and stores the same value. When the
// next step begins, after the grid's barrier, no tag is left.
//
// An edge functor with OWNER_TAGS (functor.cuh) labels d by finalize(d) and does the rest of apply by note(s, d, e).
// Every finder calls note(s, d, e) and set_tag(d, tag); has_tag(asked, d, tag) is true if d still has that tag, and the
// finder that sees its own tag calls finalize(d). peek answers "no" for a tagged d. Tags are numbers below MOST_TAGS.
// Where no tag is needed, claiming() returns a functor to ask instead, whose visit labels d by an atomic if d has
// neither a tag nor a label.
#pragma once
#include "../core/collector.cuh"
#include "functor.cuh"

namespace gunrock {

// A table word that may still be loading. True if no other thread has found the vertex since; tested only when
// the answer is used, so that the thread's other loads are in flight meanwhile.
struct WroteLast {
  u64 found, mine;  // a vertex above its finder's tag
  GR_DEVICE operator bool() const { return found == mine || found >> 32 != mine >> 32; }
};

// A tag is the block's number times STAGE plus a place in the stage, or a number that such a place would have.
// All blocks are resident, so the number of multiprocessors bounds the tags.
constexpr u32 MOST_TAGS = 1 << 30;
#if GR_CUDA && GR_CULL_GRID
constexpr u64 MOST_MULTIPROCESSORS = 1 << 12;
static_assert(u64(STAGE) * GR_BLOCKS_PER_SM * MOST_MULTIPROCESSORS <= MOST_TAGS, "a tag has too few bits");
#endif
GR_DEVICE u32 tag_of(const Context& ctx, int place) { return u32(ctx.block) * STAGE + u32(place); }

struct LastFound {
  u64* words;  // a vertex above its finder's tag

  GR_DEVICE void note(vertex_t v, u32 finder) const { store_relaxed(place(v), word(v, finder)); }
  // Not asked, the answer is true. (Loading some other vertex's word instead sent all idle threads to one
  // word.)
  GR_DEVICE WroteLast was(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, place(v), NOBODY), word(v, finder)};
  }

 private:
  static constexpr u64 NOBODY = ~u64(0);  // the tag of no vertex that exists
  GR_DEVICE u64* place(vertex_t v) const { return &words[u32(v) % LAST_FOUND]; }
  GR_DEVICE static u64 word(vertex_t v, u32 finder) { return u64(u32(v)) << 32 | finder; }
};

#if GR_CULL_GRID
// Cullers (core/collector.cuh). note: leaves the tag of a find at its place in the stage. look: loads the last
// finder's tag; true if that is the finder with this place. own: called by the finder that owns the vertex.
struct ByTable {
  static constexpr bool CULLS = true, TAGS = false;
  GR_DEVICE void note(const Context& ctx, vertex_t v, int place) const {
    LastFound{ctx.last_found}.note(v, tag_of(ctx, place));
  }
  GR_DEVICE WroteLast look(const Context& ctx, bool asked, vertex_t v, int place) const {
    return LastFound{ctx.last_found}.was(asked, v, tag_of(ctx, place));
  }
  GR_DEVICE void own(vertex_t) const {}
};

template <class F>
struct ByOwnerTags {
  static constexpr bool CULLS = true, TAGS = true;
  F* f;
  GR_DEVICE void note(const Context& ctx, vertex_t v, int place) const { f->set_tag(v, tag_of(ctx, place)); }
  GR_DEVICE auto look(const Context& ctx, bool asked, vertex_t v, int place) const {
    return f->has_tag(asked, v, tag_of(ctx, place));
  }
  GR_DEVICE void own(vertex_t v) const { f->finalize(v); }
};

template <class F>
struct CullerOf<F, Void<decltype(F::OWNER_TAGS)>> {
  GR_DEVICE static ByOwnerTags<F> of(F& f) { return {&f}; }
};
#endif

}  // namespace gunrock
