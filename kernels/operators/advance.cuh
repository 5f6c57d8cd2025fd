// Advance: visit the neighbour lists of a frontier, keep the edges that a functor accepts, and
// gather what they lead to (or the edges themselves) into the next frontier. Gunrock, section 4.1.
//
// The functor's side of it is in functor.cuh.
//
// Modes, by --advance-mode:
//   TM        one thread per item: serial, cheapest where lists are short and equal. Merrill's
//             serial gathering; SERIAL is the same by that name
//   WARP      one warp per item (Merrill's coarse-grained gathering)
//   SCAN      the lists of a tile of BLOCK items, end to end, edge by edge (his fine-grained gathering)
//   TWC       of a tile's lists whole pieces of WARP edges by warps, a long list by many, the rest edge by
//             edge (his scan+warp+CTA)
//   LB        equal chunks of edges, found by sorted search on the scanned lengths (Davidson)
//   LB_NODES  equal chunks of items, then edge by edge within the block: no search
//   AUTO      LB_NODES where no block can get much more than its share, else LB
#pragma once
#include "functor.cuh"
#include "search.cuh"

namespace gunrock {

enum Mode {
  MODE_TM, MODE_TWC, MODE_LB, MODE_LB_NODES, MODE_AUTO, MODE_SERIAL, MODE_WARP, MODE_SCAN
};
constexpr Mode ADVANCE_MODE = Mode(GR_ADVANCE_MODE);
// Whether blocks may take parts of one list.
constexpr bool SHARES_LISTS =
    ADVANCE_MODE == MODE_LB || ADVANCE_MODE == MODE_AUTO || ADVANCE_MODE == MODE_TWC;

// Whether a frontier has so few edges that its latency counts, not its traffic: then an exact test is
// better asked at once than after a look.
GR_DEVICE bool is_latency_bound(const Context& ctx, u64 edges) {
  return WARP > 1 && edges < 128 + 64 * u64(ctx.blocks);
}

// Edges that a thread works on at once.
struct Edges {
  vertex_t s[BATCH], d[BATCH] = {};
  edge_t e[BATCH];
  item_t incoming[BATCH];
  bool live[BATCH];
  // Edge `edge` of `item`'s list as the k-th.
  GR_DEVICE void take(const Csr& csr, int k, item_t item, edge_t edge) {
    e[k] = edge;
    incoming[k] = item;
    s[k] = vertex_t(item);
    d[k] = csr.neighbor(edge);
  }
};

// Ask f about all of them, each question of all before the first answer is waited for: meanwhile(k, whether
// the k-th passed the first test), then kept(k, visit's answer) of each that is to be kept.
template <Kind IN, class F, class Meanwhile, class Kept>
GR_DEVICE void ask_edges(const Csr& csr, Edges& edges, F& f, Meanwhile meanwhile, Kept kept) {
  auto& [s, d, e, incoming, live] = edges;
  typename F::Carry carry[BATCH];
  if constexpr (IN == Kind::edge) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (live[k]) s[k] = list_of<IN>(incoming[k], csr);
  }
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k)
    if (live[k]) fetch_edge(f, s[k], d[k], e[k], incoming[k], carry[k]);
  PeekAnswer<F> seen[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) seen[k] = peek_edge(f, live[k], s[k], d[k], e[k], carry[k]);
  // All visits before the first answer is used [D-advance-1]: their atomics overlap too.
  VisitAnswer<F> keep[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) keep[k] = visit_edge(f, seen[k], s[k], d[k], e[k], carry[k]);
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) meanwhile(k, bool(seen[k]));
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k)
    if (keep[k]) kept(k, keep[k]);
}
template <Kind IN, class C, class F>
GR_DEVICE void process_edges(const Csr& csr, Edges& edges, F& f, C& collect) {
  ask_edges<IN>(csr, edges, f, [](int, bool) {}, [&](int k, VisitAnswer<F> keep) {
    keep_edge(f, collect, edges.s[k], edges.d[k], edges.e[k], keep);
  });
}

// A pass from edge `base` on: those of them that this thread takes, before `last`. The arrays describe at
// least the items that own the edges.
GR_DEVICE Edges take_edges(Context& ctx, const Csr& csr, const edge_t* scan, const edge_t* rows,
                           const item_t* items, int count, edge_t base, edge_t last) {
  int owner[BATCH];
  owners_of(scan, count, base + thread_id(), edge_t(BLOCK), owner);
  Edges edges;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const edge_t r = base + k * BLOCK + thread_id();
    edges.live[k] = r < last;
    if (edges.live[k]) {
      const int i = owner[k];
      edges.take(csr, k, items[i], rows[i] + (r - scan[i]));
      ctx.count_edges(1);
    }
  }
  return edges;
}

