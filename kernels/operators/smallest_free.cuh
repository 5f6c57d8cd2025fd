// Smallest free number: for each vertex the least number, from 0, that no entry of its list has. Which
// numbers are taken is folded into a bitmap, a window of numbers at a time; a list is walked again only
// where it has them all. (A list of n entries leaves one of 0 to n free.)
//
//   smallest_free(ctx, who, lists, f)
//
// A functor has
//   number(u) -> i32    that of an entry, negative where it has none
//   finish(v, number)   one thread hands over what is free for v
//
// A list is folded by its thread or by a warp, into registers, or by the block, into its shared memory.
// Where there are fewer vertices than blocks each has one to itself, from the last on: an advance in the
// same step begins with the first.
#pragma once
#include "../core/members.cuh"
#include "../math/monoid.cuh"
#include "walk.cuh"

namespace gunrock {

namespace freeing {

constexpr edge_t THREAD_MAX = 32;    // longest list that a thread folds: one window is enough
constexpr edge_t WARP_MAX = 1024;    // and a warp
constexpr i64 LISTS_PER_WARP = 8;    // with fewer a warp takes one after the other
constexpr int BATCH = 4;
constexpr int MOST_REMEMBERED = 256;  // long lists that a block remembers; the warps' beyond
constexpr int WORDS = 128;            // of a block's window

struct Storage {
  u32 words[WORDS];
  item_t later[MOST_REMEMBERED];
};

// mark(x) for every number x among the entries from `e` on, `stride` apart.
template <class F, class Mark>
GR_DEVICE void each_number(Context& ctx, const Csr& lists, F& f, edge_t e, edge_t end, edge_t stride,
                           Mark mark) {
  for (; e < end; e += BATCH * stride) {
    vertex_t u[BATCH];
    i32 x[BATCH];
    load_entries(ctx, lists, e, end, stride, u);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) x[k] = u[k] >= 0 ? f.number(u[k]) : -1;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (x[k] >= 0) mark(x[k]);
  }
}

// A thread (LANES 1) or a whole warp: what is free, for all of them.
template <int LANES, class F>
GR_DEVICE i32 by_lanes(Context& ctx, const Csr& lists, F& f, edge_t begin, edge_t end) {
  for (i32 low = 0;; low += 64) {
    u64 taken = 0;
    each_number(ctx, lists, f, begin + (LANES > 1 ? lane_id() : 0), end, edge_t(LANES), [&](i32 x) {
      if (x >= low && x - low < 64) taken |= u64(1) << (x - low);
    });
    u32 below = u32(taken), above = u32(taken >> 32);
    fold_lanes<Or>(below, LANES);
    fold_lanes<Or>(above, LANES);
    if (~below) return low + lowest_bit(~below);
    if (~above) return low + 32 + lowest_bit(~above);
  }
}

// The whole block, or a core.
template <class F>
GR_DEVICE void by_block(Context& ctx, const Csr& lists, F& f, vertex_t v, u32* words) {
  const Row row = lists.row(v);
  for (i32 low = 0;; low += 32 * WORDS) {
    for (int i = thread_id(); i < WORDS; i += BLOCK) words[i] = 0;
    block_sync();
    each_number(ctx, lists, f, row.begin + thread_id(), row.end(), edge_t(BLOCK), [&](i32 x) {
      if (x >= low && x - low < 32 * WORDS) atomic_or(&words[(x - low) / 32], 1u << (x - low) % 32);
    });
    block_sync();
    i32 found = -1;  // every warp looks: no one has to be told
    for (int first = 0; first < WORDS && found < 0; first += WARP) {
      const u32 free = ~words[first + lane_id()];
      if (const u32 some = warp_ballot(free != 0)) {
        const int lane = first_lane(some);
        found = low + (first + lane) * 32 + lowest_bit(warp_broadcast(free, lane));
      }
    }
    block_sync();  // the words are used again
    if (found >= 0) {
      if (thread_id() == 0) f.finish(v, found);
      return;
    }
  }
}

// Warps take groups of lists; those for a block are left to the end.
template <class Who, class F>
GR_DEVICE void by_warps(Context& ctx, const Who& who, const Csr& lists, F& f, Storage& storage) {
  const i64 warps = i64(ctx.blocks) * WARPS, share = (who.count + warps - 1) / warps;
  const i64 each = share < WARP ? share : WARP;
  if (thread_id() == 0) ctx.shared.remembered = 0;
  block_sync();
  for (i64 group = i64(warp_id()) * ctx.blocks + ctx.block; group * each < who.count; group += warps) {
    const i64 i = group * each + lane_id();
    bool open = lane_id() < each && i < who.count;
    const vertex_t v = open ? vertex_t(who.at(i)) : 0;
    edge_t begin = 0, end = 0;
    if (open) {
      const Row row = lists.row(v);
      begin = row.begin;
      end = row.end();
    }
    if (open && each >= LISTS_PER_WARP && end - begin <= THREAD_MAX) {
      f.finish(v, by_lanes<1>(ctx, lists, f, begin, end));
      open = false;
    }
    if (open && end - begin > WARP_MAX && !ctx.solo) {  // a lone block has its queues there
      const int place = reserve(&ctx.shared.remembered);
      if (place < MOST_REMEMBERED) {
        storage.later[place] = item_t(v);
        open = false;
      }
    }
    for (u32 left = warp_ballot(open); left; left &= left - 1) {
      const int lane = lowest_bit(left);
      const i32 found = by_lanes<WARP>(ctx, lists, f, warp_broadcast(begin, lane),
                                       warp_broadcast(end, lane));
      if (lane == lane_id()) f.finish(v, found);
    }
  }
  block_sync();
  const int remembered = ctx.shared.remembered;
  for (int k = 0; k < remembered && k < MOST_REMEMBERED; ++k)
    by_block(ctx, lists, f, vertex_t(storage.later[k]), storage.words);
}

}  // namespace freeing

// A part of a step.
template <class Who, class F>
GR_DEVICE void smallest_free(Context& ctx, const Who& who, const Csr& lists, F&& f) {
  freeing::Storage& storage = ctx.shared.as<freeing::Storage>();
  if constexpr (WARP == 1) {
    for (i64 i = ctx.block; i < who.count; i += ctx.blocks) {
      const vertex_t v = vertex_t(who.at(i));
      const Row row = lists.row(v);
      if (row.length > freeing::THREAD_MAX && !ctx.solo)
        freeing::by_block(ctx, lists, f, v, storage.words);
      else f.finish(v, freeing::by_lanes<1>(ctx, lists, f, row.begin, row.end()));
    }
  } else {
    block_sync();  // what came before has used the storage
    if (!ctx.solo && who.count <= ctx.blocks) {
      const i64 i = ctx.blocks - 1 - ctx.block;
      if (i < who.count) freeing::by_block(ctx, lists, f, vertex_t(who.at(i)), storage.words);
    } else {
      freeing::by_warps(ctx, who, lists, f, storage);
    }
  }
}

}  // namespace gunrock
