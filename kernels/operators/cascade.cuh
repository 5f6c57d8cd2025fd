// Cascade: visits the lists of items and, without waiting for other blocks, of the vertices that they lead to, where
// the order does not matter. Called by core numbers.
//
//   cascade(ctx, s, who, lists, f)
//
// Removing what has few neighbours left removes others in turn: on a mesh a chain of thousands of vertices, each of
// which would cost a barrier of the grid. Here a block keeps what it finds in shared memory and goes on from there,
// round by round, and takes more members of `who` when it has too little to do. What it has no room for, and all that
// is left some time after its last member, goes to the next frontier, which is a plain queue, for all blocks
// to share.
//
// A functor has
//   starts(v) -> bool    true for the members of `who` to begin with, among them those that were led to earlier; by
//                        loads that do not depend on each other
//   numbers(count) -> u32   the first of so many new numbers, by one atomic; each is greater than all that were given
//                        before
//   claim(v) -> Claim    claims v, by an atomic whose result is not waited for
//   take(v, claim, number) -> bool  true for one of those that have claimed v. The number is greater than those of all
//                        whose visits led to v
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

constexpr int TESTED = WARP > 1 ? 2 : 64;               // members that a thread tests at a time
constexpr int ENOUGH = WARP > 1 ? BLOCK : 64;           // items of a round for which no more members are taken
constexpr int KEPT = WARP > 1 ? BLOCK : 1024;           // finds that a block keeps for its next round
constexpr int FEW = BLOCK / 2;                          // items of a round whose time is that of waiting
constexpr int CAPACITY = (KEPT > ENOUGH ? KEPT : ENOUGH) + TESTED * BLOCK;
constexpr int ROUNDS = WARP > 1 ? 32 : 1 << 30;         // after a block's last member, before others share [D-cascade-1]
constexpr edge_t SHORT = WARP > 1 ? 4 * WARP : 0;       // the longest list for lanes together
constexpr edge_t LONG = 8 * WARP;                       // the longest for a warp; others are the block's
constexpr int PAIR = 2, BATCH = 4;                      // entries of a lane in flight, of these and of those

struct Storage {
  // For three rounds in turn: some threads still read one round's words while others clear those of the next but one.
  int finds[3], longs[3], begun[3];
  u32 number;  // of the round's first item
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

// The whole warp: several entries each (-1 for none), with their loads and their atomics in flight together.
template <int SIZE, class F>
GR_DEVICE void visit_batch(F& f, const Finds& finds, const vertex_t (&u)[SIZE], bool direct = false) {
  bool may[SIZE], leads[SIZE];
  GR_UNROLL
  for (int k = 0; k < SIZE; ++k) may[k] = u[k] >= 0 && (direct || f.peek(u[k]));
  GR_UNROLL
  for (int k = 0; k < SIZE; ++k) leads[k] = may[k] && f.visit(u[k]);
  bool any = false;
  GR_UNROLL
  for (int k = 0; k < SIZE; ++k) any |= leads[k];
  if (!warp_ballot(any)) return;
  GR_UNROLL
  for (int k = 0; k < SIZE; ++k) finds.put_all(leads[k], u[k]);
}

// An item of a lane, with what is on its way for it; v is -1 for none.
template <class F>
struct Item {
  vertex_t v = -1;
  u32 place = 0;
  Row row = {0, 0};
  typename F::Claim claim{};
  GR_DEVICE Item(const Csr& lists, F& f, const vertex_t* items, int i, int count) {
    if (i >= count) return;
    v = items[i];
    place = u32(i);
    row = lists.row(v);
    claim = f.claim(v);
  }
};

// The whole warp: the lists of its lanes' items, except those of long ones, which are left to the block. `first` is the
// number of the round's first item.
template <class F>
GR_DEVICE void visit_lists(Context& ctx, const Csr& lists, Storage& storage, int* longs, F& f, const Finds& finds,
                           const Item<F>& item, u32 first, bool direct) {
  u32 taken = 0;
  bool looked = false;
  const auto look = [&] {  // once the first entries are on their way
    if (looked) return;
    taken = warp_ballot(item.v >= 0 && f.take(item.v, item.claim, first + item.place));
    looked = true;
  };
  if constexpr (WARP > 1) {
    stream_entry_batches<PAIR>(
        lists.column_indices, item.row.begin, item.row.length > SHORT ? edge_t(0) : item.row.length,
        [&](const int (&owners)[PAIR], const vertex_t (&entries)[PAIR]) {
          look();
          vertex_t u[PAIR];
          GR_UNROLL
          for (int k = 0; k < PAIR; ++k) u[k] = taken >> owners[k] & 1 ? entries[k] : -1;
          visit_batch(f, finds, u, direct);
        });
  }
  look();
  const bool is_taken = taken >> lane_id() & 1;
  const edge_t length = is_taken ? item.row.length : edge_t(0);
  ctx.count_edges(length);
  if (WARP > 1 && length > LONG) storage.longer[reserve(longs)] = item.v;
  for (u32 left = warp_ballot(length > SHORT && (WARP == 1 || length <= LONG)); left; left &= left - 1) {
    const int lane = lowest_bit(left);
    stream_batches<BATCH, WARP>(lists.column_indices, warp_broadcast(item.row.begin, lane),
                                warp_broadcast(length, lane), lane_id(),
                                [&](const vertex_t (&u)[BATCH]) { visit_batch(f, finds, u); });
  }
}

// The whole block: a round, of the first `here` items of one half; returns how many finds wait in the other half.
template <class F>
GR_DEVICE int visit_round(Context& ctx, const Csr& lists, Storage& storage, int round, int here, bool keeps,
                          const NextFrontier& out, F& f) {
  const int now = round % 3, next = (round + 1) % 3;
  const vertex_t* const from = storage.items[round % 2];
  int* const longs = &storage.longs[now];
  const Finds finds = {storage.items[(round + 1) % 2], &storage.finds[next], keeps ? KEPT : 0, out};
  const int own = warp_id() + WARPS * lane_id();  // neighbouring items go to different warps
  Item<F> item(lists, f, from, own, here);
  if (thread_id() == 0) {
    storage.finds[(round + 2) % 3] = storage.longs[next] = 0;
    storage.number = f.numbers(here);
  }
  block_sync();
  for (int base = 0; base < here; base += BLOCK) {
    if (base > 0) item = Item<F>(lists, f, from, base + own, here);
    visit_lists(ctx, lists, storage, longs, f, finds, item, storage.number, here <= FEW);
  }
  block_sync();
  if (WARP > 1 && *longs > 0) {
    for (int i = 0; i < *longs; ++i) {
      const Row row = lists.row(storage.longer[i]);
      stream_batches<BATCH, BLOCK>(lists.column_indices, row.begin, row.length, thread_id(),
                                   [&](const vertex_t (&u)[BATCH]) { visit_batch(f, finds, u); });
    }
    block_sync();
  }
  if (!keeps) return 0;
  return storage.finds[next] < KEPT ? storage.finds[next] : KEPT;
}

// The members of `who` that a block takes, part by part.
template <class Who>
struct Members {
  const Who& who;
  i64 share;  // of a part: few members are spread over all blocks, as each may lead far
  i64 first;
  i64 stride;
  int parts = 0;

