// Gather of rows: every vertex has ROW values side by side, and each column is folded over its neighbours
// separately. One neighbour is one line of memory (128 bytes of floats), so ROW answers cost little more than
// one. Called by PPR in batches and by WTF.
//
//   gather_rows<Monoid>(ctx, lists, f, policy)    a part of a step, over every vertex
//
// A functor is a RowFunctor with
//   own(v) -> Own                    what finish needs of v; its loads are in flight while v is folded
//   rows() -> const Value*           what neighbours contribute: n rows, and before them one of zeros
//   enter(first, count)              by the whole warp, before vertices [first, first + count) are finished
//   counts(u)                        false if u's row is zeros, and then may not be read
//   wants(v)                         true if v is finished even if no neighbour's row counted. Both are asked
//                                    only if eight lanes fold a list; otherwise all vertices are finished
//   finish(v, own, totals)           a thread hands over its columns of v (row.cuh)
// Every eight lanes of a warp read a row, four columns per lane by one load: a quarter of the instructions that
// one lane per column takes [D-rows-1].
// GR_ROWS_BY_OCTETS: eight lanes fold a list by themselves (gather_short_rows.cuh), for short even lists.
//
// If few vertices or few neighbours count, a ChosenRowFunctor has, instead of rows,
//   wants(v)                         true if v is to be folded and finished
//   mark(u) -> Mark                  a neighbour's number; 0 if it counts in no column
//   value(own, u, mark, column)      what a neighbour with a mark contributes
// Marks are loaded ahead of the rows, one lane per neighbour; a neighbour without a mark costs only that load.
//
// A warp takes WARP consecutive vertices and folds their lists one by one, with the entries loaded ahead of the
// rows. Lists longer than ROW_WARP_MAX, found in an earlier step by find_long_rows, are folded by a block each.
// The order in which a list is folded depends on the graph and the launch only.
#pragma once
#include "compute.cuh"
#include "gather.cuh"
#include "gather_short_rows.cuh"

namespace gunrock {

constexpr edge_t ROW_WARP_MAX = 512;  // longest list that a warp folds
constexpr i64 ROWS_SKEWED = 256;      // groups are dealt out dynamically if the longest list exceeds this

struct RowFunctor {
  static constexpr bool ALL = true;  // all vertices and neighbours count
  using Own = Nothing;
  using Mark = u32;
  GR_DEVICE Nothing own(vertex_t) { return {}; }
  GR_DEVICE void enter(i64, int) {}
  GR_DEVICE bool counts(vertex_t) { return true; }
  GR_DEVICE bool wants(vertex_t) { return true; }
};

struct ChosenRowFunctor : RowFunctor {
  static constexpr bool ALL = false;
};

// A step of its own, before steps that gather rows of these lists.
GR_DEVICE void find_long_rows(Context& ctx, const Csr& lists, const LongLists& found) {
  if constexpr (WARP == 1 || BY_OCTETS) return;
  find_longer(ctx, ctx.graph.n, lists, ROW_WARP_MAX, found.vertices, found.counts);
}

namespace row_gathering {

// The number of rows that a warp has in flight: equally many registers for either precision.
template <class Value>
constexpr int ROWS_AHEAD = 32 / int(sizeof(Value));

// The entries of consecutive lists, in registers: a window of WARP entries, and the next window, whose load is in
// flight. If neighbours have marks, those of both windows, too, and the entries of the window after them.
template <class F>
struct Entries {
  F& f;
  const Csr& lists;
  i64 end;    // of all entries that will be asked for
  i64 begin;  // of the current window
  vertex_t now, next, later;
  typename F::Mark mark, next_mark;

  GR_DEVICE Entries(F& functor, const Csr& csr, i64 first, i64 last) : f(functor), lists(csr), end(last), begin(first) {
    if constexpr (WARP > 1) open(first);
  }
  // The whole warp: entries [e, e + WARP) may be read from here on, and none before.
  GR_DEVICE void move_to(i64 e) {
    if constexpr (WARP == 1) return;
    if (e - begin >= 2 * WARP) {
      open(e);
    } else if (e - begin >= WARP) {
      begin += WARP;
      now = next;
      if constexpr (F::ALL) {
        next = load(begin + WARP);
      } else {
        mark = next_mark;
        next = later;
        next_mark = f.mark(next);
        later = load(begin + 2 * WARP);
      }
    }
  }
  // The whole warp: of the next WARP entries, lane (e - begin + k) % WARP gets entry e + k.
  GR_DEVICE vertex_t from(i64 e) {
    move_to(e);
    return lane_id() < e - begin ? next : now;
  }

