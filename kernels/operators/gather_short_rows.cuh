// Gather of rows where lists are short and even: eight lanes, an octet, fold a list by themselves, four
// columns in each, so that a warp has four lists under way and nothing is exchanged between lanes but the
// entries [D-rows-2]. Lists of any length come out right, one by one.
#pragma once
#include "row.cuh"

namespace gunrock::row_gathering {

constexpr int ROUNDS_JOINED = 4;  // of OCTET entries, before their sum is widened

template <class Monoid>
GR_DEVICE Quad<typename Monoid::Value> zeros() {
  return {{Monoid::zero(), Monoid::zero(), Monoid::zero(), Monoid::zero()}};
}

template <class Monoid>
GR_DEVICE void join(Quad<typename Monoid::Value>& a, const Quad<typename Monoid::Value>& b) {
  GR_UNROLL
  for (int c = 0; c < 4; ++c) Monoid::join(a.x[c], b.x[c]);
}

// What a lane has of its octet's list: the entry at its own place, and OCTET entries on the next.
struct OctetEntries {
  const vertex_t* entries;  // of all lists
  edge_t end;               // of this one
  edge_t left;              // up to there, from this lane's entry on
  vertex_t entry;

  GR_DEVICE OctetEntries(const vertex_t* all, edge_t begin, edge_t length)
      : entries(all), end(begin + length), left(length - lane_id() % OCTET), entry(load()) {}
  // -1: there is none; the row of that number is zeros.
  GR_DEVICE vertex_t load() const { return left > 0 ? load_constant(&entries[end - left]) : -1; }
  // The whole warp: whether any list goes on.
  GR_DEVICE bool any() const { return warp_ballot(left > 0) != 0; }
};

// The whole warp: four rows of each octet's list, by the numbers that its lanes from `place` on have.
template <class Monoid>
GR_DEVICE void load_rows(const Quad<typename Monoid::Value>* quads, vertex_t entry, int place,
                         Quad<typename Monoid::Value> (&rows)[4]) {
  GR_UNROLL
  for (int k = 0; k < 4; ++k) rows[k] = quads[i64(octet_broadcast(entry, place + k)) * OCTET];
}

// The whole warp: the next OCTET rows of each octet's list, or as many as they have, joined to `sum`.
// `quads` are those of row 0.
template <class Monoid>
GR_DEVICE void join_octets(const Quad<typename Monoid::Value>* quads, OctetEntries& list,
                           Quad<typename Monoid::Value>& sum) {
  using Value = typename Monoid::Value;
  constexpr u32 UPPER_HALVES = 0xf0f0f0f0u;
  const vertex_t entry = list.entry;
  const bool long_enough = (warp_ballot(entry >= 0) & UPPER_HALVES) != 0;
  list.left -= OCTET;
  list.entry = list.load();
  Quad<Value> rows[4];
  load_rows<Monoid>(quads, entry, 0, rows);
  if (long_enough) {
    Quad<Value> others[4];
    load_rows<Monoid>(quads, entry, 4, others);
    GR_UNROLL
    for (int k = 0; k < 4; ++k) join<Monoid>(rows[k], others[k]);
  }
  join<Monoid>(rows[0], rows[1]);
  join<Monoid>(rows[2], rows[3]);
  join<Monoid>(rows[0], rows[2]);
  join<Monoid>(sum, rows[0]);
}

// The whole warp: four columns of each octet's list.
template <class Monoid>
GR_DEVICE void fold_octets(const Quad<typename Monoid::Value>* quads, OctetEntries& list,
                           typename Monoid::Total (&totals)[4]) {
  GR_UNROLL
  for (int c = 0; c < 4; ++c) totals[c] = Monoid::nothing();
  bool more = list.any();
  while (more) {
    auto sum = zeros<Monoid>();
    for (int round = 0; more && round < ROUNDS_JOINED; ++round) {
      join_octets<Monoid>(quads, list, sum);
      more = list.any();
    }
    GR_UNROLL
    for (int c = 0; c < 4; ++c) Monoid::add(totals[c], sum.x[c]);
  }
}

// A warp: the lists of WARP consecutive vertices, as many at once as it has octets. Of the next ones the
// first entries are on their way.
template <class Monoid, class F>
GR_DEVICE void octets_of_group(Context& ctx, const Csr& lists, F& f, i64 first) {
  constexpr u32 AT_ONCE = WARP / OCTET;
  const i64 behind = ctx.graph.n - first;
  const u32 count = behind < WARP ? u32(behind) : u32(WARP), lane = u32(lane_id()), octet = lane / OCTET;
  const auto* quads =
      keep_pointer(reinterpret_cast<const Quad<typename Monoid::Value>*>(f.rows()) + lane % OCTET);
  const vertex_t* entries = keep_pointer(lists.column_indices);
  const Row row = lists.row_within(first + lane, ctx.graph.n);
  ctx.count_edges(row.length);
  f.enter(first);
  auto list_of = [&](u32 k) -> OctetEntries {
    return {entries, warp_broadcast(row.begin, int(k % WARP)), warp_broadcast(row.length, int(k % WARP))};
  };
  OctetEntries list = list_of(octet);
  for (u32 base = 0; base < count; base += AT_ONCE) {
    const u32 k = base + octet;
    const OctetEntries next = list_of(k + AT_ONCE);
    const vertex_t v = vertex_t(first) + vertex_t(k < count ? k : count - 1);
    const auto own = f.own(v);
    typename Monoid::Total totals[4];
    fold_octets<Monoid>(quads, list, totals);
    if (k < count) f.finish(v, own, totals);
    list = next;
  }
}

// Lists are even: dealing them is as fair as drawing.
template <class Monoid, class F>
GR_DEVICE void by_octets(Context& ctx, const Csr& lists, F& f) {
  for (i64 first = ctx.rank() - lane_id(); first < ctx.graph.n; first += ctx.threads())
    octets_of_group<Monoid>(ctx, lists, f, first);
}

}  // namespace gunrock::row_gathering
