// Two-level priority queue: an operator's output is split into a near slice, the next frontier, and a far pile,
// set aside until the near slice is empty. Gunrock, section 4.5 (after Davidson's near-far pile); for shortest
// paths, this is delta-stepping. Called by SSSP.
//
// Emission and split are one: a functor's visit answers NEAR, FAR or DROP, and advance_near_far sends each item
// where it belongs, without an extra pass or barrier. When the near slice is empty, `split` goes over the pile
// with a priority functor and the next window.
//
// A pile holds items only; their lists are looked up when they turn near. The functor that answers FAR must
// ensure that a pile holds each item once; then a pile with a place per item cannot overflow.
#pragma once
#include "advance.cuh"
#include "../core/partition.cuh"
#include "reduce.cuh"

namespace gunrock {

struct Pile {
  item_t* items;
  u64* count;
};

// Two far piles used in turn, with n places each. Their sizes, and the least priorities left in them at the
// last split, are kept in three counters each, used in turn, so that no step clears a counter that it reads or
// writes.
struct FarPiles {
  static constexpr int COUNTERS = 6;
  item_t* items;
  i64 stride;     // places from one pile to the next
  u64* counters;  // COUNTERS words of the enactor's
  u32& number;    // the number of turns so far; the enactor's State keeps it

  GR_DEVICE Pile pile(u32 ahead = 0) const {
    return {items + (number + ahead) % 2 * stride, &counters[(number + ahead) % 3]};
  }
  GR_DEVICE i64 size() const { return i64(load_relaxed(pile().count)); }
  GR_DEVICE u64* least(u32 ahead = 0) const { return &counters[3 + (number + ahead) % 3]; }
  // One thread, before the first step that fills the piles.
  GR_DEVICE void reset() const {
    for (u32 ahead = 0; ahead < 3; ++ahead) store_relaxed(least(ahead), ArgMin::zero());
  }
  // Makes the items that the split has set aside the next step's pile.
  GR_DEVICE void turn(Context& ctx) {
    if (ctx.rank() == 0) {
      store_relaxed(pile(2).count, u64(0));
      store_relaxed(least(2), ArgMin::zero());
    }
    ++number;
  }
};

template <Kind KIND>
struct SliceCollector : Staging<SliceCollector<KIND>, KIND> {
  using Base = Staging<SliceCollector<KIND>, KIND>;
  using Base::ctx;
  using Base::turn;
  const NextFrontier near;
  const Csr& next;
  const Pile far;

  GR_DEVICE SliceCollector(Context& context, const NextFrontier& frontier, const Csr& lists,
                           const Pile& far_pile)
      : Base(context), near(frontier), next(lists), far(far_pile) {}

  // Any thread, at any time. Both slices share the stage: a far item is stored complemented.
  GR_DEVICE void push(item_t item, Slice slice) {
    const int place = reserve(&ctx.shared.staged);
    if (place < STAGE) {
      ctx.shared.stage[place] = slice == FAR ? ~item : item;
    } else if (slice == FAR) {
      far.items[atomic_add(far.count, u64(1))] = item;
    } else {
      const Row row = list_at(item);
      write(unpack(claim<KIND>(near.tail, 1, u64(row.length))), item, row.begin);
    }
  }

  // The whole block: writes out the stage. Ends without a barrier.
  GR_DEVICE void flush() {
    block_sync();
    const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
    // In rounds of BLOCK items; on a CPU of one item, with the total known before the first round.
    u64 total = 0;
    Places at = {0, 0};
    if (WARP == 1 && staged) {
      for (int i = 0; i < staged; ++i) total += near_size(ctx.shared.stage[i]);
      at = claim_places(total, staged);
    }
    for (int base = 0; base < staged; base += BLOCK) {
      const int i = base + thread_id();
      const bool mine = i < staged;
      const item_t item = mine ? ctx.shared.stage[i] : 0;
      edge_t row = 0;
      const u64 size = mine ? near_size(item, row) : 0;
#if GR_CUDA
      const u64 before = block_scan(size, total, ctx.shared.wide_scan, turn++);
      if (thread_id() == 0) {
        at = claim_places(total, staged - base < BLOCK ? staged - base : BLOCK);
        ctx.shared.broadcast = at.near;
        ctx.shared.broadcast_far = at.far;
      }
      block_sync();
      const u64 near_at = ctx.shared.broadcast;
      const u64 far_at = ctx.shared.broadcast_far + thread_id() - count_of(before);
#else
      const u64 near_at = at.near, far_at = at.far, before = 0;
      at.near += pack(count_of(size), edges_of(size));
      at.far += item < 0;
#endif
      if (mine && item < 0) far.items[far_at] = ~item;
      else if (mine) write(moved_by(unpack(near_at), before), item, row);
    }
    block_sync();
    if (thread_id() == 0) ctx.shared.staged = 0;
  }

