// Smallest free number: for each vertex the least number, from 0, that no entry of its list has. Which
// numbers are taken is folded into a bitmap, a window of numbers at a time; a list is walked again only
// where it has them all. (A list of n entries leaves one of 0 to n free.)
//
//   smallest_free<OUT>(ctx, s, who, lists, f)
//
// A functor has
//   number(u) -> i32    that of an entry, negative where it has none
//   visit(u, v) -> keep  what is done about an entry of v's list that has none, once; those that it keeps
//                       fill the next frontier
//   finish(v, number)   one thread hands over what is free for v
//
// A list is folded by its thread or by a warp, into registers, or by the block, into its shared memory.
// Where there are no more vertices than blocks each has one to itself.
#pragma once
#include "../core/collector.cuh"
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

// mark(x) for every number x among the entries of v's list from `e` on, `stride` apart; in the `first`
// walk through the list the others are visited.
template <class F, class C, class Mark>
GR_DEVICE void each_number(const Csr& lists, F& f, C& collect, bool first, vertex_t v, edge_t e,
                           edge_t end, edge_t stride, Mark mark) {
  for (; e < end; e += BATCH * stride) {
    vertex_t u[BATCH];
    i32 x[BATCH];
    bool keep[BATCH];
    load_entries(collect.ctx, lists, e, end, stride, u);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) x[k] = u[k] >= 0 ? f.number(u[k]) : -1;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) keep[k] = first && u[k] >= 0 && x[k] < 0 && f.visit(u[k], v);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (x[k] >= 0) mark(x[k]);
      if (keep[k]) collect.push(item_t(u[k]));
    }
  }
}

// A thread (LANES 1) or a whole warp: what is free, for all of them.
template <int LANES, class F, class C>
GR_DEVICE i32 by_lanes(const Csr& lists, F& f, C& collect, vertex_t v, edge_t begin, edge_t end) {
  for (i32 low = 0;; low += 64) {
    u64 taken = 0;
    each_number(lists, f, collect, low == 0, v, begin + (LANES > 1 ? lane_id() : 0), end, edge_t(LANES),
                [&](i32 x) {
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
template <class F, class C>
GR_DEVICE void by_block(const Csr& lists, F& f, C& collect, vertex_t v, u32* words) {
  const Row row = lists.row(v);
  for (i32 low = 0;; low += 32 * WORDS) {
    for (int i = thread_id(); i < WORDS; i += BLOCK) words[i] = 0;
    block_sync();
    each_number(lists, f, collect, low == 0, v, row.begin + thread_id(), row.end(), edge_t(BLOCK),
                [&](i32 x) {
                  const i32 at = x - low;
                  if (at >= 0 && at < 32 * WORDS) atomic_or(&words[at / 32], 1u << at % 32);
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
template <class Who, class F, class C>
GR_DEVICE void by_warps(Context& ctx, const Who& who, const Csr& lists, F& f, C& collect,
                        Storage& storage) {
  const i64 warps = i64(ctx.blocks) * WARPS, share = (who.count + warps - 1) / warps;
  const i64 each = share < WARP ? share : WARP;
  if (thread_id() == 0) ctx.shared.remembered = 0;
  block_sync();
  for (i64 first = 0; first < who.count; first += warps * each) {  // the whole block goes on together
    const i64 i = first + (i64(warp_id()) * ctx.blocks + ctx.block) * each + lane_id();
    bool open = lane_id() < each && i < who.count;
    const vertex_t v = open ? vertex_t(who.at(i)) : 0;
    edge_t begin = 0, end = 0;
    if (open) {
      const Row row = lists.row(v);
      begin = row.begin;
      end = row.end();
    }
    if (open && each >= LISTS_PER_WARP && end - begin <= THREAD_MAX) {
      f.finish(v, by_lanes<1>(lists, f, collect, v, begin, end));
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
      const i32 found = by_lanes<WARP>(lists, f, collect, warp_broadcast(v, lane),
                                       warp_broadcast(begin, lane), warp_broadcast(end, lane));
      if (lane == lane_id()) f.finish(v, found);
    }
    collect.drain();
  }
  block_sync();
  const int remembered = ctx.shared.remembered;
  for (int k = 0; k < remembered && k < MOST_REMEMBERED; ++k)
    by_block(lists, f, collect, vertex_t(storage.later[k]), storage.words);
}

}  // namespace freeing

// A part of a step.
template <Kind OUT, class Who, class F>
GR_DEVICE void smallest_free(Context& ctx, const LoopState& s, const Who& who, const Csr& lists, F&& f) {
  freeing::Storage& storage = ctx.shared.as<freeing::Storage>();
  Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
  if constexpr (WARP == 1) {
    for (i64 i = ctx.block; i < who.count; i += ctx.blocks) {
      const vertex_t v = vertex_t(who.at(i));
      const Row row = lists.row(v);
      if (row.length > freeing::THREAD_MAX && !ctx.solo)
        freeing::by_block(lists, f, collect, v, storage.words);
      else f.finish(v, freeing::by_lanes<1>(lists, f, collect, v, row.begin, row.end()));
      collect.drain();
    }
  } else if (!ctx.solo && who.count <= ctx.blocks) {
    if (ctx.block < who.count)
      freeing::by_block(lists, f, collect, vertex_t(who.at(ctx.block)), storage.words);
  } else {
    freeing::by_warps(ctx, who, lists, f, collect, storage);
  }
  collect.flush();
}

}  // namespace gunrock
