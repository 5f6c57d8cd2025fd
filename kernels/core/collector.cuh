// How a block fills a queue.
#pragma once
#include "context.cuh"

namespace gunrock {

// Threads push items into the block's stage; the whole block writes the stage out when it is full.
// `next` is the graph whose lists the new frontier will expand. KIND::none makes all of it vanish.
//
// Self is the collector: it has KIND, a push, and flush, which the whole block calls.
template <class Self, Kind KIND_>
struct Staging {
  static constexpr Kind KIND = KIND_;
  Context& ctx;
  int bound = 0;  // how many items the stage may hold by now
  int turn = 0;

  GR_DEVICE explicit Staging(Context& context) : ctx(context) {}

  // The whole block: afterwards the stage has room for `items` more.
  GR_DEVICE void make_room(int items) {
    if constexpr (KIND != Kind::none) {
      if (bound + items > STAGE) {
        block_sync();
        bound = ctx.shared.staged;
        if (bound + items > STAGE) {
          static_cast<Self*>(this)->flush();
          bound = 0;
        }
        block_sync();
      }
      bound += items;
    }
  }

  // The whole block: write out what is staged if that is much.
  GR_DEVICE void drain() {
    if constexpr (KIND != Kind::none) {
      block_sync();
      const bool full = ctx.shared.staged > STAGE / 2;
      if (full) static_cast<Self*>(this)->flush();
      bound = full ? 0 : STAGE;
      block_sync();
    }
  }
};

// Write an item to its place. Beyond the capacity nothing is written: the tail tells the driver, which
// stops the run, and the host grows the queues and runs again.
template <Kind KIND>
GR_DEVICE void put(const Queue& queue, const Size& at, item_t item, edge_t begin) {
  if (at.count >= queue.capacity) return;
  queue.items[at.count] = item;
  if constexpr (KIND != Kind::plain) {
    queue.scan[at.count] = edge_t(at.edges);
    queue.rows[at.count] = begin;
  }
}

// Fills one queue. VERTICES: what its items stand for; plain ones may.
template <Kind KIND, bool VERTICES = KIND == Kind::vertex>
struct Collector : Staging<Collector<KIND, VERTICES>, KIND> {
  using Base = Staging<Collector<KIND, VERTICES>, KIND>;
  using Base::ctx;
  using Base::turn;
  const NextFrontier out;
  const Csr& next;

  GR_DEVICE Collector(Context& context, const NextFrontier& frontier, const Csr& lists)
      : Base(context), out(frontier), next(lists) {}

  // Any thread, at any time. An item that finds the stage full goes to the queue directly. (The
  // second argument is what visit answered; only a priority queue's collector wants to know.)
  GR_DEVICE void push(item_t item, bool = true) {
    if constexpr (KIND == Kind::vertex && !LATE) ctx.count_queued(vertex_t(item));
    if constexpr (KIND != Kind::none) {
      const int place = reserve(&ctx.shared.staged);
      if (place < STAGE) {
        ctx.shared.stage[place] = item;
        if constexpr (LATE) ctx.last_found.note(vertex_t(item), name_of(place));
      } else {
        if constexpr (KIND == Kind::vertex && LATE) ctx.count_queued(vertex_t(item));
        const Row list = list_at(item);
        write(unpack(claim<KIND>(out.tail, 1, u64(list.length))), item, list.begin);
      }
    }
  }

  // The whole block: write out what is staged. Ends without a barrier.
  GR_DEVICE void flush() {
    if constexpr (KIND != Kind::none) {
      block_sync();
      const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
#if GR_CUDA
      for (int base = 0; base < staged; base += BLOCK) {
        const int i = base + thread_id();
        bool mine = i < staged;
        item_t item = 0;
        Row list = {0, 0};
        if (mine) {
          item = ctx.shared.stage[i];
          const Row row = list_at(item);
          if constexpr (LATE) mine = still_stands(vertex_t(item), i);  // asked beside its row
          if (mine) list = row;
        }
        if (mine) {
          if (list.length > 0) next.prefetch_list(list.begin);  // the next step begins with it [D-advance-1]
          if (sizeof(edge_t) == 4 && list.length > LONG_EDGES) add_long(list.length);
        }
        const Size at = LATE ? room_for_some(mine, list.length)
                             : room_for(staged - base < BLOCK ? staged - base : BLOCK, list.length);
        if (mine) write(at, item, list.begin);
      }
#else
      u64 total = 0;
      int kept = 0;
      for (int i = 0; i < staged; ++i) {
        const item_t item = ctx.shared.stage[i];
        if constexpr (LATE)
          if (!still_stands(vertex_t(item), i)) continue;
        ctx.shared.stage[kept++] = item;
        total += u64(list_at(item).length);
      }
      if (kept) {
        Size at = unpack(claim<KIND>(out.tail, u64(kept), total));
        for (int i = 0; i < kept; ++i, ++at.count) {
          const Row list = list_at(ctx.shared.stage[i]);
          write(at, ctx.shared.stage[i], list.begin);
          at.edges += u64(list.length);
        }
      }
#endif
      block_sync();
      if (thread_id() == 0) ctx.shared.staged = ctx.shared.long_edges = 0;
    }
  }