// The whole block: edges [first, last) of the frontier, a pass at most. What is kept goes straight to the
// queue, and where the lists of what is found lie is asked for while the atomics are under way [D-pass-1].
template <Kind IN, class C, class F>
GR_DEVICE void expand_at_once(const Csr& csr, const edge_t* scan, const edge_t* rows, const item_t* items,
                              int count, edge_t first, edge_t last, F& f, C& collect) {
  typename C::Found found;
  if (first + warp_id() * WARP < last) {  // else the warp has nothing to do
    Edges edges = take_edges(collect.ctx, csr, scan, rows, items, count, first, last);
    ask_edges<IN>(
        csr, edges, f, [&](int k, bool seen) { found.look_up(k, seen, collect.next, edges.d[k]); },
        [&](int k, bool) {
          f.apply(edges.s[k], edges.d[k], edges.e[k]);
          collect.keep(found, k, C::KIND == Kind::edge ? item_t(edges.e[k]) : item_t(edges.d[k]));
        });
  }
  collect.put_found(found);
}

// The whole block: edges [first, last) of the frontier, one thread per edge, BATCH at once so that
// independent loads overlap. `more`: the block has more to expand in this step; then what is found waits in
// the stage, else every part would wait for its place in the queue.
template <Kind IN, class C, class F>
GR_DEVICE void expand(const Csr& csr, const edge_t* scan, const edge_t* rows, const item_t* items,
                      int count, int cursor, edge_t first, edge_t last, F& f, C& collect,
                      bool more = false) {
  if constexpr (WARP == 1) {
    // A core has no lanes to keep busy: it walks the lists one after another.
    for (edge_t r = first; r < last;) {
      const int i = owner_of(scan, count, r, cursor);
      const edge_t stop = i + 1 < count && scan[i + 1] < last ? scan[i + 1] : last;
      const vertex_t source = list_of<IN>(items[i], csr);
      const edge_t shift = rows[i] - scan[i];
      for (; r < stop; ++r)
        process_edge(f, collect, source, csr.column_indices[shift + r], shift + r, items[i]);
      collect.drain();
    }
    return;
  }
  if constexpr (WARP > 1 && C::AT_ONCE) {
    if (!more && last - first <= PASS) {
      expand_at_once<IN>(csr, scan, rows, items, count, first, last, f, collect);
      return;
    }
  }
  for (edge_t base = first; base < last; base += PASS) {
    collect.make_room(PASS);
    if (base + warp_id() * WARP >= last) continue;  // the warp has nothing to do
    Edges edges = take_edges(collect.ctx, csr, scan, rows, items, count, base, last);
    process_edges<IN>(csr, edges, f, collect);
  }
}

// total / parts, rounded up. A 64-bit division costs a hundred instructions: only where it must be.
GR_DEVICE i64 share_of(i64 total, int parts) {
  if (total < (i64(1) << 31)) return i64((u32(total) + u32(parts) - 1) / u32(parts));
  return (total + parts - 1) / parts;
}

// The whole block: brings `share` items from `item` on, fewer than BLOCK, into the window by one load each,
// and where the edges of the last end; how many they are.
GR_DEVICE int fill_few(Window& window, const Queue& in, Size size, i64 item, i64 share) {
  const i64 count = size.count, i = item + thread_id();
  const int here = int(item + share < count ? share : count - item);
  if (thread_id() <= here) {
    const bool inside = i < count;
    window.scan[thread_id()] = inside ? in.scan[i] : edge_t(size.edges);
    if (inside) {
      window.rows[thread_id()] = in.rows[i];
      window.items[thread_id()] = in.items[i];
    }
  }
  block_sync();
  return here;
}

// The whole block: brings the items from `item` on whose tokens are before token `to`, PASS of them at most,
// into the window; how many. A thread asks for BATCH of them at once.
GR_DEVICE int fill_window(Window& window, const Queue& in, i64 count, i64 item, i64 to) {
  edge_t scan[BATCH], rows[BATCH];
  item_t items[BATCH];
  int mine = 0;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const i64 i = item + k * BLOCK + thread_id(), at = i < count ? i : item;
    scan[k] = in.scan[at];
    rows[k] = in.rows[at];
    items[k] = in.items[at];
  }
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const int place = k * BLOCK + thread_id();
    const i64 i = item + place;
    if (i < count && i64(scan[k]) + i < to) {
      window.scan[place] = scan[k];
      window.rows[place] = rows[k];
      window.items[place] = items[k];
      ++mine;
    }
  }
  int found = 0;  // no thread has a later one without the earlier
  for (int k = 0; k < BATCH && found == k * BLOCK; ++k) found += block_count(mine > k);
  return found;
}

