// Cascade: visits the lists of items and, without waiting for other blocks, of the vertices that they lead to, where
// the order does not matter. Called by core numbers.
//
//   cascade(ctx, s, who, lists, f)
//
// Removing what has few neighbours left removes others in turn: on a mesh a chain of thousands of vertices, each of
// which would cost a barrier of the grid. Here a block keeps what it finds in shared memory and goes on from there.
// What it has no room for, and all that is left after a number of rounds, goes to the next frontier, which is a plain
// queue, for all blocks to share.
//
// A functor has
//   starts(v) -> bool    true for the members of `who` to begin with, among them those that were led to earlier
//   take(v) -> bool      claims v; true for one of those that call
//   peek(u) -> bool      true if a neighbour may be affected, by a plain load; false is final. Not asked in rounds of
//                        few items, whose time is that of loads which wait for each other
//   visit(u) -> bool     the effect of one entry, by an atomic; true if it leads on to u
//
// This operator reads entries by itself: its loads are shared out over the lists of a round.
#pragma once
#include "../core/members.cuh"
#include "../core/partition.cuh"
#include "stream.cuh"

namespace gunrock {

namespace cascading {

constexpr int BEGINNINGS = WARP > 1 ? 2 : 64;           // members that a thread tests at a time
constexpr int KEPT = WARP > 1 ? BLOCK : 1024;           // items that a block keeps for its next round
constexpr int CAPACITY = BEGINNINGS * BLOCK > KEPT ? BEGINNINGS * BLOCK : KEPT;
constexpr int ROUNDS = WARP > 1 ? 64 : 1 << 30;         // of a block before others may share in what it has found
constexpr edge_t SHORT = WARP / 2, LONG = 8 * WARP;     // lists for lanes together, for a warp, for the block
constexpr int BATCH = 4;

struct Storage {
  int counts[2];
  int longs;
  vertex_t items[2][CAPACITY];
  vertex_t longer[CAPACITY];  // items of a round whose lists are the block's
};

// What a thread finds, on its way to the next round or to the next frontier.
struct Finds {
  vertex_t* items;
  int* count;
  int room;
  NextFrontier out;

  // The whole warp: puts u where it belongs if this lane `leads` there.
  GR_DEVICE void put_all(bool leads, vertex_t u) const {
    bool left = leads;
    if (leads && room > 0) {
      const int place = reserve(count);
      left = place >= room;
      if (!left) items[place] = u;
    }
    const u32 out_of_room = warp_ballot(left);
    if (!out_of_room) return;
    u64 at = 0;
    if (lane_id() == first_lane(out_of_room)) at = claim<Kind::plain>(out.tail, u64(popcount(out_of_room)), 0);
    at = warp_broadcast(at, first_lane(out_of_room));
    const u32 before = u32(popcount(out_of_room & ((1u << lane_id()) - 1)));
    if (left) put<Kind::plain>(out.queue, {unpack(at).count + before, 0}, item_t(u), 0);
  }
};

// The whole warp: several entries each, with their loads and their atomics in flight together.
template <class F>
GR_DEVICE void visit_batch(F& f, const Finds& finds, const vertex_t (&u)[BATCH]) {
  bool may[BATCH], leads[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) may[k] = u[k] >= 0 && f.peek(u[k]);
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) leads[k] = may[k] && f.visit(u[k]);
  bool any = false;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) any |= leads[k];
  if (!warp_ballot(any)) return;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) finds.put_all(leads[k], u[k]);
}

// The whole warp: the items of its lanes (-1 for none), except those with long lists, which are left to the block.
template <class F>
GR_DEVICE void items_of_lanes(Context& ctx, const Csr& lists, Storage& storage, F& f, const Finds& finds, vertex_t v,
                              bool direct) {
  Row row = v >= 0 ? lists.row(v) : Row{0, 0};  // on its way while v is claimed
  if (v >= 0 && !f.take(v)) row.length = 0;
  ctx.count_edges(row.length);
  if (WARP > 1 && row.length > LONG) storage.longer[reserve(&storage.longs)] = v;
  for (u32 left = warp_ballot(row.length > SHORT && (WARP == 1 || row.length <= LONG)); left; left &= left - 1) {
    const int lane = lowest_bit(left);
    stream_batches<BATCH, WARP>(lists.column_indices, warp_broadcast(row.begin, lane),
                                warp_broadcast(row.length, lane), lane_id(),
                                [&](const vertex_t (&u)[BATCH]) { visit_batch(f, finds, u); });
  }
  if constexpr (WARP > 1) {
    stream_together(lists.column_indices, row.begin, row.length > SHORT ? edge_t(0) : row.length,
                    [&](int, vertex_t u) {
                      const bool leads = u >= 0 && (direct || f.peek(u)) && f.visit(u);
                      if (warp_ballot(leads)) finds.put_all(leads, u);
                    });
  }
}

// The whole block: the first `here` items, and then what they lead to, round by round.
template <class F>
GR_DEVICE void follow(Context& ctx, const Csr& lists, Storage& storage, int here, const NextFrontier& out, F& f) {
  for (int round = 0; here > 0; ++round) {
    const vertex_t* const from = storage.items[round % 2];
    int* const coming = &storage.counts[(round + 1) % 2];
    if (thread_id() == 0) *coming = storage.longs = 0;
    block_sync();
    const Finds finds = {storage.items[(round + 1) % 2], coming, round < ROUNDS ? KEPT : 0, out};
    for (int base = 0; base < here; base += BLOCK) {  // neighbouring items go to different warps
      const int i = base + warp_id() + WARPS * lane_id();
      items_of_lanes(ctx, lists, storage, f, finds, i < here ? from[i] : -1, here <= BLOCK);
    }
    block_sync();
    for (int i = 0; i < (WARP > 1 ? storage.longs : 0); ++i) {
      const Row row = lists.row(storage.longer[i]);
      stream_batches<BATCH, BLOCK>(lists.column_indices, row.begin, row.length, thread_id(),
                                   [&](const vertex_t (&u)[BATCH]) { visit_batch(f, finds, u); });
    }
    block_sync();
    here = *coming < KEPT ? *coming : KEPT;
    block_sync();
  }
}

}  // namespace cascading

// A part of a step.
template <class Who, class F>
GR_DEVICE void cascade(Context& ctx, const LoopState& s, const Who& who, const Csr& lists, F& f) {
  using namespace cascading;
  auto& storage = ctx.shared.as<Storage>();
  const NextFrontier out = ctx.out(s);
  // Few members are spread over all blocks, as each may lead far.
  i64 share = (who.count + ctx.blocks - 1) / ctx.blocks;
  if (share > BEGINNINGS * BLOCK) share = BEGINNINGS * BLOCK;
  for (i64 first = ctx.block * share; first < who.count; first += ctx.blocks * share) {
    if (thread_id() == 0) storage.counts[0] = 0;
    block_sync();
    const i64 end = first + share < who.count ? first + share : who.count;
    for (i64 i = first + thread_id(); i < end; i += BLOCK) {
      const item_t v = who.at(i);
      if (who.holds(v) && f.starts(vertex_t(v))) storage.items[0][reserve(&storage.counts[0])] = vertex_t(v);
    }
    block_sync();
    const int here = storage.counts[0];
    block_sync();
    follow(ctx, lists, storage, here, out, f);
  }
}

}  // namespace gunrock
