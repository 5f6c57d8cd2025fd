// Neighbourhoods: for each vertex, which of its later neighbours are neighbours of each other, as a matrix of bits.
// Called by cliques. In two steps of an enactor:
//
//   find_later(ctx, s, rooms, least)    how many neighbours of each vertex come later; those with many are queued
//   neighborhoods(ctx, s, rooms, f)     the matrices, one after the other, for a functor
//
// Vertices are in the order of their degrees, then of their numbers. So nobody has more later neighbours than the square
// root of all entries (Chiba and Nishizeki 1985), and every set of vertices that are all neighbours is met once: among
// the later neighbours of its first vertex. Vertices with fewer than `least` later neighbours are left out. Loops and
// repetitions of an edge do not count. Rows rise.
//
// A matrix has a row for each later neighbour, in any order of these, with bits for those after it alone. Matrices of at
// most a warp's width are made in shared memory, by warps; others by blocks in rooms of global memory.
//
// A functor has
//   few(rows, count)    called by a whole warp: row i of `count` is the word rows[i]
//   many(rows)          called by a whole block: BitRows, with words of its own for each warp
//
// This operator reads entries by itself, as it searches lists for each other's entries.
#pragma once
#include "../core/partition.cuh"
#include "find_entry.cuh"
#include "gather.cuh"

namespace gunrock {

// Row i begins with the word that has bit i; the words before it are not written.
struct BitRows {
  const u32* words;
  i32 count;
  i32 width;    // words of a row
  u32* spare;   // of each warp: `spare_each` words
  i64 spare_each;
  GR_DEVICE const u32* bits(i32 i) const { return words + i64(i) * width; }
  GR_DEVICE u32* spare_of_warp() const { return spare + warp_id() * spare_each; }
};

// What blocks work in: `count` rooms, the first block's first. Other blocks have none.
struct NeighborhoodRooms {
  i32* later;         // of each vertex: its later neighbours, 0 if they are too few
  u64* ticket;        // zero before
  vertex_t* members;  // `longest` in each room
  u32* words;         // `words_each` in each room: longest rows, and what warps have of their own
  i64 longest;        // no smaller than any number of later neighbours
  i64 spare_rows;     // of `longest` bits, that each warp has
  i64 words_each;
  i64 count;
};

GR_DEVICE bool comes_later(const Csr& lists, vertex_t v, vertex_t u) {
  const edge_t own = lists.row(v).length, other = lists.row(u).length;
  return own < other || (own == other && v < u);
}

namespace neighboring {

constexpr i32 FEW = WARP > 1 ? WARP : 0;          // later neighbours, for warps
constexpr edge_t LONGEST = 64 * WARP;             // the longest list that a warp looks through for them

struct Storage {
  u64 ticket;
  int found[WARPS];
  vertex_t members[WARPS][WARP];
  u32 rows[WARPS][WARP];
};

GR_DEVICE bool is_member(const Csr& lists, vertex_t v, const Row& row, edge_t e) {
  const vertex_t u = lists.neighbor(e);
  return comes_later(lists, v, u) && (e == row.begin || lists.neighbor(e - 1) != u);
}

// SIZE threads, of which the caller is number `rank`: notes v's later neighbours, in the order of the row on a core.
template <int SIZE>
GR_DEVICE void list_members(const Csr& lists, vertex_t v, int rank, vertex_t* members, int* count) {
  const Row row = lists.row(v);
  for (edge_t e = row.begin + rank; e < row.end(); e += SIZE)
    if (is_member(lists, v, row, e)) members[reserve(count)] = lists.neighbor(e);
}

// The whole warp: puts the words of row i, of `count`, from the one with bit i on.
template <class Put>
GR_DEVICE void find_row(const Csr& lists, const vertex_t* members, i32 i, i32 count, Put put) {
  Row row = lists.row(members[i]);
  u32 word = 0;
  for (i32 base = i / 32 * 32; base < count; base += WARP) {
    const i32 j = base + lane_id();
    bool is_there = j > i && j < count;
    if (is_there) {
      const vertex_t u = members[j];
      const edge_t at = WARP == 1 ? first_near(lists, row, u) : first_from(lists, row, u);
      is_there = at < row.end() && lists.neighbor(at) == u;
      if (WARP == 1) row = {at, row.end() - at};  // a core's members rise
    }
    word |= u32(warp_ballot(is_there)) << base % 32;
    if ((base + WARP) % 32 == 0 || base + WARP >= count) {
      if (lane_id() == 0) put(base / 32, word);
      word = 0;
    }
  }
}

// The whole block: the vertices that are queued, each by the next free block.
template <class F>
GR_DEVICE void by_blocks(Context& ctx, const Frontier& queued, const NeighborhoodRooms& rooms, F& f) {
  auto& storage = ctx.shared.as<Storage>();
  const Csr& lists = ctx.graph.csr;
  vertex_t* const members = rooms.members + ctx.block * rooms.longest;
  u32* const words = rooms.words + ctx.block * rooms.words_each;
  for (;;) {
    block_sync();
    if (thread_id() == 0) {
      storage.ticket = atomic_add(rooms.ticket, u64(1));
      storage.found[0] = 0;
    }
    block_sync();
    if (storage.ticket >= queued.size.count) return;
    const vertex_t v = vertex_t(queued.queue.items[storage.ticket]);
    list_members<BLOCK>(lists, v, thread_id(), members, &storage.found[0]);
    block_sync();
    const i32 count = rooms.later[v], width = (count + 31) / 32;
    for (i32 i = warp_id(); i < count; i += WARPS)
      find_row(lists, members, i, count, [&](i32 at, u32 word) { words[i64(i) * width + at] = word; });
    ctx.count_edges(thread_id() == 0 ? edge_t(lists.row(v).length) : edge_t(0));
    block_sync();
    f.many(BitRows{words, count, width, words + i64(count) * width, rooms.spare_rows * width});
  }
}

// The whole warp: a vertex with few later neighbours.
template <class F>
GR_DEVICE void by_warp(Context& ctx, vertex_t v, i32 count, F& f) {
  auto& storage = ctx.shared.as<Storage>();
  const Csr& lists = ctx.graph.csr;
  vertex_t* const members = storage.members[warp_id()];
  u32* const rows = storage.rows[warp_id()];
  if (lane_id() == 0) storage.found[warp_id()] = 0;
  warp_sync();
  list_members<WARP>(lists, v, lane_id(), members, &storage.found[warp_id()]);
  warp_sync();
  for (i32 i = 0; i < count; ++i) find_row(lists, members, i, count, [&](i32, u32 word) { rows[i] = word; });
  ctx.count_edges(lane_id() == 0 ? edge_t(lists.row(v).length) : edge_t(0));
  warp_sync();
  f.few(rows, count);
  warp_sync();
}

struct CountLater : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Csr& lists;
  i32* later;
  i32 least;
  GR_DEVICE CountLater(const Csr& rows, i32* counts, i32 few) : lists(rows), later(counts), least(few) {}
  GR_DEVICE bool peek(vertex_t, vertex_t v, edge_t e) { return is_member(lists, v, lists.row(v), e); }
  GR_DEVICE bool finish(vertex_t v, i64 total) {
    later[v] = total < least ? 0 : i32(total);
    return total >= least && (total > FEW || lists.row(v).length > LONGEST);
  }
};

}  // namespace neighboring

