// Queues of edges: the lists of vertices copied out, end to end, for a later step to look through (Merrill,
// sections 5.2 to 5.4). Called by BFS's expand-contract, contract-expand and two-phase strategies.
//
//   expand_vertices  vertices -> edges: copies their lists
//   contract_edges   edges -> vertices: asks an edge functor, as an advance would
//   contract_expand  edges -> edges: copies the lists of the ends that the functor keeps
//
// Neither queue has a scan (Kind::plain): a block that expands a tile looks up its lists, scans their lengths,
// and claims room for all of them by one atomic. The number of items that an expansion emits is not known
// beforehand, so no single block may take such a step (Enactor::fits_block).
//
// An item is the edge's end; with predecessors it also carries the vertex that the edge comes from
// (CARRIES_SOURCE). The functor does not get the edge's number.
#pragma once
#include "last_found.cuh"
#include "tiles.cuh"

namespace gunrock {

constexpr edge_t NO_EDGE = -1;

// One thread: claims room for `count` items of a plain queue; returns where they begin.
GR_DEVICE u64 claim_items(Tail* tail, u64 count) {
  if (count <= MOST_ITEMS) {
    const u64 before = unpack(atomic_add(&tail->size, pack(count, 0))).count;
    if (before + count <= MOST_ITEMS) return before;
  }
  halt(tail, OVERFLOW);
  return ~u64(0);
}

// Copies one list by `width` threads, of which this is the `place`-th.
GR_DEVICE void copy_list(const Csr& csr, vertex_t v, edge_t row, edge_t length, item_t* to, int place,
                         int width) {
  walk_all(csr, row + place, row + length, edge_t(width),
           [&](vertex_t d, edge_t e) { to[e - row] = edge_item(v, d); });
}

// The whole block: copies the lists of a tile, one per thread (maybe empty), to the places that the scan of
// their lengths gives.
template <class G>
GR_DEVICE void copy_tile(Context& ctx, const Csr& csr, vertex_t v, Row list, item_t* to, edge_t before,
                         int turn) {
  if constexpr (WARP == 1 || G::SERIAL) {
    copy_list(csr, v, list.begin, list.length, to + before, 0, 1);
    return;
  }
  Window& window = ctx.shared.window;
  edge_t* const places = window.rows + BLOCK;  // beside the rows of a tile
  static_assert(WARP == 1 || PASS >= 2 * BLOCK, "the window has no room for places");
  edge_t length = list.length;
  if constexpr (G::BY_BLOCK != NEVER) {
    while (block_any(length >= G::BY_BLOCK)) {
      if (length >= G::BY_BLOCK) atomic_exchange(&ctx.shared.winner, thread_id());
      block_sync();
      if (ctx.shared.winner == thread_id()) {
        window.items[0] = v;
        window.rows[0] = list.begin;
        window.scan[0] = length;
        places[0] = before;
        length = 0;
      }
      block_sync();
      copy_list(csr, vertex_t(window.items[0]), window.rows[0], window.scan[0], to + places[0],
                thread_id(), BLOCK);
    }
  }
  if constexpr (G::BY_WARP != NEVER) {
    for (u32 left = warp_ballot(length >= G::BY_WARP); left; left &= left - 1) {
      const int lane = lowest_bit(left);
      copy_list(csr, warp_broadcast(v, lane), warp_broadcast(list.begin, lane),
                warp_broadcast(length, lane), to + warp_broadcast(before, lane), lane_id(), WARP);
    }
    if (length >= G::BY_WARP) length = 0;
  }
  if constexpr (G::SCANS) {
    edge_t loose;
    window.scan[thread_id()] = block_scan(length, loose, ctx.shared.scan, turn);
    window.items[thread_id()] = v;
    window.rows[thread_id()] = list.begin;
    places[thread_id()] = before;
    block_sync();
    int cursor = 0;
    for (edge_t r = thread_id(); r < loose; r += BLOCK) {
      const int i = owner_of(window.scan, BLOCK, r, cursor);
      const edge_t j = r - window.scan[i];
      to[places[i] + j] = edge_item(vertex_t(window.items[i]), csr.neighbor(window.rows[i] + j));
    }
    block_sync();
  }
}

// The whole block: claims room for the lists of a tile and copies them there. What does not fit is not written;
// the driver sees that from the tail.
GR_DEVICE void expand_tile(Context& ctx, const Csr& csr, const NextFrontier& out, vertex_t v, Row list,
                           int turn) {
  u64 total;
  const u64 before = block_scan(u64(list.length), total, ctx.shared.wide_scan, turn);
  if (total == 0) return;
  if (thread_id() == 0) ctx.shared.broadcast = claim_items(out.tail, total);
  block_sync();
  const u64 at = ctx.shared.broadcast;
  const bool fits = at < out.queue.capacity && total <= out.queue.capacity - at;
  if (fits)
    copy_tile<DefaultTileSchedule>(ctx, csr, v, list, out.queue.items + at, edge_t(before), turn);
  ctx.count_edges(list.length);
}

// Calls tile(item, true if there is an item) for each of the frontier's items, the whole block together.
template <class Tile>
GR_DEVICE void for_each_tile(Context& ctx, const Frontier& in, Tile tile) {
  for (i64 base = i64(ctx.block) * BLOCK; base < i64(in.size.count); base += ctx.threads()) {
    const i64 i = base + thread_id();
    const bool mine = i < i64(in.size.count);
    tile(mine ? in.queue.items[i] : item_t(0), mine);
  }
}

// A step's work: copies the lists of the step's frontier into a queue of edges.
GR_DEVICE void expand_vertices(Context& ctx, const LoopState& s) {
  ctx.show_mode(TILE_MODE);
  const Csr& csr = ctx.graph.csr;
  int turn = 0;
  for_each_tile(ctx, ctx.in(s), [&](item_t item, bool mine) {
    const vertex_t v = end_of(item);
    expand_tile(ctx, csr, ctx.out(s), v, mine ? csr.row(v) : Row{0, 0}, turn++);
  });
}

// A step's work: collects, from the step's frontier of edges, the ends that f keeps; asks about BATCH edges at
// once.
template <Kind OUT, class F>
GR_DEVICE void contract_edges(Context& ctx, const LoopState& s, F&& f) {
  const Frontier in = ctx.in(s);
  auto collect = collector_for<OUT, true>(ctx, ctx.out(s), ctx.graph.csr, f);
  const i64 stride = i64(ctx.blocks) * PASS;
  for (i64 base = i64(ctx.block) * PASS; base < i64(in.size.count); base += stride) {
    collect.make_room(PASS);
    item_t item[BATCH];
    bool live[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const i64 i = base + k * BLOCK + thread_id();
      live[k] = i < i64(in.size.count);
      item[k] = live[k] ? in.queue.items[i] : item_t(0);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      live[k] = live[k] && f.peek(source_of(item[k]), end_of(item[k]), NO_EDGE);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      live[k] = live[k] && f.visit(source_of(item[k]), end_of(item[k]), NO_EDGE);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!live[k]) continue;
      apply_kept<decltype(collect)>(f, source_of(item[k]), end_of(item[k]), NO_EDGE);
      collect.push(item_t(end_of(item[k])));
    }
  }
  collect.flush();
}

