// Pull of rows: vertices look through their in-neighbours for bits that they want, and stop when they have all of
// them. Only rows of neighbours that a bitmap names are read. Called by searches of many sources.
//
//   pull_rows(ctx, lists, held, f, tickets, known)   a part of a step, over every vertex; a functor has
//     wants(v)                 the bits that v may still find, this lane's part
//     finish(v, there, found)  by all lanes of a warp together; what v has found, nothing where `there` is false
//
// The lanes that share a row walk a short list: each loads an entry and asks the bitmap, then all of them read the
// rows that count. A warp takes longer lists, and a block the longest, which an earlier step finds (find_longest_rows).
#pragma once
#include "bit_rows.cuh"
#include "compute.cuh"
#include "walk.cuh"
#include "../core/bitmap.cuh"

namespace gunrock {

// The rows that neighbours hold, and a bitmap of the neighbours whose rows count.
struct HeldRows {
  const BitQuad* rows;
  const u32* active;
};

namespace row_pulling {

constexpr edge_t FOR_SHARERS = 2 * WARP;      // the longest list for the lanes that share a row
constexpr edge_t FOR_WARP = 4 * WARP * WARP;  // ... for a warp

GR_DEVICE bool any_in_warp(bool x) { return warp_ballot(x) != 0; }

// All lanes of a warp: joins what is held by entries e, e + 1, ... of a list, as many as share a row, and by as many
// `stride` further on, until the end or until all that is wanted has been found.
GR_DEVICE void look(Context& ctx, const Csr& lists, const HeldRows& held, edge_t e, edge_t end, edge_t stride,
                    const RowBits& wanted, RowBits& found) {
  if constexpr (WARP == 1) {
    walk(lists, e, end, stride, [&](vertex_t u, edge_t) {
      ctx.count_edges(1);
      if (!bitmap_holds(held.active, u)) return true;
      found.join(load_row(held.rows, u));
      return wanted.without(found).any();
    });
    return;
  }
  constexpr int DEEP = Sharers::SIZE < 4 ? Sharers::SIZE : 4;  // rows in flight
  for (bool more = e < end; any_in_warp(more);) {
    vertex_t u[1] = {-1};
    load_entries(ctx, lists, e + Sharers::lane(), more ? end : e, edge_t(1), u);
    const bool counts = u[0] >= 0 && bitmap_holds(held.active, u[0]);
    for (u32 left = warp_ballot(counts) & Sharers::mask(); any_in_warp(left != 0);) {
      RowBits rows[DEEP];
      GR_UNROLL
      for (int k = 0; k < DEEP; ++k) {
        const vertex_t neighbor = warp_broadcast(u[0], left ? lowest_bit(left) : 0);
        if (left) rows[k] = load_row(held.rows, neighbor);
        left &= left - 1;
      }
      GR_UNROLL
      for (int k = 0; k < DEEP; ++k) found.join(rows[k]);
    }
    e += stride;
    more = any_sharer(wanted.without(found).any()) && e < end;
  }
}

// A warp: the lists of WARP consecutive vertices, each by the lanes that share a row, or by all of them.
template <class F>
GR_DEVICE void by_warp(Context& ctx, const Csr& lists, const HeldRows& held, F& f, i64 first) {
  const i64 n = ctx.graph.n;
  const Row row = lists.row_within(first + lane_id(), n);
  GR_NO_UNROLL
  for (int turn = 0; turn < Sharers::SIZE; ++turn) {
    const int lane = turn * Sharers::EACH + Sharers::number();
    const edge_t begin = warp_broadcast(row.begin, lane), length = warp_broadcast(row.length, lane);
    const i64 v = first + lane;
    const bool there = v < n && length > 0 && (WARP == 1 || length <= FOR_WARP);
    RowBits wanted, found;
    if (there) wanted = f.wants(vertex_t(v));
    const bool open = any_sharer(wanted.any()), is_long = WARP > 1 && open && length > FOR_SHARERS;
    u32 left = warp_ballot(is_long && Sharers::lane() == 0);  // the first of the lanes that have a long list
    look(ctx, lists, held, begin, open && !is_long ? begin + length : begin, Sharers::SIZE, wanted, found);
    GR_NO_UNROLL
    for (; WARP > 1 && left; left &= left - 1) {
      const int owner = lowest_bit(left), mine = owner + Sharers::lane();
      const edge_t from = warp_broadcast(begin, owner), to = from + warp_broadcast(length, owner);
      RowBits part;
      look(ctx, lists, held, from + Sharers::number() * Sharers::SIZE, to, WARP, wanted.of_lane(mine), part);
      for (int d = Sharers::SIZE; d < WARP; d *= 2) part.join_across(d);
      if (owner / Sharers::SIZE == Sharers::number()) found = part;
    }
    f.finish(vertex_t(v), open, found.within(wanted));
  }
}

// One list by the whole block. `joined` is a row in shared memory.
template <class F>
GR_DEVICE void by_block(Context& ctx, const Csr& lists, const HeldRows& held, F& f, vertex_t v, BitQuad* joined) {
  const Row row = lists.row(v);
  for (int i = thread_id(); i < QUADS; i += BLOCK) joined[i] = {};
  block_sync();
  const RowBits wanted = f.wants(v);
  const int group = warp_id() * Sharers::EACH + Sharers::number();
  RowBits found;
  look(ctx, lists, held, row.begin + group * Sharers::SIZE, any_sharer(wanted.any()) ? row.end() : row.begin,
       BLOCK, wanted, found);
  add_to_row(joined, 0, found);
  block_sync();
  const bool there = Sharers::number() == 0;
  if (warp_id() == 0) f.finish(v, there, there ? load_row(joined, 0).within(wanted) : RowBits());
  block_sync();  // before the row is written again
}

}  // namespace row_pulling

// A step of its own, before steps that pull over these lists; `known.counts` is zero before.
GR_DEVICE void find_longest_rows(Context& ctx, const Csr& lists, const LongLists& known) {
  if constexpr (WARP > 1) find_longer(ctx, ctx.graph.n, lists, row_pulling::FOR_WARP, known.vertices, known.counts);
}

// `tickets` is zero when the step begins; `joined` is a row in shared memory.
template <class F>
GR_DEVICE void pull_rows(Context& ctx, const Csr& lists, const HeldRows& held, F& f, u64* tickets,
                         const LongLists& known, BitQuad* joined) {
  const i64 n = ctx.graph.n;
  if constexpr (WARP == 1) {
    for_each_dynamic(ctx, n, tickets, [&](i64 v) { row_pulling::by_warp(ctx, lists, held, f, v); });
  } else {
    for (i64 i = ctx.block, count = known.counts[0]; i < count; i += ctx.blocks)
      row_pulling::by_block(ctx, lists, held, f, known.vertices[i], joined);
    const i64 groups = (n + WARP - 1) / WARP;
    for (i64 group = ctx.rank() / WARP; group < groups;) {
      u64 ticket = 0;  // drawn early: the next group's number is there when this one is done
      if (lane_id() == 0) ticket = atomic_add(tickets, u64(1));
      row_pulling::by_warp(ctx, lists, held, f, group * WARP);
      group = ctx.threads() / WARP + i64(warp_broadcast(ticket, 0));
    }
  }
}

}  // namespace gunrock