// A part of a step.
GR_DEVICE void find_later(Context& ctx, const LoopState& s, const NeighborhoodRooms& rooms, i32 least) {
  using namespace neighboring;
  const Csr& lists = ctx.graph.csr;
  gather<Sum<i32>, UsualTiers, Kind::plain>(ctx, s, Range{ctx.graph.n}, lists, CountLater(lists, rooms.later, least));
}

// A part of the next step.
template <class F>
GR_DEVICE void neighborhoods(Context& ctx, const LoopState& s, const NeighborhoodRooms& rooms, F& f) {
  using namespace neighboring;
  if (ctx.block < rooms.count) by_blocks(ctx, ctx.in(s), rooms, f);
  if constexpr (WARP > 1) {
    block_sync();
    const i64 n = ctx.graph.n;
    for (i64 base = ctx.rank() - lane_id(); base < n; base += ctx.threads()) {
      const i64 v = base + lane_id();
      const i32 count = v < n ? rooms.later[v] : 0;
      const bool few = count > 0 && count <= FEW && ctx.graph.csr.row(v).length <= LONGEST;
      for (u32 left = warp_ballot(few); left; left &= left - 1) {
        const int lane = lowest_bit(left);
        by_warp(ctx, vertex_t(base + lane), warp_broadcast(count, lane), f);
      }
    }
    block_sync();
  }
}

}  // namespace gunrock
