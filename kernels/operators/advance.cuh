// Advance: visit the neighbour lists of a frontier, keep the edges that a functor accepts, and collect what
// they lead to (or the edges themselves) in the next frontier. Gunrock, section 4.1.
//
// functor.cuh declares the functor, advance_mode.cuh lists the ways of sharing out lists, and expand.cuh
// processes the edges of a block.
#pragma once
#include "balanced.cuh"
#include "tiles.cuh"

namespace gunrock {

// The papers' hybrid for a frontier (PPoPP'16, 4.4): groups by length where lists are shorter than a warp in the
// mean, else equal chunks, of items in a frontier with fewer edges than the threshold.
GR_DEVICE Mode papers_mode(const Context& ctx, Size size) {
  const i64 edges = i64(size.edges);
  if (edges < i64(WARP) * i64(size.count)) return MODE_TWC;
  return edges < ctx.lb_threshold ? MODE_LB_NODES : MODE_LB;
}

// A step's work: expands a frontier over the lists of `csr` into any collector.
template <Kind IN, class C, class F>
GR_DEVICE void advance_into(Context& ctx, const Frontier& in, const Csr& csr, F& f, C& collect) {
  Mode mode = ADVANCE_MODE;
  if constexpr (ADVANCE_MODE == MODE_AUTO) mode = suits_items<F>(ctx, csr, in.size) ? MODE_LB_NODES : MODE_LB;
  if constexpr (ADVANCE_MODE == MODE_HYBRID) mode = papers_mode(ctx, in.size);
  ctx.show_mode(mode);
  constexpr bool TILES = ADVANCE_MODE == TILE_MODE, BOTH = ADVANCE_MODE == MODE_HYBRID;
  if constexpr (TILES || BOTH) {
    if (TILES || mode == MODE_TWC)
      advance_by_tiles<DefaultTileSchedule, IN>(ctx, csr, in.queue, in.size, f, collect);
  }
  if constexpr (!TILES) {
    if (!BOTH || mode != MODE_TWC)
      advance_balanced<IN>(ctx, csr, in.queue, in.size, f, collect, mode == MODE_LB_NODES);
  }
  collect.finish();
}

// A step's work: expands `in` over `lists` into `out`, whose items stand for the same lists. Without an OUT
// nothing is collected: f is only asked about every edge.
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const Frontier& in, const NextFrontier& out, const Csr& lists,
                       F&& f) {
  auto collect = collector_for<OUT>(ctx, out, lists, f);
  advance_into<IN>(ctx, in, lists, f, collect);
}
// Expands the step's own frontier into the next one, along out-edges by default.
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const LoopState& s, const Csr& lists, F&& f) {
  advance<IN, OUT>(ctx, ctx.in(s), ctx.out(s), lists, f);
}
template <Kind IN, Kind OUT = Kind::none, class F>
GR_DEVICE void advance(Context& ctx, const LoopState& s, F&& f) {
  advance<IN, OUT>(ctx, s, ctx.graph.csr, f);
}

// A step's work: one vertex's list, in equal parts for all blocks. Not for a single block.
template <Kind OUT, class F>
GR_DEVICE void advance_list(Context& ctx, const LoopState& s, const Csr& csr, vertex_t v, F&& f) {
  auto collect = collector_for<OUT>(ctx, ctx.out(s), csr, f);
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
// Its out-list.
template <Kind OUT, class F>
GR_DEVICE void advance_list(Context& ctx, const LoopState& s, vertex_t v, F&& f) {
  advance_list<OUT>(ctx, s, ctx.graph.csr, v, f);
}

}  // namespace gunrock