#if GR_CULL_GRID
// The whole block: true if no other thread has since found the vertex that this thread found. (A vertex that
// waits in no block's stage is tagged with its finder's rank.)
GR_DEVICE bool is_last_writer(Context& ctx, vertex_t v, bool found) {
  const LastFound table{ctx.last_found};
  if (found) table.note(v, u32(ctx.rank()));
  block_sync();
  if (!table.was(found, v, u32(ctx.rank()))) {
    ctx.count(PAST_GRID, -1);
    return false;
  }
  return found;
}
#endif

// A step's work: contract_edges and expand_vertices in one, which copies the lists of the ends that f keeps.
template <class F>
GR_DEVICE void contract_expand(Context& ctx, const LoopState& s, F&& f) {
  ctx.show_mode(TILE_MODE);
  const Csr& csr = ctx.graph.csr;
  int turn = 0;
  for_each_tile(ctx, ctx.in(s), [&](item_t item, bool mine) {
    const vertex_t from = source_of(item), v = end_of(item);
    bool kept = mine && f.peek(from, v, NO_EDGE) && f.visit(from, v, NO_EDGE);
    if (kept) f.apply(from, v, NO_EDGE);
#if GR_CULL_GRID
    kept = is_last_writer(ctx, v, kept);
#endif
    if (kept) ctx.count_queued(v);  // as if it were queued between the two
    expand_tile(ctx, csr, ctx.out(s), v, kept ? csr.row(v) : Row{0, 0}, turn++);
  });
}

}  // namespace gunrock
