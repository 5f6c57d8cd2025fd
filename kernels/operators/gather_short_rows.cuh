// Gather of rows for short, even lists: eight lanes (an octet) fold a list by themselves, four columns per
// lane, so a warp has four lists in flight, and lanes exchange only entries [D-rows-2]. Lists of any length are
// correct, but slow. A part of gather_rows.cuh.
#pragma once
#include "row.cuh"

namespace gunrock::row_gathering {

constexpr int ROUNDS_JOINED = 4;  // rounds of OCTET entries before their sum is widened

template <class Monoid>
GR_DEVICE Quad<typename Monoid::Value> zeros() {
  return {{Monoid::zero(), Monoid::zero(), Monoid::zero(), Monoid::zero()}};
}

template <class Monoid>
GR_DEVICE void join(Quad<typename Monoid::Value>& a, const Quad<typename Monoid::Value>& b) {
  GR_UNROLL
  for (int c = 0; c < 4; ++c) Monoid::join(a.x[c], b.x[c]);
}

// A lane's part of its octet's list: the entry at the lane's place, then the one OCTET entries on. An entry is
// in flight until `drop_zero_row`: it is loaded unconditionally, as the compiler would wait for a condition at
// once.
struct OctetEntries {
  const Csr& lists;
  edge_t end;   // of the list
  edge_t left;  // entries from this lane's place to the list's end
  vertex_t entry;

  GR_DEVICE OctetEntries(const Csr& all, edge_t begin, edge_t length)
      : lists(all), end(begin + length), left(length - lane_id() % OCTET) {
    load();
  }
  GR_DEVICE void advance() {
    left -= OCTET;
    load();
  }
  // Makes the entry -1 if it is beyond the list's end or its row is zeros. (Row -1 is zeros.)
  template <class F>
  GR_DEVICE void drop_zero_row(F& f) {
    if (left <= 0 || !f.counts(entry)) entry = -1;
  }
  // The whole warp: true if any list has entries left.
  GR_DEVICE bool any() const { return warp_ballot(left > 0) != 0; }

