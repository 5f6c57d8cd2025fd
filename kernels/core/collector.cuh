// Collectors: how a block fills a queue with the items that an operator keeps. Called by all operators that have
// an out-frontier.
#pragma once
#include "context.cuh"

namespace gunrock {

// The stage: threads push items into the block's stage, and the whole block writes the stage out when it is
// full. `next` is the graph whose lists the new frontier will expand. With KIND::none no code is left of this.
//
// Self is the collector: it has KIND, push, and flush, which the whole block calls.
template <class Self, Kind KIND_>
struct Staging {
  static constexpr Kind KIND = KIND_;
  static constexpr bool AT_ONCE = false;  // true if items can bypass the stage (put_found)
  static constexpr bool CULLS = false, TAGS = false;  // see KeepsAll
  Context& ctx;
  int bound = 0;  // the most items that the stage may hold at this point
  int turn = 0;

  GR_DEVICE explicit Staging(Context& context) : ctx(context) {}

  // The whole block: makes room in the stage for `items` more.
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

  // The whole block: writes out the stage if it may hold items.
  GR_DEVICE void finish() {
    if (WARP == 1 || bound > 0) static_cast<Self*>(this)->flush();
  }

  // The whole block: writes out the stage if it is more than half full.
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

// Writes an item to its place. Beyond the capacity nothing is written: the driver sees that from the tail and
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

// The items that a thread has found among BATCH edges, with their lists.
struct FoundItems {
  item_t items[BATCH];
  bool kept[BATCH] = {};
  Csr::Offsets lists[BATCH] = {};
  u64 size = 0;  // of the items that are kept

  // Looks up the k-th item's list, without waiting for it, if the item may be kept.
  GR_DEVICE void look_up(int k, bool may, const Csr& csr, vertex_t v) {
    if (may) lists[k] = csr.offsets(v);
  }
  GR_DEVICE void keep(int k, item_t item) {
    items[k] = item;
    kept[k] = true;
    size += pack_some(1, u64(lists[k].end - lists[k].begin));
  }
};

// The whole block: writes what its threads have found straight to the queue. Begins with a barrier; `turn` is
// block_scan's.
template <Kind KIND>
GR_DEVICE void put_found(BlockShared& shared, const NextFrontier& out, const Csr& next, int turn,
                         const FoundItems& found) {
  u64 total;
  const u64 before = block_scan(found.size, total, shared.wide_scan, turn);
  if (total == 0) return;
  if (thread_id() == 0)
    shared.broadcast = claim<KIND>(out.tail, unpack_some(total).count, unpack_some(total).edges);
  block_sync();
  Size at = unpack(shared.broadcast);
  at.count += unpack_some(before).count;
  at.edges += unpack_some(before).edges;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    if (!found.kept[k]) continue;
    const auto& [begin, end] = found.lists[k];
    if (begin < end) next.prefetch_list(begin);  // the next step begins with it [D-advance-1]
    put<KIND>(out.queue, at, found.items[k], begin);
    ++at.count;
    at.edges += u64(end - begin);
  }
}

// A culler decides, when the stage is written out, which of its items are dropped. This one keeps all;
// operators/last_found.cuh has others, for searches that find vertices more than once.
struct KeepsAll {
  static constexpr bool CULLS = false;  // true if there are functions note, look and own, as there
  static constexpr bool TAGS = false;   // true if a functor's own words tell duplicates apart
};

// Fills one queue. VERTICES: true if its items stand for vertices, as plain items may.
template <Kind KIND, bool VERTICES = KIND == Kind::vertex, class Culler = KeepsAll>
struct Collector : Staging<Collector<KIND, VERTICES, Culler>, KIND> {
  using Found = FoundItems;
  static constexpr bool AT_ONCE = KIND == Kind::vertex || KIND == Kind::edge;
  static constexpr bool CULLS = Culler::CULLS, TAGS = Culler::TAGS;
  static_assert(VERTICES || !CULLS, "only vertices are culled");
  using Base = Staging<Collector<KIND, VERTICES, Culler>, KIND>;
  using Base::ctx;
  using Base::turn;
  const NextFrontier out;
  const Csr& next;
  const Culler culler;

  GR_DEVICE Collector(Context& context, const NextFrontier& frontier, const Csr& lists, Culler drops = {})
      : Base(context), out(frontier), next(lists), culler(drops) {}

  // Any thread, at any time. If the stage is full, the item goes straight to the queue. (The second argument is
  // visit's answer, which only a priority queue's collector needs.)
  GR_DEVICE void push(item_t item, bool = true) {
    if constexpr (VERTICES && !CULLS) ctx.count_queued(vertex_t(item));
    if constexpr (KIND != Kind::none) {
      const int place = reserve(&ctx.shared.staged);
      if (place < STAGE) {
        ctx.shared.stage[place] = item;
        if constexpr (CULLS) culler.note(ctx, vertex_t(item), place);
      } else {
        if constexpr (CULLS) {
          culler.own(vertex_t(item));
          ctx.count_queued(vertex_t(item));
        }
        const Row list = list_at(item);
        write(unpack(claim<KIND>(out.tail, 1, u64(list.length))), item, list.begin);
      }
    }
  }