// A block's share of a frontier's tokens, and the item that the first of them belongs to; empty beyond the
// last.
struct TokenShare {
  i64 begin, end, item;
};

// The whole block: its share where all are equal.
GR_DEVICE TokenShare equal_share(const Context& ctx, const Queue& in, Size size) {
  constexpr i64 LEAST = PASS / 4;  // not worth a block of its own below this
  const i64 count = size.count, tokens = count + i64(size.edges);
  i64 share = share_of(tokens, ctx.blocks);
  if (share < LEAST) share = LEAST;
  const i64 begin = ctx.block * share;
  if (begin >= tokens) return {tokens, tokens, count};
  return {begin, begin + share < tokens ? begin + share : tokens,
          begin == 0 ? 0 : block_items_before(in.scan, count, begin + 1) - 1};
}

// Equal shares of tokens (LB) or of items (LB_NODES) for each block.
template <Kind IN, class C, class F>
GR_DEVICE void advance_balanced(Context& ctx, const Csr& csr, const Queue& in, Size size, F& f,
                                C& collect, bool by_items) {
  const i64 count = size.count, tokens = count + i64(size.edges);
  i64 begin = 0, end = tokens, item = 0, few = 0;  // this block's tokens, the item that the first belongs to
  if (by_items && !ctx.solo) {
    constexpr i64 LEAST = WARP;  // fewer blocks, less crowding at the tail and in its scan
    i64 share = share_of(count, ctx.blocks);
    if (share < LEAST) share = LEAST;
    item = ctx.block * share;
    if (item >= count) return;
    if (WARP > 1 && share < BLOCK) {
      few = share;
    } else {
      begin = item + in.scan[item];
      end = item + share < count ? item + share + in.scan[item + share] : tokens;
    }
  } else if (!ctx.solo) {
    const TokenShare share = equal_share(ctx, in, size);
    begin = share.begin;
    end = share.end;
    item = share.item;
  }
  if (begin >= end) return;
  if constexpr (WARP == 1) {
    const i64 passed = item + (i64(in.scan[item]) + item < begin);
    const i64 last = end == tokens ? count : items_before(in.scan, count, end);
    expand<IN>(csr, in.scan, in.rows, in.items, int(count), int(item), edge_t(begin - passed),
               edge_t(end - last), f, collect);
    return;
  }
  // Lists that fit the window, however long [D-window-1]; a lone block has its queue in reach.
  Window& window = ctx.shared.window;
  const edge_t* scan = ctx.solo ? in_shared(ctx.shared, in.scan) : window.scan;
  const edge_t* rows = ctx.solo ? in_shared(ctx.shared, in.rows) : window.rows;
  const item_t* items = ctx.solo ? in_shared(ctx.shared, in.items) : window.items;
  for (i64 from = begin;;) {
    int found = int(count);
    edge_t first = 0, last = edge_t(size.edges);
    i64 to = end;
    if (few) {
      found = fill_few(window, in, size, item, few);
      first = window.scan[0];
      last = window.scan[found];
    } else if (!ctx.solo) {
      const i64 passed = item + (i64(in.scan[item]) + item < from);
      found = fill_window(window, in, count, item, end);
      const i64 next = item + found;
      if (found == PASS && next < count && i64(in.scan[next]) + next < end) to = i64(in.scan[next]) + next;
      first = edge_t(from - passed);
      last = edge_t(to - next);
      item = next;
    }
    expand<IN>(csr, scan, rows, items, found, 0, first, last, f, collect);
    if (to >= end) return;
    from = to;
    block_sync();
  }
}

GR_DEVICE edge_t list_length(const Queue& in, Size size, i64 i) {
  return (i + 1 < i64(size.count) ? in.scan[i + 1] : edge_t(size.edges)) - in.scan[i];
}

template <Kind IN, class C, class F>
GR_DEVICE void advance_thread_mapped(Context& ctx, const Csr& csr, const Queue& in, Size size,
                                     F& f, C& collect) {
  for (i64 base = i64(ctx.block) * BLOCK; base < size.count; base += ctx.threads()) {
    const i64 i = base + thread_id();
    if (i < size.count) {
      const item_t item = in.items[i];
      const vertex_t s = list_of<IN>(item, csr);
      const edge_t row = in.rows[i], length = list_length(in, size, i);
      for (edge_t e = row; e < row + length; ++e) {
        const vertex_t d = csr.neighbor(e);
        process_edge(f, collect, s, d, e, item);
      }
    }
    collect.drain();
  }
}