 private:
  GR_DEVICE void open(i64 e) {
    begin = e;
    now = load(e);
    next = load(e + WARP);
    if constexpr (!F::ALL) {
      later = load(e + 2 * WARP);
      mark = f.mark(now);
      next_mark = f.mark(next);
    }
  }
  GR_DEVICE vertex_t load(i64 e) const {
    return end - e > lane_id() ? lists.neighbor(edge_t(e + lane_id())) : 0;
  }
};

// Joins the values of the rows in flight, then adds them to the totals.
template <class Monoid, int AHEAD>
GR_DEVICE void add_joined(typename Monoid::Value (&x)[AHEAD][COLUMNS],
                          typename Monoid::Total (&totals)[COLUMNS]) {
  GR_UNROLL
  for (int d = 1; d < AHEAD; d *= 2) {
    GR_UNROLL
    for (int k = 0; k + d < AHEAD; k += 2 * d) {
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c) Monoid::join(x[k][c], x[k + d][c]);
    }
  }
  GR_UNROLL
  for (int c = 0; c < COLUMNS; ++c) Monoid::add(totals[c], x[0][c]);
}

// The number of rows that eight lanes have in flight.
template <class Value>
constexpr int ROWS_DEEP = 16 / int(sizeof(Value));

// The whole warp: each lane passes in four columns of what its eight lanes have read, and gets back the column
// that column_at names, joined over all rows.
template <class Monoid>
GR_DEVICE typename Monoid::Value join_quads(const Quad<typename Monoid::Value>& quad) {
  using Value = typename Monoid::Value;
  const bool upper = lane_id() & 16, odd = lane_id() & 8;
  Value a = upper ? quad.x[2] : quad.x[0], b = upper ? quad.x[3] : quad.x[1];
  Monoid::join(a, warp_exchange(upper ? quad.x[0] : quad.x[2], 16));
  Monoid::join(b, warp_exchange(upper ? quad.x[1] : quad.x[3], 16));
  Value mine = odd ? b : a;
  Monoid::join(mine, warp_exchange(odd ? a : b, 8));
  return mine;
}

// A warp: a column of entries [first, end) in each lane. Rows in flight together are joined as Values.
template <class Monoid, class F>
GR_DEVICE void fold_quads(F& f, Entries<F>& entries, i64 first, i64 end, typename Monoid::Total& total) {
  using Value = typename Monoid::Value;
  constexpr int DEEP = ROWS_DEEP<Value>, AT_ONCE = WARP / 8;
  static_assert(DEEP * AT_ONCE <= WARP || WARP == 1, "the windows hold the entries of what is under way");
  const int mine = lane_id() / 8;
  const auto* quads = reinterpret_cast<const Quad<Value>*>(f.rows()) + lane_id() % 8;
  for (i64 e = first; e < end; e += DEEP * AT_ONCE) {
    Quad<Value> rows[DEEP];
    const vertex_t at_hand = entries.from(e);
    const int behind = int(e - entries.begin), left = end - e < WARP ? int(end - e) : WARP;
    // Beyond the end the last row is read again: the compiler would wait for a condition before it issues the
    // next load.
    GR_UNROLL
    for (int k = 0; k < DEEP; ++k) {
      const int at = k * AT_ONCE + mine, row = at < left ? at : left - 1;
      const vertex_t u = warp_broadcast(at_hand, (behind + row) & (WARP - 1));
      rows[k] = quads[i64(u) * 8];
    }
    GR_UNROLL
    for (int k = 0; k < DEEP; ++k) {
      const bool inside = k * AT_ONCE + mine < left;
      GR_UNROLL
      for (int c = 0; c < 4; ++c) rows[k].x[c] = inside ? rows[k].x[c] : Monoid::zero();
    }
    GR_UNROLL
    for (int d = 1; d < DEEP; d *= 2) {
      GR_UNROLL
      for (int k = 0; k + d < DEEP; k += 2 * d) join<Monoid>(rows[k], rows[k + d]);
    }
    Monoid::add(total, join_quads<Monoid>(rows[0]));
  }
}

// A warp, or a core: the columns of entries [first, end), added to the totals.
template <class Monoid, class F>
GR_DEVICE void fold_all_rows(F& f, Entries<F>& entries, i64 first, i64 end,
                             typename Monoid::Total (&totals)[COLUMNS]) {
  if constexpr (WARP > 1) {
    fold_quads<Monoid>(f, entries, first, end, totals[0]);
  } else {
    constexpr int AHEAD = ROWS_AHEAD<typename Monoid::Value>;
    for (i64 e = first; e < end; e += AHEAD) {
      typename Monoid::Value x[AHEAD][COLUMNS];
      for (int k = 0; k < AHEAD; ++k) {
        const bool inside = end - e > k;
        const auto* row = f.rows() + i64(entries.lists.neighbor(edge_t(inside ? e + k : e))) * ROW;
        for (int c = 0; c < COLUMNS; ++c) x[k][c] = inside ? row[c] : Monoid::zero();
      }
      add_joined<Monoid>(x, totals);
    }
  }
}

// The same for entries that have a mark.
template <class Monoid, class F>
GR_DEVICE void fold_marked_rows(F& f, const typename F::Own& own, Entries<F>& entries, i64 first, i64 end,
                                typename Monoid::Total (&totals)[COLUMNS]) {
  using Value = typename Monoid::Value;
  using Mark = typename F::Mark;
  if constexpr (WARP == 1) {
    for (i64 e = first; e < end; ++e) {
      const vertex_t u = entries.lists.neighbor(edge_t(e));
      const Mark mark = f.mark(u);
      if (mark == 0) continue;
      for (int c = 0; c < COLUMNS; ++c) Monoid::add(totals[c], f.value(own, u, mark, column_at(c)));
    }
  } else {
    constexpr int AHEAD = ROWS_AHEAD<Value>;
    for (i64 e = first; e < end;) {
      entries.move_to(e);
      const i64 behind = end - entries.begin < WARP ? end : entries.begin + WARP;
      const i64 mine = entries.begin + lane_id();
      u32 marked = warp_ballot(mine >= e && mine < behind && entries.mark != 0);
      while (marked != 0) {
        Value x[AHEAD][COLUMNS];
        GR_UNROLL
        for (int k = 0; k < AHEAD; ++k) {
          const bool inside = marked != 0;  // the same in all lanes
          const int lane = inside ? lowest_bit(marked) : 0;
          marked &= marked - 1;
          const vertex_t u = warp_broadcast(entries.now, lane);
          const Mark mark = warp_broadcast(entries.mark, lane);
          GR_UNROLL
          for (int c = 0; c < COLUMNS; ++c)
            x[k][c] = inside ? f.value(own, u, mark, column_at(c)) : Monoid::zero();
        }
        add_joined<Monoid>(x, totals);
      }
      e = behind;
    }
  }
}

// The columns of entries [first, end).
template <class Monoid, class F>
GR_DEVICE void fold_rows(F& f, const typename F::Own& own, Entries<F>& entries, i64 first, i64 end,
                         typename Monoid::Total (&totals)[COLUMNS]) {
  GR_UNROLL
  for (int c = 0; c < COLUMNS; ++c) totals[c] = Monoid::nothing();
  if constexpr (F::ALL) fold_all_rows<Monoid>(f, entries, first, end, totals);
  else fold_marked_rows<Monoid>(f, own, entries, first, end, totals);
}

// One list by the whole block: a slice for each warp; the first warp merges their totals in order.
template <class Monoid, class F>
GR_DEVICE void by_block(Context& ctx, const Csr& lists, F& f, vertex_t v) {
  using Total = typename Monoid::Total;
  Total(&parts)[WARPS][ROW] = ctx.shared.as<Total[WARPS][ROW]>();
  const Row row = lists.row(v);
  const edge_t slice = (row.length + WARPS - 1) / WARPS;
  const edge_t begin = row.length < warp_id() * slice ? row.end() : row.begin + warp_id() * slice;
  const edge_t end = row.end() - begin < slice ? row.end() : begin + slice;
  f.enter(v, 1);
  const auto own = f.own(v);
  Total totals[COLUMNS];
  Entries<F> entries(f, lists, begin, end);
  fold_rows<Monoid>(f, own, entries, begin, end, totals);
  GR_UNROLL
  for (int c = 0; c < COLUMNS; ++c) parts[warp_id()][column_at(c)] = totals[c];
  block_sync();
  if (warp_id() == 0) {
    for (int w = 1; w < WARPS; ++w) {
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c) Monoid::merge(totals[c], parts[w][column_at(c)]);
    }
    f.finish(v, own, totals);
  }
  block_sync();  // before the parts are written again
}

