// Gather over every vertex, of all entries, on cores: AllLists on the CPU backend.
//
// A core predicts where a list ends, and after a misprediction it has no loads in flight. So it processes a run
// of consecutive vertices at once: it adds up entries in memory order, whichever lists they belong to, and
// notes the running total before each entry; a list's total is the difference of two notes. No branch depends
// on a list's length [D-cores-9]. If the monoid has differences, no value may be negative, infinite or not a
// number. Unless the functor takes runs (FINISHES_RUNS), a list whose total is so small compared with the rest of
// its run that rounding would show is added up by itself.
#pragma once
#include "../core/collector.cuh"
#include "gather.cuh"
#include "search.cuh"

namespace gunrock {
namespace gathering {

// True if a monoid has `difference`.
template <class Monoid, class = void>
constexpr bool has_difference = false;
template <class Monoid>
constexpr bool has_difference<Monoid, Void<decltype(Monoid::difference(Monoid::nothing(), Monoid::nothing()))>> = true;

// A run of consecutive vertices, and their totals.
template <class Monoid, class F>
struct GatherRun {
  using Total = typename Monoid::Total;
  static constexpr int MOST = 64, ROOM = 4096;
  static constexpr edge_t LATER = 128;  // entries ahead whose values are prefetched
  static constexpr i64 NEARBY = 8192;   // but not values (floats) nearer than this, which are in the nearest cache
  const Csr& lists;
  F& f;
  const edge_t entries;  // of all lists
  i64 first = 0;
  int count = 0;
  Total totals[MOST];
  Total notes[ROOM + 1];  // the running total before each of the run's entries

  GR_DEVICE GatherRun(const Csr& all, i64 n, F& functor) : lists(all), f(functor), entries(all.row_begin(n)) {}

  // Gathers the vertices from v on, before `end`: as many as there is room for, up to the next multiple of
  // MOST. So the values that are added up together depend on the graph only, not on the number of cores.
  GR_DEVICE void gather(i64 v, i64 end) {
    const i64 stop = (v / MOST + 1) * MOST;
    first = v;
    count = int((stop < end ? stop : end) - v);
    if constexpr (has_difference<Monoid>) {
      while (count > 1 && length() > ROOM) count /= 2;
      if (count > 1) take_differences();
      else totals[0] = by_parts(lists.row(v));
    } else {
      for (int k = 0; k < count; ++k) totals[k] = one_by_one(lists.row(v + k));
    }
  }
  GR_DEVICE i64 length() const { return i64(lists.row_begin(first + count)) - i64(lists.row_begin(first)); }

 private:
  GR_DEVICE Total one_by_one(const Row& row) const {
    Total total = Monoid::nothing();
    for (edge_t at = row.begin; at < row.end(); ++at) Monoid::add(total, f.value(lists.neighbor(at), at));
    return total;
  }

  GR_DEVICE void take_differences() {
    const edge_t begin = lists.row_begin(first);
    note(begin, int(length()));
    const Total whole = notes[length()];
    bool lost = false;
    for (int k = 0; k < count; ++k) {
      const Row row = lists.row(first + k);
      totals[k] = Monoid::difference(notes[row.end() - begin], notes[row.begin - begin]);
      if constexpr (!F::FINISHES_RUNS) lost |= Monoid::is_lost(totals[k], whole) & (row.length > 0);
    }
    if (lost) find_lost(whole);
  }

  // Adds up by themselves the lists whose totals have lost too many digits.
  GR_DEVICE void find_lost(const Total& whole) {
    for (int k = 0; k < count; ++k)
      if (Monoid::is_lost(totals[k], whole)) totals[k] = one_by_one(lists.row(first + k));
  }

  // A list that may be longer than there is room for.
  GR_DEVICE Total by_parts(const Row& row) {
    Total total = Monoid::nothing();
    for (edge_t at = row.begin; at < row.end();) {
      const int part = row.end() - at < ROOM ? int(row.end() - at) : ROOM;
      note(at, part);
      Monoid::merge(total, notes[part]);
      at += part;
    }
    return total;
  }

