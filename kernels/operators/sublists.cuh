// Sublists: for each list, a list of the entries that a functor keeps, written by the kernel. Called by triangles and
// clustering, which count over edges oriented by degree.
//
// Lists are made in four steps of an enactor, each a function; the two in the middle are a scan (scan.cuh):
//   count_entries   how many entries each list keeps
//   sum_lengths     }  where each list begins
//   scan_lengths    }
//   place_entries   writes the entries, in any order within a list
// Several walks, each in a step, may add to the same lists, if no two keep the same entry.
// A functor has
//   keeps(v, u) -> bool   the same in both walks; of parallel edges only the first is asked
//   list(v) -> i64        the number of the list that v's entries go to; no two vertices share one
//   entry(u) -> vertex_t  what is written for neighbour u
//
// This operator reads entries by itself, as warps take equal shares of all entries whatever the lists' lengths: a
// warp reserves room for the neighbouring entries of a list with one atomic. A core takes whole lists.
#pragma once
#include "../core/partition.cuh"
#include "scan.cuh"

namespace gunrock {

// Lists that the kernel has made, which must not be read as constants: list v is entries begins[v] to ends[v] - 1.
struct MadeLists {
  const edge_t* begins;  // one more than there are lists; they rise
  const edge_t* ends;
  const vertex_t* columns;
  GR_DEVICE Row row(i64 v) const {
    const edge_t begin = begins[v];
    return {begin, ends[v] - begin};
  }
  GR_DEVICE vertex_t neighbor(edge_t e) const { return columns[e]; }
};

// Lists to be made.
struct Sublists {
  edge_t* offsets;    // one more than there are lists
  edge_t* ends;       // zero before; then each list's length, then where its next entry goes
  vertex_t* columns;
  GR_DEVICE MadeLists lists() const { return {offsets, offsets + 1, columns}; }
};

namespace sublists {

// The row of entry e, which is one of rows low to high - 1; begin(i) is row i's first entry.
template <class Begin>
GR_DEVICE i64 row_of(i64 low, i64 high, i64 e, Begin begin) {
  while (high - low > 1) {
    const i64 middle = low + (high - low) / 2;
    (i64(begin(middle)) <= e ? low : high) = middle;
  }
  return low;
}

// Where a lane is among the rows.
struct Place {
  i64 v;
  i64 begin, end;  // of v's row
  GR_DEVICE static Place of(const Csr& lists, i64 low, i64 n, i64 e) {
    const i64 v = row_of(low, n, e, [&](i64 i) { return lists.row_begin(i); });
    return {v, i64(lists.row_begin(v)), i64(lists.row_begin(v + 1))};
  }
  GR_DEVICE void go_to(const Csr& lists, i64 n, i64 e) {
    constexpr int NEAR = 4;  // rows that are passed one by one; further ones are searched for
    for (int passed = 0; e >= end && passed < NEAR; ++passed) {
      begin = end;
      end = i64(lists.row_begin(++v + 1));
    }
    if (e >= end) *this = of(lists, v, n, e);
  }
};

// f(v, u, true if this lane has an entry that is kept) for all entries, by whole warps, whose lanes take neighbouring
// entries, several of them at a time, so that what the functor loads for them is under way together.
template <class Keeper, class F>
GR_DEVICE void walk_in_warps(Context& ctx, const Csr& lists, Keeper& keeper, F f) {
  constexpr i64 MOST = 32 * WARP;  // entries of a share
  constexpr int BATCH = 4;
  const i64 n = ctx.graph.n, m = ctx.graph.m, warps = ctx.threads() / WARP;
  const i64 turns = (m + warps * MOST - 1) / (warps * MOST);  // shares of a warp
  const i64 share = turns ? (m / (warps * turns) / WARP + 1) * WARP : 0;
  for (i64 first = ctx.rank() / WARP * share; first < m; first += warps * share) {
    const i64 last = first + share < m ? first + share : m;
    Place place = Place::of(lists, 0, n, first + lane_id() < m ? first + lane_id() : m - 1);
    for (i64 base = first; base < last; base += BATCH * WARP) {
      vertex_t v[BATCH], u[BATCH];
      bool kept[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const i64 e = base + k * WARP + lane_id();
        kept[k] = e < last;
        if (kept[k]) place.go_to(lists, n, e);
        v[k] = vertex_t(place.v);
        u[k] = kept[k] ? lists.neighbor(edge_t(e)) : -1;
        if (kept[k] && e != place.begin) kept[k] = lists.neighbor(edge_t(e - 1)) != u[k];
        ctx.count_edges(e < last);
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) kept[k] = kept[k] && keeper.keeps(v[k], u[k]);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (base + k * WARP < last) f(v[k], u[k], kept[k]);
    }
  }
}

// The whole warp, whose lanes' rows rise: the lanes that have the same row as this one.
GR_DEVICE u32 lanes_of_row(vertex_t v) {
  const vertex_t before = warp_broadcast(v, (lane_id() + WARP - 1) % WARP);
  const u32 heads = warp_ballot(lane_id() == 0 || before != v);
  const int first = highest_bit(heads & ((2u << lane_id()) - 1));
  const u32 later = heads & ~((2u << first) - 1);
  return (later ? (1u << lowest_bit(later)) - 1 : ~0u) & ~((1u << first) - 1);
}

// One core: f(u) for the entries of v's list that are kept.
template <class F, class G>
GR_DEVICE void walk_kept(Context& ctx, const Csr& lists, F& keeper, vertex_t v, G f) {
  const Row row = lists.row(v);
  ctx.count_edges(row.length);
  for (edge_t e = row.begin; e < row.end(); ++e) {
    const vertex_t u = lists.neighbor(e);
    if ((e == row.begin || lists.neighbor(e - 1) != u) && keeper.keeps(v, u)) f(u);
  }
}

}  // namespace sublists

// Finds where the neighbours of each vertex with smaller numbers than its own end: they come first in its list, so they
// need no copy. For short lists without repetitions.
GR_DEVICE void find_smaller(Context& ctx, const Csr& lists, edge_t* ends) {
  for_each_index(ctx, ctx.graph.n, [&](i64 v) {
    const Row row = lists.row(v);
    edge_t e = row.begin;
    while (e < row.end() && lists.neighbor(e) < v) ++e;
    ends[v] = e;
  });
}
GR_DEVICE MadeLists smaller_in_place(const Csr& lists, const edge_t* ends) {
  return {lists.row_offsets, ends, lists.column_indices};
}

template <class F>
GR_DEVICE void count_entries(Context& ctx, const Csr& lists, const Sublists& made, F keeper) {
  if constexpr (WARP == 1) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      edge_t count = 0;
      sublists::walk_kept(ctx, lists, keeper, vertex_t(v), [&](vertex_t) { ++count; });
      made.ends[keeper.list(vertex_t(v))] += count;
    });
  } else {
    sublists::walk_in_warps(ctx, lists, keeper, [&](vertex_t v, vertex_t u, bool kept) {
      const u32 row = sublists::lanes_of_row(v), mates = row & warp_ballot(kept);
      if (kept && lane_id() == first_lane(mates)) atomic_add(&made.ends[keeper.list(v)], edge_t(popcount(mates)));
    });
  }
}

