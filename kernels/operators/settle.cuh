// Settle: a gather again and again, by every thread over the vertices that are its own, until it keeps none
// of them. Threads read what others write meanwhile and wait for no barrier: for values that only get
// nearer to their end, where a value that is out of date delays and never misleads. (As ECL's codes for
// independent sets and colorings do.) Lists are walked by one thread each: for graphs of short ones [D-settle-1].
//
//   settle<Monoid, BATCH>(ctx, count, lists, f)      over vertices 0 to count - 1
//
// f is a gather's functor that reads past its multiprocessor's cache; finish answers whether to ask again.
#pragma once
#include "gather.cuh"

namespace gunrock {

namespace settling {

constexpr int STRIPES = 64;  // parts of a thread's vertices, a bit each: whether any is left

// One stripe: on a GPU neighbouring threads take neighbouring vertices, on a CPU each a run of them.
struct Stripe {
  i64 first, end, step;
};
GR_DEVICE Stripe stripe(const Context& ctx, i64 count, int number) {
  if constexpr (WARP > 1) {
    return {ctx.rank() + number * ctx.threads(), count, STRIPES * ctx.threads()};
  } else {
    const i64 length = (count + STRIPES * ctx.threads() - 1) / (STRIPES * ctx.threads());
    const i64 first = (ctx.rank() * STRIPES + number) * length;
    return {first, first + length < count ? first + length : count, 1};
  }
}

// True when v is to be asked again.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE bool ask(Context& ctx, const Lists& lists, F& f, vertex_t v) {
  if (!f.wants(v)) return false;
  const Row row = lists.row(v);
  typename Monoid::Total total = Monoid::nothing();
  fold_part<Monoid, BATCH>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), total);
  const bool again = f.finish(v, total);
  if constexpr (F::NOTIFIES) {
    if (f.notifies(total)) notify_entries<BATCH>(ctx, lists, f, v, row.begin, row.end(), edge_t(1));
  }
  return again;
}

}  // namespace settling

// A part of a step.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void settle(Context& ctx, i64 count, const Lists& lists, F&& f) {
  using namespace settling;
  u64 open = ~u64(0);
  for (int sweeps = 0; open; ++sweeps) {
    u64 left = 0;
    for (u64 stripes = open; stripes; stripes &= stripes - 1) {
      const int number = lowest_bit(stripes);
      const Stripe mine = stripe(ctx, count, number);
      for (i64 v = mine.first; v < mine.end; v += mine.step)
        if (ask<Monoid, BATCH>(ctx, lists, f, vertex_t(v))) left |= u64(1) << number;
    }
    open = left;
    if (open) pause(sweeps);
  }
}

}  // namespace gunrock