  GR_DEVICE Members(const Context& ctx, const Who& all) : who(all) {
    share = (who.count + ctx.blocks - 1) / ctx.blocks;
    if (share > TESTED * BLOCK) share = TESTED * BLOCK;
    first = ctx.block * share;
    stride = ctx.blocks * share;
  }
  GR_DEVICE bool any() const { return first < who.count; }

  // The whole block: puts those of the next part that begin behind the `here` items, and returns how many there are.
  template <class F>
  GR_DEVICE int take(Storage& storage, vertex_t* items, int here, F& f) {
    int* const begun = &storage.begun[parts % 3];
    const i64 end = first + share < who.count ? first + share : who.count;
    vertex_t v[TESTED];
    bool begins[TESTED];
    GR_UNROLL
    for (int k = 0; k < TESTED; ++k) {
      const i64 i = first + thread_id() + i64(k) * BLOCK;
      begins[k] = i < end;
      if (begins[k]) {
        const item_t item = who.at(i);
        v[k] = vertex_t(item);
        begins[k] = who.holds(item);
      }
    }
    GR_UNROLL
    for (int k = 0; k < TESTED; ++k) begins[k] = begins[k] && f.starts(v[k]);
    GR_UNROLL
    for (int k = 0; k < TESTED; ++k)
      if (begins[k]) items[here + reserve(begun)] = v[k];
    if (thread_id() == 0) storage.begun[(parts + 1) % 3] = 0;
    block_sync();
    first += stride;
    ++parts;
    return here + *begun;
  }
};

}  // namespace cascading

// A part of a step.
template <class Who, class F>
GR_DEVICE void cascade(Context& ctx, const LoopState& s, const Who& who, const Csr& lists, F& f) {
  using namespace cascading;
  auto& storage = ctx.shared.as<Storage>();
  const NextFrontier out = ctx.out(s);
  if (thread_id() == 0) storage.finds[1] = storage.longs[0] = storage.begun[0] = 0;
  block_sync();
  Members<Who> members(ctx, who);
  int here = 0, rounds = 0;
  for (int round = 0;; ++round) {
    while (here < ENOUGH && members.any()) here = members.take(storage, storage.items[round % 2], here, f);
    if (here == 0) break;
    rounds += !members.any();
    here = visit_round(ctx, lists, storage, round, here, rounds <= ROUNDS, out, f);
  }
  block_sync();
}

}  // namespace gunrock