  GR_DEVICE void note(edge_t begin, int length) {
    const bool more = length < entries - LATER - begin;  // else there is nothing to prefetch
    if (more && !(is_near(begin) && is_near(begin + length / 2))) note<true>(begin, length);
    else note<false>(begin, length);
  }
  GR_DEVICE bool is_near(edge_t entry) const {
    return u64(lists.neighbor(entry) - first + NEARBY) < u64(2 * NEARBY);
  }

  // Notes the running totals of `length` entries from `begin` on. ASKS: with prefetches.
  template <bool ASKS>
  GR_DEVICE void note(edge_t begin, int length) {
    auto value = [&](int k) {
      if constexpr (ASKS) f.ask(lists.neighbor(begin + LATER + k));
      return Monoid::widen(f.value(lists.neighbor(begin + k), begin + k));
    };
    Total sum = Monoid::nothing();
    notes[0] = sum;
    int k = 0;
    for (; k + 4 <= length; k += 4) {  // each sum depends only on the one four entries before
      Total one = value(k), two = value(k + 1), three = value(k + 2), four = value(k + 3);
      Monoid::merge(two, one);
      Monoid::merge(four, three);
      Monoid::merge(three, two);
      Monoid::merge(four, two);
      Total* const all[] = {&one, &two, &three, &four};
      for (Total* each : all) Monoid::merge(*each, sum);
      notes[k + 1] = one;
      notes[k + 2] = two;
      notes[k + 3] = three;
      notes[k + 4] = sum = four;
    }
    for (; k < length; ++k) {
      Monoid::merge(sum, value(k));
      notes[k + 1] = sum;
    }
  }
};

template <class Monoid, class F, class C>
GR_DEVICE void finish_run(F& f, const GatherRun<Monoid, F>& run, C& collect) {
  if constexpr (F::FINISHES_RUNS) {
    f.finish_run(vertex_t(run.first), run.count, run.totals);
  } else {
    for (int k = 0; k < run.count; ++k) {
      const vertex_t v = vertex_t(run.first + k);
      if (finish_vertex(f, v, f.own(v, run.lists.row(v).length), run.totals[k])) collect.push(item_t(v));
    }
  }
}

// Cores have equal shares of rows and entries, the same in every pass, so that on a graph whose neighbours have
// neighbouring numbers a core mostly gathers what it wrote itself. The second half of every share goes to
// whichever core is free [D-cores-1].
template <class Monoid, class F, class C>
GR_DEVICE void by_cores(Context& ctx, const Csr& lists, u64* tickets, F& f, C& collect) {
  constexpr i64 PIECES = 16, PARTS = 32;  // per share; half of its parts are dealt out dynamically
  const i64 n = ctx.graph.n;
  const i64 part = (i64(lists.row_offsets[n]) + n) / (PARTS * ctx.blocks) + 1;
  GatherRun<Monoid, F> run(lists, n, f);
  auto begin = [&](i64 number) {
    const i64 v = items_before(lists.row_offsets, n, number * part);
    return v < n ? v / run.MOST * run.MOST : n;
  };
  auto fold = [&](i64 first, i64 behind) {  // parts, counted over all shares
    const i64 end = begin(behind);
    for (i64 v = begin(first); v < end; v += run.count) {
      run.gather(v, end);
      ctx.count_edges(run.length());
      finish_run(f, run, collect);
    }
  };
  fold(ctx.block * PARTS, (ctx.block + 1) * PARTS - PIECES);
  for (i64 piece; (piece = i64(atomic_add(tickets, u64(1)))) < PIECES * ctx.blocks;) {
    const i64 first = (piece / PIECES + 1) * PARTS - PIECES + piece % PIECES;
    fold(first, first + 1);
  }
}

}  // namespace gathering
}  // namespace gunrock