// A warp: the lists of WARP consecutive vertices, one by one.
template <class Monoid, class F>
GR_DEVICE void by_group(Context& ctx, const Csr& lists, F& f, i64 first) {
  const i64 n = ctx.graph.n;
  const Row row = lists.row_within(first + lane_id(), n);
  const edge_t begin = row.begin, end = row.end();
  u32 wanted = ~0u;
  if constexpr (!F::ALL) {
    wanted = warp_ballot(first + lane_id() < n && f.wants(vertex_t(first + lane_id())));
    if (wanted == 0) return;
  }
  f.enter(first, WARP);
  Entries<F> entries(f, lists, warp_broadcast(begin, 0), warp_broadcast(end, WARP - 1));
  for (int lane = 0; lane < WARP && first + lane < n; ++lane) {
    if (!F::ALL && !(wanted >> lane & 1)) continue;
    const vertex_t v = vertex_t(first + lane);
    const edge_t from = warp_broadcast(begin, lane), to = warp_broadcast(end, lane);
    if (WARP > 1 && to - from > ROW_WARP_MAX) continue;
    const auto own = f.own(v);
    typename Monoid::Total totals[COLUMNS];
    fold_rows<Monoid>(f, own, entries, from, to, totals);
    f.finish(v, own, totals);
  }
  const bool mine = (WARP == 1 || end - begin <= ROW_WARP_MAX) && (wanted >> lane_id() & 1);
  ctx.count_edges(mine ? end - begin : 0);
}