// One list, strided over by `width` threads of which this is the `place`-th.
template <Kind IN, class C, class F>
GR_DEVICE void stride_over(const Csr& csr, item_t item, edge_t row, edge_t length, int place,
                           int width, F& f, C& collect) {
  const vertex_t s = list_of<IN>(item, csr);
  for (edge_t e = row + place; e < row + length; e += width) {
    const vertex_t d = csr.neighbor(e);
    process_edge(f, collect, s, d, e, item);
  }
}

// How the lists of a tile are shared out, which has an item for each thread of a block: those of BY_BLOCK
// edges and more are the block's, of BY_WARP and more a warp's; what is left goes edge by edge. (An advance
// deals out pieces of both: gather_by_pieces.)
constexpr edge_t NEVER = 0x7fffffff;
template <edge_t BLOCK_FROM, edge_t WARP_FROM, bool BY_THREAD = false>
struct Gathering {
  static constexpr edge_t BY_BLOCK = BLOCK_FROM, BY_WARP = WARP_FROM;
  static constexpr bool SERIAL = BY_THREAD;  // each thread its own: nothing is left
  // Needs the window, which a block that works alone lacks.
  static constexpr bool SCANS = WARP_FROM > 1 && !BY_THREAD;
  // Lists of all lengths have those that suit them, so that blocks may have parts of lists.
  static constexpr bool EVEN = BLOCK_FROM != NEVER;
};

// What a mode is where there are tiles only: equal chunks are SCAN, and AUTO is TWC.
GR_DEVICE constexpr Mode tile_mode(Mode mode) {
  return mode == MODE_LB || mode == MODE_LB_NODES ? MODE_SCAN : mode == MODE_AUTO ? MODE_TWC : mode;
}
constexpr Mode TILE_MODE = tile_mode(ADVANCE_MODE);
template <Mode MODE>
struct GatheringOf { using type = Gathering<BLOCK, WARP>; };
template <>
struct GatheringOf<MODE_TM> { using type = Gathering<NEVER, NEVER, true>; };
template <>
struct GatheringOf<MODE_SERIAL> { using type = Gathering<NEVER, NEVER, true>; };
template <>
struct GatheringOf<MODE_WARP> { using type = Gathering<NEVER, 1>; };
template <>
struct GatheringOf<MODE_SCAN> { using type = Gathering<NEVER, NEVER>; };
using TileGathering = GatheringOf<TILE_MODE>::type;
constexpr bool IS_TILED =
    ADVANCE_MODE == MODE_WARP || ADVANCE_MODE == MODE_SCAN || ADVANCE_MODE == MODE_TWC;

// The whole block: of the lists of a tile that have a piece of WARP edges and more, all whole pieces, end to
// end and dealt to the warps in turn: no lane is idle, no warp waits for another's list, and many warps walk a
// long one. What is left of this thread's list is shorter than a piece.
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
  constexpr int ROUND = WARPS * BATCH, ROUNDS = WARP / BATCH;  // pieces; and rounds of which lanes know one
  static_assert(WARP % BATCH == 0 || WARP == 1, "each lane looks for a piece of its warp's next rounds");
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
          ctx.count_edges(1);
        }
      }
      process_edges<IN>(csr, edges, f, collect);
    }
  }
}

