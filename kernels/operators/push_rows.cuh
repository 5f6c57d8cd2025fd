// Push of rows: what the vertices of a frontier hold, as rows of bits, is passed to their neighbours. Equal shares of
// the frontier's edges: each lane of a warp finds an edge by a search (search.cuh), so none walks a list, and then the
// lanes that share a row take these edges in turn.
// Called by searches of many sources.
//
//   push_rows(ctx, in, lists, f, collect)   a part of a step; a functor has
//     bits(u, v)          what u passes to v, this lane's part; its loads for several edges are in flight together
//     pass(v, bits)       by all lanes of a warp together; true in the one lane that puts v into the next frontier
#pragma once
#include "bit_rows.cuh"
#include "search.cuh"

namespace gunrock {

template <class F, class C>
GR_DEVICE void push_rows(Context& ctx, const Frontier& in, const Csr& lists, F& f, C& collect) {
  constexpr int DEEP = Sharers::SIZE < 4 ? Sharers::SIZE : 4;  // rows of edges in flight
  const auto& [items, scan, rows, capacity] = in.queue;
  const i64 edges = i64(in.size.edges);
  int cursor = 0;
  const Partition partition(ctx, edges);
  for (i64 base = partition.first(); base < edges; base = partition.next(base)) {
    collect.make_room(BLOCK);
    if (base + warp_id() * WARP >= edges) continue;  // the warp has nothing to do
    const edge_t mine = edge_t(base + thread_id());
    const bool inside = mine < edges;
    vertex_t u = 0, v = 0;
    if (inside) {
      const int i = owner_of(scan, int(in.size.count), mine, cursor);
      u = vertex_t(items[i]);
      v = lists.neighbor(rows[i] + (mine - scan[i]));
    }
    ctx.count_edges(inside);
    GR_NO_UNROLL
    for (int turn = 0; turn < Sharers::SIZE; turn += DEEP) {
      RowBits bits[DEEP];
      vertex_t to[DEEP];
      GR_UNROLL
      for (int k = 0; k < DEEP; ++k) {
        const int lane = (turn + k) * Sharers::EACH + Sharers::number();
        const vertex_t from = warp_broadcast(u, lane);
        to[k] = warp_broadcast(v, lane);
        if (warp_broadcast(int(inside), lane)) bits[k] = f.bits(from, to[k]);
      }
      GR_UNROLL
      for (int k = 0; k < DEEP; ++k)
        if (f.pass(to[k], bits[k])) collect.push(item_t(to[k]));
    }
  }
  collect.flush();
}

}  // namespace gunrock
