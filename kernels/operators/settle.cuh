// Settle: a gather that ends only when every vertex is decided. A vertex that has to wait for a neighbour
// waits for that one alone: it is asked for again and again, and only when the wait is over is the list looked
// through again. Threads read what others write meanwhile and wait for no barrier: for values that only get
// nearer to their end, where a value that is out of date delays and never misleads. (As ECL's codes for
// independent sets and colorings do.) [D-settle-1]
//
//   settle<Monoid, LANES, BATCH>(ctx, who, lists, f, waits)
//
// LANES threads share a list. `waits` has room for as many as `who` has. A functor is a gather's (NOTIFIES
// as there) with
//   wants(v) -> bool        whether v is open
//   read(v)                 v's list is about to be folded by this thread
//   finish(v, total)        one thread hands over the fold of v's list; true: v has to wait
//   awaited(total)          for whom
//   ask(v, u) -> Waited     whether v, which waits for u, still has to; from then on it reads past its
//   fresh                   multiprocessor's cache, or else it might wait for ever
//
// Each warp has vertices of its own, and keeps those that wait in its own part of `waits`: all of them are
// asked in turn, so that whoever waits for nobody is always found.
#pragma once
#include "gather.cuh"

namespace gunrock {

enum class Waited { settled, longer, over };  // over: v's list is to be looked through again

namespace settling {

// Who waits for whom, as one word.
struct Wait {
  vertex_t v, u;
  GR_DEVICE u64 word() const { return u64(u32(u)) << 32 | u32(v); }
  GR_DEVICE static Wait of(u64 word) { return {vertex_t(u32(word)), vertex_t(word >> 32)}; }
};

// What waits of a warp's vertices.
struct Waits {
  u64* list;
  i64 count = 0;

  // The whole warp: adds those for which `waits` holds. `from` is where they have stood, -1 if nowhere.
  GR_DEVICE void add(bool waits, const Wait& wait, i64 from) {
    const u32 all = warp_ballot(waits);
    const i64 place = count + popcount(all & ((1u << lane_id()) - 1));
    if (waits && place != from) list[place] = wait.word();
    count += popcount(all);
  }
};

template <int LANES>
struct Group {
  static constexpr int SIZE = LANES < WARP ? LANES : WARP;
  static constexpr int EACH = WARP / SIZE;  // groups of a warp
  GR_DEVICE static int number() { return lane_id() / SIZE; }
  GR_DEVICE static int lane() { return lane_id() % SIZE; }
  GR_DEVICE static u32 mask() {
    return SIZE == 32 ? ~0u : ((1u << SIZE % 32) - 1) << number() * SIZE;
  }
};

// The whole warp, a list for each group: its fold, for all lanes of the group.
template <class Monoid, class Group, int BATCH, class Lists, class F>
GR_DEVICE typename Monoid::Total by_groups(Context& ctx, const Lists& lists, F& f, vertex_t v, const Row& row) {
  typename Monoid::Total total = Monoid::nothing();
  if constexpr (Group::SIZE == 1) {
    fold_part<Monoid, BATCH>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), total);
  } else if constexpr (Monoid::FIRST) {
    u32 hits = 0;
    for (edge_t base = row.begin; warp_ballot(base < row.end());) {
      const bool more = row.end() - base > BATCH * Group::SIZE;
      const edge_t stop = more ? base + BATCH * Group::SIZE : row.end();
      if (base < stop)
        fold_part<Monoid, BATCH>(ctx, lists, f, v, base + Group::lane(), stop, edge_t(Group::SIZE), total);
      hits = warp_ballot(Monoid::decided(total)) & Group::mask();
      base = hits ? row.end() : stop;
    }
    total = Monoid::of_lane(total, hits ? lowest_bit(hits) : lane_id());
  } else {
    fold_part<Monoid, BATCH>(ctx, lists, f, v, row.begin + Group::lane(), row.end(), edge_t(Group::SIZE),
                             total);
    fold_lanes<Monoid>(total, Group::SIZE);
  }
  return total;
}

// The whole warp: looks through the lists of the lanes' own vertices, where `looks` holds.
template <class Monoid, int LANES, int BATCH, class Lists, class F>
GR_DEVICE void look(Context& ctx, const Lists& lists, F& f, bool looks, vertex_t v, Waits& waits) {
  using Group = settling::Group<LANES>;
  for (u32 left = warp_ballot(looks); left;) {
    vertex_t own = v;
    bool mine = looks;
    if constexpr (Group::SIZE > 1) {  // the group takes the vertex of one of the lanes that are left
      u32 from = left;
      for (int k = 0; k < Group::number(); ++k) from &= from - 1;
      GR_UNROLL
      for (int k = 0; k < Group::EACH; ++k) left &= left - 1;
      mine = from != 0;
      own = warp_broadcast(v, from ? lowest_bit(from) : lane_id());
    } else {
      left = 0;
    }
    Row row = {0, 0};
    if (mine) {
      row = lists.row(own);
      f.read(own);
    }
    const auto total = by_groups<Monoid, Group, BATCH>(ctx, lists, f, own, row);
    const bool leads = mine && Group::lane() == 0;
    const bool waiting = leads && f.finish(own, total);
    if constexpr (F::NOTIFIES) {
      if (mine && f.notifies(total))
        notify_entries<BATCH>(ctx, lists, f, own, row.begin + Group::lane(), row.end(), edge_t(Group::SIZE));
    }
    waits.add(waiting, {own, f.awaited(total)}, -1);
  }
}

}  // namespace settling

// A part of a step.
template <class Monoid, int LANES, int BATCH, class Who, class Lists, class F>
GR_DEVICE void settle(Context& ctx, const Who& who, const Lists& lists, F&& f, u64* waits) {
  using namespace settling;
  const i64 warps = ctx.threads() / WARP, warp = i64(ctx.block) * WARPS + warp_id();
  const i64 first = warp * who.count / warps, end = (warp + 1) * who.count / warps;
  Waits open{waits + first};
  for (i64 base = first; base < end; base += WARP) {
    const i64 i = base + lane_id();
    vertex_t v = 0;
    bool looks = false;
    if (i < end) {
      v = vertex_t(who.at(i));
      lists.prefetch_row(v);
      looks = f.wants(v);
    }
    look<Monoid, LANES, BATCH>(ctx, lists, f, looks, v, open);
  }
  f.fresh = true;
  for (int rounds = 0; open.count > 0; ++rounds) {
    const i64 count = open.count;
    open.count = 0;
    for (i64 base = 0; base < count; base += WARP) {
      const i64 i = base + lane_id();
      Wait wait = {0, 0};
      Waited now = Waited::settled;
      warp_sync();  // what other lanes have kept is there
      if (i < count) {
        wait = Wait::of(open.list[i]);
        now = f.ask(wait.v, wait.u);
      }
      warp_sync();  // all have theirs, and it may be written over
      open.add(now == Waited::longer, wait, i);
      look<Monoid, LANES, BATCH>(ctx, lists, f, now == Waited::over, wait.v, open);
    }
    pause(rounds);
  }
}

}  // namespace gunrock