// The whole block: the lists that have BY_WARP edges and more, each by the warp of the thread that has it,
// which takes a few pieces of lists in each round: a round's finds fit the stage.
template <class G, Kind IN, class C, class F>
GR_DEVICE void gather_by_warp(const Csr& csr, item_t item, edge_t row, edge_t& length, F& f, C& collect) {
  u32 left = warp_ballot(length >= G::BY_WARP);
  edge_t done = 0;  // of the list that it is at
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
        collect.ctx.count_edges(1);
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

// The whole block: a tile, of which this thread has one item (or an empty list). Not `grouped`: all its
// lists go edge by edge. `more`: the block has other tiles.
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

// Tiles of a block's share, where shares have as many edges as each other: the first and the last list of
// a share may be parts of lists.
template <class G, Kind IN, class C, class F>
GR_DEVICE void advance_by_shares(Context& ctx, const Csr& csr, const Queue& in, Size size, F& f,
                                 C& collect) {
  const i64 count = size.count;
  const TokenShare share = equal_share(ctx, in, size);
  const bool grouped = share.end - share.begin > PASS;  // else one round takes all there is
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
  if (WARP > 1 && G::EVEN && !ctx.solo) {
    advance_by_shares<G, IN>(ctx, csr, in, size, f, collect);
    return;
  }
  if (WARP > 1 && !(ctx.solo && G::SCANS)) {
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
  if constexpr (WARP > 1 && G::SCANS) {  // alone, the queue in reach: it is scanned already
    if (size.count > 0)
      expand<IN>(csr, in.scan, in.rows, in.items, int(size.count), 0, edge_t(0), edge_t(size.edges), f,
                 collect);
    return;
  }
  // On a core gathering by the block is all there is.
  for (i64 i = ctx.block; i < i64(size.count); i += ctx.blocks) {
    stride_over<IN>(csr, in.items[i], in.rows[i], list_length(in, size, i), thread_id(), BLOCK, f,
                    collect);
    collect.drain();
  }
}

// AUTO: whether equal shares of items are as good as equal shares of edges, which have to be searched for.
// Not where few items have most of a small frontier's edges: one block would work alone [D-advance-2].
GR_DEVICE bool suits_items(const Context& ctx, const Csr& csr, Size size) {
  const i64 count = size.count, edges = i64(size.edges);
  if (edges < ctx.lb_threshold && (WARP == 1 || edges <= PASS / 2 || edges <= 32 * count)) return true;
  return share_of(count, ctx.blocks) * csr.max_degree <= 2 * PASS;
}

// A step's work: expand a frontier over the lists of `csr` into a collector of any sort.
template <Kind IN, class C, class F>
GR_DEVICE void advance_into(Context& ctx, const Frontier& in, const Csr& csr, F& f, C& collect) {
  if constexpr (ADVANCE_MODE == MODE_TM || ADVANCE_MODE == MODE_SERIAL) {
    ctx.show_mode(ADVANCE_MODE);
    advance_thread_mapped<IN>(ctx, csr, in.queue, in.size, f, collect);
  } else if constexpr (IS_TILED) {
    ctx.show_mode(ADVANCE_MODE);
    advance_by_tiles<TileGathering, IN>(ctx, csr, in.queue, in.size, f, collect);
  } else {
    bool by_items = ADVANCE_MODE == MODE_LB_NODES;
    if constexpr (ADVANCE_MODE == MODE_AUTO) {
      by_items = suits_items(ctx, csr, in.size);
    }
    ctx.show_mode(by_items ? MODE_LB_NODES : MODE_LB);
    advance_balanced<IN>(ctx, csr, in.queue, in.size, f, collect, by_items);
  }
  collect.finish();
}

// A step's work: expand `in` over `lists` into `out`, whose items stand for lists of the same. Without
// an OUT, nothing is collected: f is asked about every edge.
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const Frontier& in, const NextFrontier& out, const Csr& lists,
                       F&& f) {
  Collector<OUT> collect(ctx, out, lists);
  advance_into<IN>(ctx, in, lists, f, collect);
}
// A step's work: the out-list of one vertex, of which all blocks take equal parts. Not by a lone block.
template <Kind OUT, class F>
GR_DEVICE void advance_list(Context& ctx, const LoopState& s, vertex_t v, F&& f) {
  const Csr& csr = ctx.graph.csr;
  Collector<OUT> collect(ctx, ctx.out(s), csr);
  const Row row = csr.row(v);
  const i64 even = share_of(row.length, ctx.blocks), share = even < PASS / 4 ? PASS / 4 : even;
  const i64 begin = ctx.block * share, end = begin + share < row.length ? begin + share : row.length;
  if (begin < end) {
    Window& window = ctx.shared.window;
    if (thread_id() == 0) {
      window.scan[0] = 0;
      window.rows[0] = row.begin;
      window.items[0] = item_t(v);
    }
    block_sync();
    expand<V>(csr, window.scan, window.rows, window.items, 1, 0, edge_t(begin), edge_t(end), f, collect);
  }
  collect.finish();
}
// The same from the step's own frontier to the next one's, along out-edges unless told otherwise.
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const LoopState& s, const Csr& lists, F&& f) {
  advance<IN, OUT>(ctx, ctx.in(s), ctx.out(s), lists, f);
}
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const LoopState& s, F&& f) {
  advance<IN, OUT>(ctx, s, ctx.graph.csr, f);
}

// A step's work: the lists of `who`, looked up here, tile by tile, as G says; f is asked about every edge
// and nothing is collected. Not by a lone block.
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