GR_DEVICE void sum_lengths(Context& ctx, i64 count, const Sublists& made, u64* sums) {
  sum_chunks(ctx, count, [&](i64 i) { return u64(made.ends[i]); }, sums);
}

GR_DEVICE void scan_lengths(Context& ctx, i64 count, const Sublists& made, const u64* sums) {
  scan_chunks(ctx, count, [&](i64 i) { return u64(made.ends[i]); }, sums, [&](i64 i, u64 before, u64 length) {
    made.offsets[i] = edge_t(before);
    made.ends[i] = edge_t(before);
    if (i == count - 1) made.offsets[count] = edge_t(before + length);
  });
}

template <class F>
GR_DEVICE void place_entries(Context& ctx, const Csr& lists, const Sublists& made, F keeper) {
  if constexpr (WARP == 1) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      edge_t& end = made.ends[keeper.list(vertex_t(v))];
      edge_t at = end;
      sublists::walk_kept(ctx, lists, keeper, vertex_t(v), [&](vertex_t u) { made.columns[at++] = keeper.entry(u); });
      end = at;
    });
  } else {
    sublists::walk_in_warps(ctx, lists, keeper, [&](vertex_t v, vertex_t u, bool kept) {
      const u32 row = sublists::lanes_of_row(v), mates = row & warp_ballot(kept);
      const int leader = mates ? first_lane(mates) : 0;
      edge_t at = 0;
      if (kept && lane_id() == leader) at = atomic_add(&made.ends[keeper.list(v)], edge_t(popcount(mates)));
      at = warp_broadcast(at, leader);
      if (kept) made.columns[at + popcount(mates & ((1u << lane_id()) - 1))] = keeper.entry(u);
    });
  }
}

}  // namespace gunrock