// On a core: consecutive vertices, SHARE at a time for whichever core is free, whatever their lists' lengths.
template <class Monoid, class F>
GR_DEVICE void by_cores(Context& ctx, const Csr& lists, F& f, u64* tickets) {
  constexpr i64 SHARE = 64;
  const i64 n = ctx.graph.n;
  for (;;) {
    const i64 first = i64(atomic_add(tickets, u64(1))) * SHARE;
    if (first >= n) return;
    for (i64 v = first; v < n && v < first + SHARE; ++v) by_group<Monoid>(ctx, lists, f, v);
  }
}

}  // namespace row_gathering

// `tickets` is zero when the step begins.
template <class Monoid, class F>
GR_DEVICE void gather_rows(Context& ctx, const Csr& lists, F& f, u64* tickets, const LongLists& known) {
  if constexpr (WARP == 1) {
    row_gathering::by_cores<Monoid>(ctx, lists, f, tickets);
  } else if constexpr (BY_OCTETS) {
    static_assert(F::ALL, "eight lanes fold whole lists only");
    row_gathering::by_octets<Monoid>(ctx, lists, f);
  } else {
    const int count = known.counts[0];
    for (i64 i = ctx.block; i < count; i += ctx.blocks) {
      const vertex_t v = known.vertices[i];
      if constexpr (!F::ALL) {
        if (!f.wants(v)) continue;
      }
      if (thread_id() == 0) ctx.count_edges(lists.row(v).length);
      row_gathering::by_block<Monoid>(ctx, lists, f, v);
    }
    const i64 groups = (ctx.graph.n + WARP - 1) / WARP, warps = ctx.threads() / WARP;
    // If degrees are even, a fixed distribution is as balanced as a dynamic one, and needs no atomic.
    const bool dynamic = lists.max_degree > ROWS_SKEWED;
    for (i64 group = ctx.rank() / WARP; group < groups;) {
      u64 ticket = 0;
      if (dynamic && lane_id() == 0) ticket = atomic_add(tickets, u64(1));
      row_gathering::by_group<Monoid>(ctx, lists, f, group * WARP);
      group = dynamic ? warps + i64(warp_broadcast(ticket, 0)) : group + warps;
    }
  }
}

}  // namespace gunrock
