// Tiles: as many items of a frontier as a block has threads. Their lists are shared out by length: pieces of
// long lists to warps, the rest edge by edge (after Merrill's gathering, section 4.1). The modes TM, SERIAL, WARP, SCAN
// and TWC of an advance (advance_mode.cuh). Called by advance.cuh, edge_queue.cuh and primitives.
#pragma once
#include "advance_mode.cuh"
#include "expand.cuh"

namespace gunrock {

// A TileSchedule says how to share out the lists of a tile, one per thread of a block: lists of BY_BLOCK edges
// and more go to the block, lists of BY_WARP edges and more to a warp, and the rest edge by edge. (An advance
// deals out pieces of both: gather_by_pieces.)
constexpr edge_t NEVER = 0x7fffffff;
template <edge_t BLOCK_FROM, edge_t WARP_FROM, bool BY_THREAD = false>
struct TileSchedule {
  static constexpr edge_t BY_BLOCK = BLOCK_FROM, BY_WARP = WARP_FROM;
  static constexpr bool SERIAL = BY_THREAD;  // each thread walks its own list, whole
  // Needs the window, which a single block uses for its queues.
  static constexpr bool SCANS = WARP_FROM > 1 && !BY_THREAD;
  // True if lists of every length are shared out evenly, so blocks may get parts of lists.
  static constexpr bool EVEN = BLOCK_FROM != NEVER;
};

// The mode to use where work comes in tiles only: equal chunks become SCAN, AUTO and HYBRID become TWC.
GR_DEVICE constexpr Mode tile_mode(Mode mode) {
  if (mode == MODE_LB || mode == MODE_LB_NODES) return MODE_SCAN;
  return mode == MODE_AUTO || mode == MODE_HYBRID ? MODE_TWC : mode;
}
constexpr Mode TILE_MODE = tile_mode(ADVANCE_MODE);

template <Mode MODE>
struct TileScheduleOf { using type = TileSchedule<BLOCK, WARP>; };
template <>
struct TileScheduleOf<MODE_TM> { using type = TileSchedule<NEVER, NEVER, true>; };
template <>
struct TileScheduleOf<MODE_SERIAL> { using type = TileSchedule<NEVER, NEVER, true>; };
template <>
struct TileScheduleOf<MODE_WARP> { using type = TileSchedule<NEVER, 1>; };
template <>
struct TileScheduleOf<MODE_SCAN> { using type = TileSchedule<NEVER, NEVER>; };
using DefaultTileSchedule = TileScheduleOf<TILE_MODE>::type;

// The whole block: all whole pieces of WARP edges of a tile's lists, laid end to end and dealt to the warps in
// turn. No lane is idle, no warp waits for another's list, and many warps share a long list. What remains of
// each thread's list is shorter than a piece.
template <Kind IN, class C, class F>
GR_DEVICE void gather_by_pieces(Context& ctx, const Csr& csr, item_t item, edge_t& row, edge_t& length, F& f,
                                C& collect, int turn) {
  const edge_t mine = length / WARP;  // pieces
  Window& window = ctx.shared.window;
  u64 all;
  const u64 before = block_scan(mine ? pack_some(1, u64(mine)) : u64(0), all, ctx.shared.wide_scan, turn);
  const int lists = int(unpack_some(all).count);
  const edge_t pieces = edge_t(unpack_some(all).edges);
  if (lists == 0) return;
  if (mine) {
    const u32 place = unpack_some(before).count;
    window.scan[place] = edge_t(unpack_some(before).edges);
    window.rows[place] = row;
    window.items[place] = item;
    row += mine * WARP;
    length -= mine * WARP;
  }
  block_sync();
  // pieces per round; rounds for which the lanes know the pieces
  constexpr int ROUND = WARPS * BATCH, ROUNDS = WARP / BATCH;
  static_assert(BATCH <= WARP || WARP == 1, "each lane looks for at most one piece of its warp's next rounds");
  for (edge_t base = 0; base < pieces;) {
    const edge_t first = base + warp_id() * BATCH;
    const edge_t piece = first + lane_id() / BATCH * ROUND + lane_id() % BATCH;
    item_t from = 0;
    edge_t begin = 0;
    if (piece < pieces) {
      int cursor = 0;
      const int i = owner_of(window.scan, lists, piece, cursor);
      from = window.items[i];
      begin = window.rows[i] + (piece - window.scan[i]) * WARP;
    }
    for (int round = 0; round < ROUNDS && base < pieces; ++round, base += ROUND) {
      collect.make_room(PASS);
      if (first + round * ROUND >= pieces) continue;  // the warp has nothing to do
      Edges edges;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const item_t list = warp_broadcast(from, round * BATCH + k);
        const edge_t row = warp_broadcast(begin, round * BATCH + k);
        edges.live[k] = first + round * ROUND + k < pieces;
        if (edges.live[k]) {
          edges.take(csr, k, list, row + lane_id());
          ctx.look_at_edges(1);
        }
      }
      process_edges<IN>(csr, edges, f, collect);
    }
  }
}

