// Gather over every vertex for even lists that are not short: a part of gather_all.cuh [D-gather-2, D-pairs-1].
//
// Two neighbouring lanes share their two lists: one lane folds the entries at even places, the other those at
// odd places. The first entries of both lists, then all their values, are in flight before one is folded. All
// these loads are unconditional: with conditional loads the compiler moves values between registers, runs out
// of them, and waits for two or three values before it issues the next load. So a lane also loads what lies
// beyond a list's end.
#pragma once
#include "gather.cuh"

namespace gunrock::gathering {

// Every other entry of a list, from `at` on. `left`: all entries from `at` to the list's end, including the
// other lane's.
struct HalfList {
  static constexpr int STRIDE = 2;
  const vertex_t* at;
  edge_t e, left;  // `at` is where entry e lies

  GR_DEVICE HalfList(const Csr& lists, edge_t first, edge_t end)
      : at(keep_pointer(&lists.column_indices[first])), e(first), left(end - first) {}
  GR_DEVICE bool has(int place) const { return left > place * STRIDE; }
  GR_DEVICE void advance(int places) {
    at += places * STRIDE;
    e += places * STRIDE;
    left -= places * STRIDE;
  }
};

// Folds the next BATCH entries of both lists into their sums. `load_ahead` is called when the entries are in
// flight. ALWAYS: entries and values are loaded even beyond a list's end, where another list lies.
template <class Monoid, int BATCH, bool ALWAYS, class F, class Meanwhile>
GR_DEVICE void fold_next(F& f, HalfList (&halves)[2], typename Monoid::Value (&sums)[2], Meanwhile load_ahead) {
  constexpr int STRIDE = HalfList::STRIDE;
  typename Monoid::Value values[2][BATCH];
  vertex_t entries[2][BATCH];
  GR_UNROLL
  for (int i = 0; i < 2; ++i) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if constexpr (ALWAYS) entries[i][k] = load_cached(halves[i].at + k * STRIDE);
      else entries[i][k] = load_cached_if(halves[i].has(k), halves[i].at + k * STRIDE, 0);
    }
  }
  load_ahead();
  if constexpr (ALWAYS) warp_sync();  // shares no data, but keeps loads from sinking to their use
  GR_UNROLL
  for (int i = 0; i < 2; ++i) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      values[i][k] = ALWAYS || halves[i].has(k) ? f.value(entries[i][k], halves[i].e + k * STRIDE) : Monoid::zero();
  }
  if constexpr (ALWAYS) warp_sync();
  GR_UNROLL
  for (int i = 0; i < 2; ++i) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (!ALWAYS || halves[i].has(k)) Monoid::join(sums[i], values[i][k]);
    halves[i].advance(BATCH);
  }
}

// Folds this lane's list and its neighbour's together; returns the fold of this lane's list. `load_ahead` is
// called when the first entries are in flight; `entries` are those of all lists.
template <class Monoid, class F, class Meanwhile>
GR_DEVICE typename Monoid::Value fold_with_neighbor(const Csr& lists, F& f, const Row& row, edge_t entries,
                                                    Meanwhile load_ahead) {
  constexpr int FIRST = 8, MORE = 4;  // entries of a list that a lane has in flight
  const bool odd = lane_id() % 2 != 0;
  const edge_t begin = warp_exchange(row.begin, 1), end = warp_exchange(row.end(), 1);  // the neighbour lane's
  HalfList halves[2] = {HalfList(lists, odd ? begin + 1 : row.begin, odd ? end : row.end()),
                        HalfList(lists, odd ? row.begin + 1 : begin, odd ? row.end() : end)};
  typename Monoid::Value sums[2] = {Monoid::zero(), Monoid::zero()};
  const bool at_the_end = warp_ballot(row.begin > entries - 2 * FIRST) != 0;  // nothing lies beyond the last list
  if (at_the_end) load_ahead();
  else fold_next<Monoid, FIRST, true>(f, halves, sums, load_ahead);
  while (warp_ballot(halves[0].left > 0 || halves[1].left > 0) != 0)
    fold_next<Monoid, MORE, false>(f, halves, sums, [] {});
  // The first list is the even lane's.
  auto mine = odd ? sums[1] : sums[0];
  Monoid::join(mine, warp_exchange(odd ? sums[0] : sums[1], 1));
  return mine;
}

template <class Monoid, class F, class C>
GR_DEVICE void by_lanes(Context& ctx, const Csr& lists, F& f, C& collect) {
  const u32 n = u32(ctx.graph.n), stride = u32(ctx.threads());
  if (n == 0) return;
  // Lists folded at the same time are adjacent: first those of one half of a warp's vertices.
  const u32 place = u32(lane_id() % 2 * (WARP / 2) + lane_id() / 2);
  auto within = [&](u32 v) { return v < n ? v : n - 1; };  // lanes beyond the last vertex repeat its list
  u32 v = u32(ctx.rank() - lane_id()) + place;
  const edge_t entries = lists.row_begin(n);
  auto next = lists.offsets(within(v));  // where the next round's lists are [D-gather-3]
  for (; v - place < n; v += stride) {
    const Row row = {next.begin, next.end - next.begin};
    ctx.look_at_edges(v < n ? row.length : 0);
    const auto own = f.own(vertex_t(within(v)), row.length);
    const auto sum = fold_with_neighbor<Monoid>(lists, f, row, entries,
                                                [&] { next = lists.offsets(within(v + stride)); });
    if (v < n && finish_vertex(f, vertex_t(v), own, Monoid::widen(sum))) collect.push(item_t(v));
  }
}

}  // namespace gunrock::gathering
