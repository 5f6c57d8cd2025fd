// Entries of all lists that pass a cheap test, dealt to full warps: for work that takes long and varies from
// one entry to the next. If each thread walked its own lists, a warp would wait in every round for its slowest
// thread [D-cc-9]. Called by connected components.
#pragma once
#include "../core/partition.cuh"
#include "walk.cuh"

namespace gunrock {

// A part of a step: f(pair) for every entry, neighbour u in the list of v, for which choose(v, u, pair) is
// true; choose sets the pair. A warp calls f once it has as many pairs as lanes, and for the rest at the end.
template <class Choose, class F>
GR_DEVICE void for_each_chosen(Context& ctx, const Csr& lists, Choose choose, F f) {
  u64* const waiting = ctx.shared.as<u64[WARPS][2 * WARP]>()[warp_id()];
  const i64 n = ctx.graph.n;
  const Partition partition(ctx, n);
  i64 base = partition.mine() - lane_id();
  Row row = lists.row_within(base + lane_id(), n);
  int count = 0;  // pairs that wait; fewer than WARP between rounds
  while (base < n) {
    const i64 next = partition.next(base);
    const Row ahead = lists.row_within(next + lane_id(), n);
    const edge_t end = warp_broadcast(row.end(), WARP - 1);
    for (edge_t at = warp_broadcast(row.begin, 0); at < end; at += WARP) {
      const edge_t e = at + lane_id();
      int owner = 0;  // the warp's last list that begins at or before e, and so is not empty
      GR_UNROLL
      for (int step = WARP / 2; step > 0; step /= 2) {
        const edge_t begin = warp_broadcast(row.begin, owner + step);
        if (begin <= e) owner += step;
      }
      u64 pair = 0;
      vertex_t u[1];
      load_entries(ctx, lists, e, end, edge_t(WARP), u);
      const bool chosen = e < end && choose(vertex_t(base + owner), u[0], pair);
      const u32 ballot = warp_ballot(chosen);
      if (chosen) waiting[count + popcount(ballot & ((1u << lane_id()) - 1))] = pair;
      count += popcount(ballot);
      warp_sync();
      if (count >= WARP) {
        count -= WARP;
        f(waiting[count + lane_id()]);
        warp_sync();  // before other lanes take these places
      }
    }
    base = next;
    row = ahead;
  }
  if (lane_id() < count) f(waiting[lane_id()]);
}

}  // namespace gunrock