// The whole block: the lists of BY_WARP edges and more, each by the warp of its thread. A warp takes a few
// pieces of lists per round, so that a round's finds fit the stage.
template <class G, Kind IN, class C, class F>
GR_DEVICE void gather_by_warp(const Csr& csr, item_t item, edge_t row, edge_t& length, F& f, C& collect) {
  u32 left = warp_ballot(length >= G::BY_WARP);
  edge_t done = 0;  // edges of the current list
  while (block_any(left != 0)) {
    collect.make_room(PASS);
    if (left == 0) continue;
    Edges edges;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const int lane = left ? lowest_bit(left) : 0;
      const item_t from = warp_broadcast(item, lane);
      const edge_t begin = warp_broadcast(row, lane), end = warp_broadcast(length, lane);
      const edge_t r = done + lane_id();
      edges.live[k] = left != 0 && r < end;
      if (edges.live[k]) {
        edges.take(csr, k, from, begin + r);
        collect.ctx.look_at_edges(1);
      }
      done += WARP;
      if (done >= end) {
        left &= left - 1;
        done = 0;
      }
    }
    process_edges<IN>(csr, edges, f, collect);
  }
  if (length >= G::BY_WARP) length = 0;
}

// The whole block: a tile in which this thread has one item (or an empty list). If not `grouped`, all lists are
// walked edge by edge. `more`: the block has other tiles.
template <class G, Kind IN, class C, class F>
GR_DEVICE void gather_tile(Context& ctx, const Csr& csr, item_t item, edge_t row, edge_t length, F& f,
                           C& collect, int& turn, bool grouped = true, bool more = true) {
  if constexpr (G::SERIAL) stride_over<IN>(csr, item, row, length, 0, 1, f, collect);
  if constexpr (G::BY_BLOCK != NEVER) {
    if (grouped) gather_by_pieces<IN>(ctx, csr, item, row, length, f, collect, turn);
  } else if constexpr (G::BY_WARP != NEVER) {
    if (grouped) gather_by_warp<G, IN>(csr, item, row, length, f, collect);
  }
  if constexpr (G::SCANS) {
    Window& window = ctx.shared.window;
    edge_t total;
    window.scan[thread_id()] = block_scan(length, total, ctx.shared.scan, turn++);
    window.rows[thread_id()] = row;
    window.items[thread_id()] = item;
    block_sync();
    expand<IN>(csr, window.scan, window.rows, window.items, BLOCK, 0, edge_t(0), total, f, collect, more);
    block_sync();
  } else {
    collect.drain();
  }
}