 private:
  struct Places {
    u64 near;  // packed like the tail
    u64 far;
  };

  // What a staged item adds to the near slice; 0 if it is far. Packed with more bits for edges than the tail
  // has: the stage may hold long lists more than once, and their sum must not run into the count.
  GR_DEVICE u64 near_size(item_t item, edge_t& row) const {
    if (item < 0) return 0;
    const Row list = list_at(item);
    row = list.begin;
    return u64(1) << STAGE_BITS | u64(list.length);
  }
  GR_DEVICE Row list_at(item_t item) const {
    if constexpr (KIND == Kind::plain) return {0, 0};
    else return next.row(list_of<KIND>(item, next));
  }
  static constexpr int STAGE_BITS = 48;
  GR_DEVICE static u64 count_of(u64 size) { return size >> STAGE_BITS; }
  GR_DEVICE static u64 edges_of(u64 size) { return size & ((u64(1) << STAGE_BITS) - 1); }
  GR_DEVICE static Size moved_by(const Size& at, u64 size) {
    return {at.count + u32(count_of(size)), at.edges + edges_of(size)};
  }
  GR_DEVICE u64 near_size(item_t item) const {
    edge_t row;
    return near_size(item, row);
  }

  // One thread: claims places for `count` items, of which `size` are near.
  GR_DEVICE Places claim_places(u64 size, int count) const {
    const u64 rest = u64(count) - count_of(size);
    const u64 near_at = size ? claim<KIND>(near.tail, count_of(size), edges_of(size)) : 0;
    const u64 far_at = rest ? atomic_add(far.count, rest) : 0;
    return {near_at, far_at};
  }

  // Beyond the capacity nothing is written; see Collector::write.
  GR_DEVICE void write(const Size& at, item_t item, edge_t row) const {
    const Queue& queue = near.queue;
    if (at.count < queue.capacity) {
      queue.items[at.count] = item;
      if constexpr (KIND != Kind::plain) {
        next.prefetch_list(row);  // the next step begins with it
        queue.scan[at.count] = edge_t(at.edges);
        queue.rows[at.count] = row;
      }
    }
  }
};

// Non-negative priorities, as integers of the same order.
GR_DEVICE u64 order_key(i32 priority) { return u64(u32(priority)); }
GR_DEVICE u64 order_key(float priority) { return u64(float_bits(priority)); }

// A step's work: advances from the step's frontier; f.visit's answer says where an end goes.
template <Kind IN, Kind OUT, class F>
GR_DEVICE void advance_near_far(Context& ctx, const LoopState& s, const FarPiles& piles, F& f) {
  const Csr& csr = ctx.graph.csr;
  SliceCollector<OUT> collect(ctx, ctx.out(s), csr, piles.pile());
  advance_into<IN>(ctx, ctx.in(s), csr, f, collect);
}

// A step's work: sends the items of the step's frontier that f keeps where f.visit's answer says.
template <Kind OUT, class F>
GR_DEVICE void filter_near_far(Context& ctx, const LoopState& s, const FarPiles& piles, F&& f) {
  const Frontier in = ctx.in(s);
  SliceCollector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr, piles.pile());
  const Partition partition(ctx, in.size.count);
  for (i64 base = partition.first(); base < i64(in.size.count); base = partition.next(base)) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    if (i < i64(in.size.count)) {
      const item_t item = in.queue.items[i];
      const Slice slice = f.visit(item);
      if (slice) collect.push(item, slice);
    }
  }
  collect.flush();
}

// A step's work: goes over a pile of `count` items. Items that `priority` puts below `lower` have been
// processed since they were set aside and are dropped; those below `upper` turn near; the rest stay far. The
// least priority of the rest, as an order key, is merged into the next pile's least.
template <Kind OUT, class T, class Priority>
GR_DEVICE void split(Context& ctx, const LoopState& s, FarPiles& piles, i64 count, T lower, T upper,
                     Priority priority) {
  SliceCollector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr, piles.pile(1));
  const item_t* pile = piles.pile().items;
  u64 least = ArgMin::zero();
  const Partition partition(ctx, count);
  for (i64 base = partition.first(); base < count; base = partition.next<BATCH>(base)) {
    collect.make_room(PASS);
    item_t item[BATCH];
    T value[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 i = base + k * partition.stride() + thread_id();
      item[k] = i < count ? pile[i] : item_t(-1);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) value[k] = item[k] >= 0 ? priority(item[k]) : T(0);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (item[k] < 0 || value[k] < lower) continue;
      const bool stays = !(value[k] < upper);
      if (stays) Least<u64>::join(least, order_key(value[k]));
      collect.push(item[k], stays ? FAR : NEAR);
    }
  }
  collect.flush();
  fold_grid<Least<u64>>(ctx, least, piles.least(1));
  piles.turn(ctx);
}

}  // namespace gunrock