 private:
  // The scan over the block could wrap. What is not long is EDGE_LIMIT in all at most, and with as much
  // of long lists fits an unsigned sum; more than that of long lists alone is noted here.
  static constexpr edge_t LONG_EDGES = edge_t(EDGE_LIMIT / BLOCK);
  GR_DEVICE void add_long(edge_t length) {
    if (atomic_add(&ctx.shared.long_edges, u64(length)) + u64(length) > EDGE_LIMIT)
      halt(out.tail, OVERFLOW);
  }
  GR_DEVICE static u64 as_unsigned(edge_t sum) {
    return sizeof(edge_t) == 4 ? u64(u32(sum)) : u64(sum);
  }

#if GR_CUDA
  // The whole block: where this thread's item and its list go, of those of the first `count` threads.
  GR_DEVICE Size room_for(int count, edge_t length) {
    edge_t before = 0, total = 0;
    if constexpr (KIND == Kind::plain) block_sync();
    else before = block_scan(length, total, ctx.shared.scan, turn++);
    if (thread_id() == 0) ctx.shared.broadcast = claim<KIND>(out.tail, u64(count), as_unsigned(total));
    block_sync();
    Size at = unpack(ctx.shared.broadcast);
    at.count += u32(thread_id());
    at.edges += u64(before);
    return at;
  }

  // The same, of those of the threads that have one.
  GR_DEVICE Size room_for_some(bool mine, edge_t length) {
    u64 total;
    const u64 before = block_scan(mine ? pack_some(1, u64(length)) : u64(0), total, ctx.shared.wide_scan,
                                  turn++);
    if (thread_id() == 0)
      ctx.shared.broadcast = claim<KIND>(out.tail, unpack_some(total).count, unpack_some(total).edges);
    block_sync();
    Size at = unpack(ctx.shared.broadcast);
    at.count += unpack_some(before).count;
    at.edges += unpack_some(before).edges;
    return at;
  }
#endif

  // Culling by the grid: a staged vertex goes by its place among all blocks' stages.
  static constexpr bool LATE = CULLS_BY_GRID && VERTICES;
  GR_DEVICE u32 name_of(int place) const { return u32(ctx.block) * STAGE + u32(place); }
  GR_DEVICE bool still_stands(vertex_t v, int place) const {
    const bool last = ctx.last_found.was(v, name_of(place));
    if (!last) ctx.count(PAST_GRID, -1);
    else if (KIND == Kind::vertex) ctx.count_queued(v);
    return last;
  }

  GR_DEVICE Row list_at(item_t item) const {
    if constexpr (KIND == Kind::plain) return {0, 0};
    else return next.row(list_of<KIND>(item, next));
  }

  GR_DEVICE void write(const Size& at, item_t item, edge_t begin) const {
    put<KIND>(out.queue, at, item, begin);
  }
};

#if GR_CUDA
// How a warp fills a queue of vertices by itself, without the block: for operators whose warps go their
// own ways.
struct WarpCollector {
  Context& ctx;
  const NextFrontier out;
  const Csr& next;

  // The whole warp: those of its lanes' vertices that are to be kept.
  template <int EACH>
  GR_DEVICE void push(const bool (&keep)[EACH], const vertex_t (&v)[EACH]) const {
    Row list[EACH];
    u64 mine = 0;
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      if (!keep[k]) continue;
      ctx.count_queued(v[k]);
      list[k] = next.row(v[k]);
      mine += pack_some(1, u64(list[k].length));
    }
    if (!warp_ballot(mine != 0)) return;
    const u64 behind = warp_inclusive_scan(mine), total = warp_broadcast(behind, WARP - 1);
    u64 tail = 0;
    if (lane_id() == 0) tail = claim<Kind::vertex>(out.tail, unpack_some(total).count, unpack_some(total).edges);
    Size at = unpack(warp_broadcast(tail, 0));
    at.count += unpack_some(behind - mine).count;
    at.edges += unpack_some(behind - mine).edges;
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      if (!keep[k]) continue;
      if (list[k].length > 0) next.prefetch_list(list[k].begin);
      put<Kind::vertex>(out.queue, at, item_t(v[k]), list[k].begin);
      ++at.count;
      at.edges += u64(list[k].length);
    }
  }
};
#endif

// A frontier of one item. A step of its own.
template <Kind KIND>
GR_DEVICE void seed(Context& ctx, const LoopState& s, item_t item) {
  if (ctx.block != 0) return;
  Collector<KIND> collect(ctx, ctx.out(s), ctx.graph.csr);
  if (ctx.rank() == 0) collect.push(item);
  collect.flush();
}

}  // namespace gunrock