// The tiles of a block's share, if all shares have equally many edges: the first and the last list of a share
// may be parts of lists.
template <class G, Kind IN, class C, class F>
GR_DEVICE void advance_by_shares(Context& ctx, const Csr& csr, const Queue& in, Size size, F& f,
                                 C& collect) {
  const i64 count = size.count;
  const TokenShare share = equal_share(ctx, in, size);
  const bool grouped = share.end - share.begin > PASS;  // else one round takes all of it
  int turn = 0;
  bool more = share.begin < share.end;
  for (i64 base = share.item; more; base += BLOCK) {
    const i64 i = base + thread_id();
    item_t item = 0;
    edge_t row = 0, length = 0;
    bool mine = i < count;
    if (mine) {
      const edge_t before = in.scan[i];
      const i64 first = i64(before) + i + 1;  // token of its first edge
      const edge_t whole = (i + 1 < count ? in.scan[i + 1] : edge_t(size.edges)) - before;
      const edge_t skipped = first < share.begin ? edge_t(share.begin - first) : edge_t(0);
      const edge_t stop = first + whole > share.end ? edge_t(share.end - first) : whole;
      mine = first < share.end;
      if (mine && skipped < stop) {
        item = in.items[i];
        row = in.rows[i] + skipped;
        length = stop - skipped;
      }
    }
    gather_tile<G, IN>(ctx, csr, item, row, length, f, collect, turn, grouped, grouped);
    more = block_count(mine) == BLOCK;
  }
}

template <class G, Kind IN, class C, class F>
GR_DEVICE void advance_by_tiles(Context& ctx, const Csr& csr, const Queue& in, Size size, F& f,
                                C& collect) {
  if (WARP > 1 && G::EVEN && !ctx.single_block) {
    advance_by_shares<G, IN>(ctx, csr, in, size, f, collect);
    return;
  }
  if (WARP > 1 && !(ctx.single_block && G::SCANS)) {
    int turn = 0;
    const bool more = i64(size.count) > ctx.threads();
    for (i64 base = i64(ctx.block) * BLOCK; base < size.count; base += ctx.threads()) {
      const i64 i = base + thread_id();
      item_t item = 0;
      edge_t row = 0, length = 0;
      if (i < size.count) {
        item = in.items[i];
        row = in.rows[i];
        length = list_length(in, size, i);
      }
      gather_tile<G, IN>(ctx, csr, item, row, length, f, collect, turn, true, more);
    }
    return;
  }
  if constexpr (WARP > 1 && G::SCANS) {  // a single block, whose queue is in shared memory and already scanned
    if (size.count > 0)
      expand<IN>(csr, in.scan, in.rows, in.items, int(size.count), 0, edge_t(0), edge_t(size.edges), f,
                 collect);
    return;
  }
  // A core has only one thread: BY_BLOCK is all there is.
  for (i64 i = ctx.block; i < i64(size.count); i += ctx.blocks) {
    stride_over<IN>(csr, in.items[i], in.rows[i], list_length(in, size, i), thread_id(), BLOCK, f,
                    collect);
    collect.drain();
  }
}

// A step's work: the lists of `who`, tile by tile, shared out as the schedule G says. f is asked about every
// edge, and nothing is collected. Not for a single block.
template <class G, class Who, class F>
GR_DEVICE void advance_over(Context& ctx, const Who& who, const Csr& csr, F&& f) {
  const NextFrontier nowhere = {};
  Collector<Kind::none> collect(ctx, nowhere, csr);
  int turn = 0;
  for (i64 base = i64(ctx.block) * BLOCK; base < who.count; base += ctx.threads()) {
    const i64 i = base + thread_id();
    item_t item = 0;
    Row list = {0, 0};
    if (i < who.count && who.holds(who.at(i))) {
      item = who.at(i);
      list = csr.row(item);
    }
    if (WARP == 1) stride_over<V>(csr, item, list.begin, list.length, 0, 1, f, collect);
    else gather_tile<G, V>(ctx, csr, item, list.begin, list.length, f, collect, turn);
  }
}

}  // namespace gunrock
