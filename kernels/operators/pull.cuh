// Pull: each candidate vertex looks through its in-neighbours for one in the frontier, and stops at
// the first (Beamer's bottom-up step; Gunrock, section 5.1.4). The frontier is a bitmap.
//
// A functor has
//   bool wants(v)            is v still a candidate?
//   bool cond_edge(s, v, e)  does in-edge e from s reach v? (s in the frontier, usually)
//   void apply_edge(s, v, e) what to do with the first edge that does
//
// A list is searched by its thread at first (most candidates find a parent within a few edges), its
// rest by the warp, and what is longer than LONG_LIST by the whole block when all else is done.
// Candidates that found nothing go to the queue `rest`, so the next pull does not look at others.
#pragma once
#include "entries.cuh"
#include "convert.cuh"

namespace gunrock {

constexpr int SERIAL_EDGES = GR_CUDA ? 8 : 1 << 30;
constexpr edge_t LONG_LIST = 8192;
constexpr int LONG_LISTS = GR_CUDA ? PASS : 1;  // that a block can remember

struct Pulled {  // what one thread has found; edges are those out of the vertices found
  u32 count = 0;
  u64 edges = 0;
};

// The first in-edge of v in [first, end), step `stride`, that the functor accepts; -1 if none.
template <class F>
GR_DEVICE edge_t find_edge(const Csr& in_edges, F& f, vertex_t v, edge_t first, edge_t end,
                           edge_t stride, vertex_t& parent) {
  for (edge_t e = first; e < end; e += TOGETHER * stride) {
    vertex_t s[TOGETHER];
    bool hit[TOGETHER];
    load_entries(in_edges, e, end, stride, s);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k) hit[k] = s[k] >= 0 && f.cond_edge(s[k], v, e + k * stride);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k) {
      if (hit[k]) {
        parent = s[k];
        return e + k * stride;
      }
    }
  }
  return -1;
}

template <class F>
GR_DEVICE void found_vertex(const Context& ctx, F& f, vertex_t s, vertex_t v, edge_t e,
                            u32* found_bits, Pulled& pulled) {
  f.apply_edge(s, v, e);
  bitmap_set(found_bits, v);
  const edge_t* rows = ctx.graph.csr.row_offsets;
  pulled.count += 1;
  pulled.edges += u64(load_constant(&rows[v + 1]) - load_constant(&rows[v]));
}

// One list by all threads of a warp or a block; `any` votes among them.
template <class F>
GR_DEVICE bool find_together(const Context& ctx, const Csr& in_edges, F& f, vertex_t v,
                             edge_t first, edge_t end, bool by_block, u32* found_bits,
                             Pulled& pulled) {
  const int place = by_block ? thread_id() : lane_id(), width = by_block ? BLOCK : WARP;
  for (edge_t base = first; base < end; base += TOGETHER * width) {
    const edge_t stop = end - base < TOGETHER * width ? end : base + TOGETHER * width;
    vertex_t parent = -1;
    const edge_t e = find_edge(in_edges, f, v, base + place, stop, edge_t(width), parent);
    const u32 hits = warp_ballot(e >= 0);
    if (by_block) {
      if (hits && lane_id() == first_lane(hits)) ctx.shared.turn_winner = thread_id();
      if (block_any(e >= 0)) {
        if (ctx.shared.turn_winner == thread_id())
          found_vertex(ctx, f, parent, v, e, found_bits, pulled);
        return true;
      }
    } else if (hits) {
      if (lane_id() == first_lane(hits)) found_vertex(ctx, f, parent, v, e, found_bits, pulled);
      return true;
    }
  }
  return false;
}

// A step's work. Candidates are the items of `in`, or every vertex where `everyone` is set. What is
// found is added to `found_bits` (clean before) and, as a size, to `found`.
template <class F>
GR_DEVICE void pull(Context& ctx, const Csr& in_edges, bool everyone, const Queue& in, u32 count,
                    F& f, u32* found_bits, u64* found, const Queue& rest, u64* rest_tail) {
  Collector<Kind::vertex> collect(ctx, rest, rest_tail, ctx.graph.csr);
  Pulled pulled;
  const i64 candidates = everyone ? ctx.graph.n : i64(count);
#if GR_CUDA
  item_t* long_lists = ctx.shared.window.items;
  if (thread_id() == 0) ctx.shared.window.scan[0] = 0;  // how many are remembered
  block_sync();
#endif
  for (i64 base = i64(ctx.block) * BLOCK; base < candidates; base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    vertex_t v = 0, parent = -1;
    edge_t next = 0, end = 0, e = -1;
    if (i < candidates) {
      v = everyone ? vertex_t(i) : vertex_t(in.items[i]);
      if (f.wants(v)) {
        next = load_constant(&in_edges.row_offsets[v]);
        end = load_constant(&in_edges.row_offsets[v + 1]);
      }
    }
    const bool candidate = next < end;
    if (candidate) {
      const edge_t stop = end - next < SERIAL_EDGES ? end : next + SERIAL_EDGES;
      e = find_edge(in_edges, f, v, next, stop, edge_t(1), parent);
      if (e >= 0) found_vertex(ctx, f, parent, v, e, found_bits, pulled);
      next = stop;
    }
    bool done = e >= 0 || !candidate;
#if GR_CUDA
    bool later = false;
    if (!done && end - next > LONG_LIST) {
      const int place = reserve((int*)&ctx.shared.window.scan[0]);
      later = place < LONG_LISTS;
      if (later) long_lists[place] = item_t(v);
    }
    for (u32 left = warp_ballot(!done && !later && next < end); left; left &= left - 1) {
      const int lane = lowest_bit(left);
      const bool hit = find_together(ctx, in_edges, f, warp_broadcast(v, lane),
                                     warp_broadcast(next, lane), warp_broadcast(end, lane), false,
                                     found_bits, pulled);
      if (lane == lane_id()) done = hit;
    }
    done = done || later;
#endif
    if (!done) collect.push(item_t(v));
  }
#if GR_CUDA
  block_sync();
  const int lists = *(int*)&ctx.shared.window.scan[0];
  for (int i = 0; i < lists && i < LONG_LISTS; ++i) {
    const vertex_t v = vertex_t(long_lists[i]);
    const edge_t* rows = in_edges.row_offsets;
    if (!find_together(ctx, in_edges, f, v, rows[v] + SERIAL_EDGES, rows[v + 1], true, found_bits,
                       pulled) &&
        thread_id() == 0)
      collect.push(item_t(v));
    block_sync();
  }
#endif
  collect.flush();
  // One atomic a block: the sums fit in the packed form, being those of one frontier.
  block_sync();
  u64 total = warp_sum(pack(pulled.count, pulled.edges));
#if GR_CUDA
  if (thread_id() == 0) ctx.shared.broadcast = 0;
  block_sync();
  if (lane_id() == 0 && total) atomic_add(&ctx.shared.broadcast, total);
  block_sync();
  total = ctx.shared.broadcast;
#endif
  if (thread_id() == 0 && total) atomic_add(found, total);
}

}  // namespace gunrock