  // Any thread: keeps the k-th of its finds. The find bypasses the stage, so nobody tests it again.
  GR_DEVICE void keep(Found& found, int k, item_t item) {
    if constexpr (VERTICES) ctx.count_queued(vertex_t(item));
    found.keep(k, item);
  }

  // The whole block: writes what its threads have found straight to the queue. Begins with a barrier.
  GR_DEVICE void put_found(const Found& found) {
    gunrock::put_found<KIND>(ctx.shared, out, next, turn++, found);
  }

  // The whole block: writes out the stage. Ends without a barrier.
  GR_DEVICE void flush() {
    if constexpr (KIND != Kind::none) {
#if GR_CUDA
      put_stage();
#else
      const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
      u64 total = 0;
      int kept = 0;
      for (int i = 0; i < staged; ++i) {
        const item_t item = ctx.shared.stage[i];
        if constexpr (CULLS)
          if (!is_kept(item, look(true, item, i))) continue;
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
      ctx.shared.staged = 0;
#endif
    }
  }

 private:
#if GR_CUDA
  // The whole block: writes out the stage. Ends without a barrier.
  GR_DEVICE void put_stage() {
    block_sync();
    const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
    if constexpr (KIND == Kind::plain && !CULLS) put_plain(staged);
    else put_listed(staged);
    block_sync();
    if (thread_id() == 0) ctx.shared.staged = 0;
  }

  // Items without lists need no scan for their places [D-pass-1].
  GR_DEVICE void put_plain(int staged) {
    if (staged == 0) return;
    if (thread_id() == 0) ctx.shared.broadcast = claim<KIND>(out.tail, u64(staged), 0);
    block_sync();
    Size at = unpack(ctx.shared.broadcast);
    at.count += u32(thread_id());
    for (int i = thread_id(); i < staged; i += BLOCK, at.count += BLOCK) write(at, ctx.shared.stage[i], 0);
  }

  GR_DEVICE void put_listed(int staged) {
    for (int base = 0; base < staged; base += PASS) {
      Found found;
      decltype(look(true, item_t(), 0)) last[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const int i = base + found_at(k);  // in the stage's order
        found.items[k] = i < staged ? ctx.shared.stage[i] : item_t(0);
        if constexpr (KIND != Kind::plain)
          found.look_up(k, i < staged, next, list_of<KIND>(found.items[k], next));
        if constexpr (CULLS) last[k] = look(i < staged, found.items[k], i);  // loaded along with its list
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (base + found_at(k) >= staged) continue;
        if constexpr (CULLS)
          if (!is_kept(found.items[k], last[k])) continue;
        found.keep(k, found.items[k]);
      }
      gunrock::put_found<KIND>(ctx.shared, out, next, turn++, found);
    }
  }
#endif

  // The place of a thread's k-th find among all finds of a pass.
  GR_DEVICE static int found_at(int k) { return thread_id() * BATCH + k; }

  // look: asks the culler, without waiting for the answer, if the item at this place of the stage is to be kept.
  // is_kept: acts on the answer.
  GR_DEVICE auto look(bool asked, item_t item, int place) const {
    if constexpr (CULLS) return culler.look(ctx, asked, vertex_t(item), place);
    else return asked;
  }
  GR_DEVICE bool is_kept(item_t item, bool last) const {
    if (!last) {
      ctx.count(PAST_GRID, -1);
      return false;
    }
    if constexpr (CULLS) culler.own(vertex_t(item));
    if constexpr (VERTICES) ctx.count_queued(vertex_t(item));
    return true;
  }

  GR_DEVICE Row list_at(item_t item) const {
    if constexpr (KIND == Kind::plain) return {0, 0};
    else return next.row(list_of<KIND>(item, next));
  }

  GR_DEVICE void write(const Size& at, item_t item, edge_t begin) const {
    put<KIND>(out.queue, at, item, begin);
  }
};

// The culler for what a functor finds.
template <class F, class = void>
struct CullerOf {
  GR_DEVICE static KeepsAll of(F&) { return {}; }
};

// A collector for what f finds. VERTICES: as in Collector.
template <Kind OUT, bool VERTICES = OUT == Kind::vertex, class F>
GR_DEVICE auto collector_for(Context& ctx, const NextFrontier& out, const Csr& lists, F& f) {
  auto culler = CullerOf<F>::of(f);
  return Collector<OUT, VERTICES, decltype(culler)>(ctx, out, lists, culler);
}

// A step of its own: a frontier of one item.
template <Kind KIND>
GR_DEVICE void seed(Context& ctx, const LoopState& s, item_t item) {
  if (ctx.block != 0) return;
  Collector<KIND> collect(ctx, ctx.out(s), ctx.graph.csr);
  if (ctx.rank() == 0) collect.push(item);
  collect.flush();
}

}  // namespace gunrock
