// Entries of all lists that pass a cheap test, dealt to full warps: for work that takes long, and differently
// long, from an entry to the next. A thread that walked its own lists would wait in every turn for the thread of
// its warp that has most to do.
#pragma once
#include "../core/turns.cuh"
#ifndef GR_TRY_ROUNDS
#define GR_TRY_ROUNDS 3
#endif

namespace gunrock {

// f(pair) for every entry e of a vertex v, of neighbour u, for which choose(v, u, pair) holds, which sets the
// pair; once a warp has as many as it has lanes, or no more come. A part of a step.
template <int ROUNDS = GR_TRY_ROUNDS, class Choose, class F>
GR_DEVICE void for_each_chosen(Context& ctx, const Csr& lists, Choose choose, F f) {
  u64* const waiting = ctx.shared.as<u64[WARPS][2 * WARP]>()[warp_id()];
  const i64 n = ctx.graph.n;
  const Turns turns(ctx, n);
  i64 base = turns.mine() - lane_id();
  Row row = lists.row_within(base + lane_id(), n);
  int count = 0;  // pairs that wait: fewer than WARP before a round
  while (base < n) {
    const i64 next = turns.next(base);
    const Row ahead = lists.row_within(next + lane_id(), n);
    const edge_t end = warp_broadcast(row.end(), WARP - 1);
    for (edge_t at = warp_broadcast(row.begin, 0); at < end; at += ROUNDS * WARP) {
      // What several rounds load is under way together, without a condition.
      vertex_t u[ROUNDS], v[ROUNDS];
      GR_UNROLL
      for (int k = 0; k < ROUNDS; ++k) {
        const edge_t e = at + k * WARP + lane_id();
        u[k] = lists.neighbor(e < end ? e : end - 1);
        int owner = 0;  // the last of the warp's lists that begins at e or before: it is not empty
        GR_UNROLL
        for (int step = WARP / 2; step > 0; step /= 2) {
          const edge_t begin = warp_broadcast(row.begin, owner + step);
          if (begin <= e) owner += step;
        }
        v[k] = vertex_t(base + owner < n ? base + owner : n - 1);
      }
      u64 pair[ROUNDS];
      bool chosen[ROUNDS];
      GR_UNROLL
      for (int k = 0; k < ROUNDS; ++k) {
        const bool mine = at + k * WARP + lane_id() < end;
        ctx.count_edges(mine);
        chosen[k] = choose(v[k], u[k], pair[k]) && mine;
      }
      GR_UNROLL
      for (int k = 0; k < ROUNDS; ++k) {
        const u32 ballot = warp_ballot(chosen[k]);
        if (chosen[k]) waiting[count + popcount(ballot & ((1u << lane_id()) - 1))] = pair[k];
        count += popcount(ballot);
        warp_sync();
        if (count >= WARP) {
          count -= WARP;
          f(waiting[count + lane_id()]);
          warp_sync();  // before others take their places
        }
      }
    }
    base = next;
    row = ahead;
  }
  if (lane_id() < count) f(waiting[lane_id()]);
}

}  // namespace gunrock