 private:
  GR_DEVICE void load() {
    const auto* elsewhere = reinterpret_cast<const vertex_t*>(lists.row_offsets);  // a valid address
    entry = load_constant(left > 0 ? &lists.column_indices[end - left] : elsewhere);
  }
};

template <class Value>
GR_DEVICE void load_rows(const Quad<Value>* quads, const vertex_t* vertices, Quad<Value> (&rows)[4]) {
  GR_UNROLL
  for (int k = 0; k < 4; ++k) rows[k] = quads[i64(vertices[k]) * OCTET];
}

// The whole warp: joins the next OCTET rows of each octet's list, or as many as are left, to `sum`. `quads` are
// row 0's. Returns the lanes that had a row that counts.
template <class Monoid, class F>
GR_DEVICE u32 join_octets(F& f, const Quad<typename Monoid::Value>* quads, OctetEntries& list,
                          Quad<typename Monoid::Value>& sum) {
  using Value = typename Monoid::Value;
  constexpr u32 UPPER_HALVES = 0xf0f0f0f0u;
  const vertex_t entry = list.entry;
  const u32 counting = warp_ballot(entry >= 0);
  list.advance();
  vertex_t u[OCTET];  // all entries before any row is loaded: an exchange between loads would wait for them
  GR_UNROLL
  for (int k = 0; k < OCTET; ++k) u[k] = octet_broadcast(entry, k);
  if (counting != 0) {
    Quad<Value> rows[4];
    load_rows(quads, &u[0], rows);
    if ((counting & UPPER_HALVES) != 0) {
      Quad<Value> others[4];
      load_rows(quads, &u[4], others);
      GR_UNROLL
      for (int k = 0; k < 4; ++k) join<Monoid>(rows[k], others[k]);
    }
    join<Monoid>(rows[0], rows[1]);
    join<Monoid>(rows[2], rows[3]);
    join<Monoid>(rows[0], rows[2]);
    join<Monoid>(sum, rows[0]);
  }
  list.drop_zero_row(f);
  return counting;
}

// The whole warp: four columns of each octet's list. True if any row counted.
template <class Monoid, class F>
GR_DEVICE bool fold_octets(F& f, const Quad<typename Monoid::Value>* quads, OctetEntries& list,
                           typename Monoid::Total (&totals)[4]) {
  GR_UNROLL
  for (int c = 0; c < 4; ++c) totals[c] = Monoid::nothing();
  u32 counting = 0;
  bool more = list.any();
  while (more) {
    auto sum = zeros<Monoid>();
    for (int round = 0; more && round < ROUNDS_JOINED; ++round) {
      counting |= join_octets<Monoid>(f, quads, list, sum);
      more = list.any();
    }
    GR_UNROLL
    for (int c = 0; c < 4; ++c) Monoid::add(totals[c], sum.x[c]);
  }
  return counting != 0;
}

// A warp: its share of the lists of BLOCK consecutive vertices. The block's warps work side by side, so that
// what one has read is cached for the others. The first entries of the next lists are in flight meanwhile.
template <class Monoid, class F>
GR_DEVICE void octets_of_tile(Context& ctx, const Csr& lists, F& f, i64 tile) {
  constexpr u32 AT_ONCE = WARP / OCTET;
  const u32 lane = u32(lane_id()), octet = lane / OCTET, warp = u32(warp_id());
  const i64 behind = ctx.graph.n - tile;
  const u32 count = behind < BLOCK ? u32(behind) : u32(BLOCK);
  const auto* quads =
      keep_pointer(reinterpret_cast<const Quad<typename Monoid::Value>*>(f.rows()) + lane % OCTET);
  auto place_of = [&](u32 k) { return (k / AT_ONCE * WARPS + warp) * AT_ONCE + k % AT_ONCE; };
  const Row row = lists.row_within(tile + place_of(lane), ctx.graph.n);
  ctx.count_edges(row.length);
  f.enter(tile, BLOCK);
  const bool inside = place_of(lane) < count;
  const u32 awake = warp_ballot(inside && f.wants(vertex_t(tile + (inside ? place_of(lane) : 0))));
  auto list_of = [&](u32 k) -> OctetEntries {
    return {lists, warp_broadcast(row.begin, int(k % WARP)), warp_broadcast(row.length, int(k % WARP))};
  };
  OctetEntries list = list_of(octet);
  list.drop_zero_row(f);
  for (u32 base = 0; base < WARP && place_of(base) < count; base += AT_ONCE) {
    const u32 k = place_of(base + octet);
    OctetEntries next = list_of(base + octet + AT_ONCE);
    const vertex_t v = vertex_t(tile) + vertex_t(k < count ? k : count - 1);
    const bool wanted = (awake >> base & ((1u << AT_ONCE) - 1)) != 0;
    auto own = f.own(wanted ? v : vertex_t(tile));  // else a vertex nearby: a conditional load would be waited for
    typename Monoid::Total totals[4];
    const bool counted = fold_octets<Monoid>(f, quads, list, totals);
    next.drop_zero_row(f);
    list.end = next.end;
    list.left = next.left;
    list.entry = next.entry;
    if (!wanted && !counted) continue;
    if (!wanted) own = f.own(v);
    if (k < count) f.finish(v, own, totals);
  }
}

// Lists are even, so a fixed distribution is as balanced as a dynamic one.
template <class Monoid, class F>
GR_DEVICE void by_octets(Context& ctx, const Csr& lists, F& f) {
  for (i64 tile = i64(ctx.block) * BLOCK; tile < ctx.graph.n; tile += ctx.threads())
    octets_of_tile<Monoid>(ctx, lists, f, tile);
}

}  // namespace gunrock::row_gathering
