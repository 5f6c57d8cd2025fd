// Smallest free numbers in order: each vertex takes the least number, from 0, that none of its neighbours
// before it in a given order has taken. It waits for those neighbours rather than for the grid: the order may
// hold chains of thousands of vertices, each of which would cost a barrier [D-order-1]. Called by coloring.
//
// One word holds a vertex's whole state: its number or, until it has one, ~place, its place in the order.
// Blocks take long lists and warps short ones, always the next in the order, and a block takes none before it
// has finished its previous one. So the first vertex without a number waits for nobody, and there is no
// deadlock. While v waits, no vertex after v that is its neighbour has a number, so every number in v's list
// belongs to a vertex before v.
#pragma once
#include "../core/lane_group.cuh"
#include "../math/monoid.cuh"
#include "walk.cuh"

namespace gunrock {

struct InOrder {
  const vertex_t* vertices;
  i64 long_lists;  // the first vertices in the order, whose lists are for blocks
  i64 count;
  i32* words;
  u32* next_long;   // tickets, zero before, for the lists that blocks take and for all others
  u32* next_short;
};

constexpr edge_t SHORT_LIST = 127;  // longest list for a warp; such a list has at most as many numbers

namespace ordering {

constexpr int WORDS = 128;  // words of a block's window of numbers
constexpr int BATCH = 4;
constexpr int LANES = 4;    // lanes that share a short list [D-order-1]
constexpr int SETS = 2;     // sets of 64 numbers, for the longest short list
static_assert(SHORT_LIST < 64 * SETS, "each entry may take a number");

// The least number that is in none of the sets of 64 numbers.
template <int SETS>
GR_DEVICE i32 least_free(const u64 (&taken)[SETS]) {
  GR_UNROLL
  for (int k = 0; k < SETS; ++k)
    if (~taken[k]) return 64 * k + lowest_bit(~taken[k]);
  return 64 * SETS;
}

// The whole warp, a list for each group of lanes: polls until every vertex has its number. go_on() is true once
// this lane has come to the end of its part of the list, and all numbers there are in `taken`; finish(number) is
// called by one lane of a group. Lanes never wait for each other within a poll, as one may wait for another's
// vertex.
template <class Group, int SETS, class GoOn, class Finish>
GR_DEVICE void poll_lists(bool done, const u64 (&taken)[SETS], GoOn go_on, Finish finish) {
  for (int polls = 0; warp_ballot(!done); ++polls) {
    const u32 waiting = warp_ballot(!done && !go_on());
    const bool ready = !done && !(waiting & Group::mask());
    if (warp_ballot(ready)) {
      u64 all[SETS];
      GR_UNROLL
      for (int k = 0; k < SETS; ++k) {
        all[k] = taken[k];
        GR_UNROLL
        for (int d = Group::SIZE / 2; d > 0; d /= 2) all[k] |= warp_exchange(all[k], d);
      }
      if (ready && Group::lane() == 0) finish(least_free(all));
      done = done || ready;
    } else {
      pause(polls);
    }
  }
}

struct NumberWindow {
  u32 words[WORDS];
  u32 taken;
};

GR_DEVICE bool must_wait(i32 word, i64 place) { return word < 0 && ~word < place; }

// Marks the numbers in v's list in the block's window, once all vertices that v waits for have one.
GR_DEVICE void mark_numbers(Context& ctx, const Csr& lists, const InOrder& o, const Row& row, i64 place,
                            i32 low, u32* window) {
  for (edge_t e = row.begin + thread_id(); e < row.end(); e += BATCH * BLOCK) {
    vertex_t u[BATCH];
    i32 word[BATCH];
    load_entries(ctx, lists, e, row.end(), edge_t(BLOCK), u);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) word[k] = u[k] >= 0 ? load_relaxed(&o.words[u[k]]) : -1 - 0x7fffffff;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      for (int polls = 0; u[k] >= 0 && must_wait(word[k], place); ++polls) {
        pause(polls);
        word[k] = load_relaxed(&o.words[u[k]]);
      }
      const i32 at = word[k] - low;
      if (word[k] >= low && at < 32 * WORDS) atomic_or(&window[at / 32], 1u << at % 32);
    }
  }
}

// The least free number of the window, for all threads of the block; -1 if none is free.
GR_DEVICE i32 free_of_window(const u32* window) {
  for (int first = 0; first < WORDS; first += WARP) {
    const u32 free = ~window[first + lane_id()];
    if (const u32 some = warp_ballot(free != 0)) {
      const int lane = first_lane(some);
      return (first + lane) * 32 + lowest_bit(warp_broadcast(free, lane));
    }
  }
  return -1;
}

// The whole block: the long lists.
GR_DEVICE void long_lists(Context& ctx, const Csr& lists, const InOrder& o, NumberWindow& storage) {
  for (;;) {
    if (thread_id() == 0) storage.taken = atomic_add(o.next_long, 1u);
    block_sync();
    const i64 place = storage.taken;
    if (place >= o.long_lists) return;
    const vertex_t v = o.vertices[place];
    const Row row = lists.row(v);
    for (i32 low = 0, found = -1; found < 0; low += 32 * WORDS) {
      for (int i = thread_id(); i < WORDS; i += BLOCK) storage.words[i] = 0;
      block_sync();
      mark_numbers(ctx, lists, o, row, place, low, storage.words);
      block_sync();
      found = free_of_window(storage.words);
      if (found >= 0 && thread_id() == 0) store_relaxed(&o.words[v], low + found);
      block_sync();  // before the window and the ticket are used again
    }
  }
}

// One short list, as seen by one of the lanes that share it.
struct ShortList {
  i64 place;
  vertex_t v;
  edge_t e, end;
  u64 taken[SETS];

  // Goes on while the neighbours have their numbers; true at the end of the list.
  GR_DEVICE bool go_on(Context& ctx, const Csr& lists, const InOrder& o, edge_t stride) {
    e = walk(lists, e, end, stride, [&](vertex_t u, edge_t) {
      const i32 word = load_relaxed(&o.words[u]);
      if (must_wait(word, place)) return false;
      ctx.count_edges(1);
      GR_UNROLL
      for (int k = 0; k < SETS; ++k)
        if (word >= 0 && word / 64 == k) taken[k] |= u64(1) << word % 64;
      return true;
    });
    return e >= end;
  }
};

// The whole warp: the short lists.
GR_DEVICE void short_lists(Context& ctx, const Csr& lists, const InOrder& o) {
  using Group = LaneGroup<LANES>;
  for (;;) {
    u32 first = lane_id() == 0 ? atomic_add(o.next_short, u32(Group::EACH)) : 0;
    first = warp_broadcast(first, 0);
    if (o.long_lists + first >= o.count) return;
    ShortList share{o.long_lists + first + Group::number(), -1, 0, 0, {}};
    if (share.place < o.count) {
      share.v = o.vertices[share.place];
      const Row row = lists.row(share.v);
      share.e = row.begin + Group::lane();
      share.end = row.end();
    }
    poll_lists<Group>(
        share.v < 0, share.taken, [&] { return share.go_on(ctx, lists, o, edge_t(Group::SIZE)); },
        [&](i32 number) { store_relaxed(&o.words[share.v], number); });
  }
}

}  // namespace ordering

// A part of a step.
GR_DEVICE void smallest_free_in_order(Context& ctx, const Csr& lists, const InOrder& order) {
  ordering::long_lists(ctx, lists, order, ctx.shared.as<ordering::NumberWindow>());
  ordering::short_lists(ctx, lists, order);
}

}  // namespace gunrock
