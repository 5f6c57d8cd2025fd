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
//   see(v, u) -> u32        what there is to see of v, which waits for u, by loads alone;
//   ask(v, u, seen)         whether it still has to wait
//   fresh                   set when waiting begins: from then on it reads past its multiprocessor's cache,
//                           or else it might wait for ever
//
// Each warp has vertices of its own, and keeps those that wait in its own part of `waits`: all of them are
// asked about in turn, so that whoever waits for nobody is always found. What it all takes is latency, so
// several loads of a thread are under way together, and lists are looked through when there is one for every
// lane.
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
  int count = 0;

  // The whole warp: adds those for which `waits` holds. `from` is where they have stood, -1 if nowhere.
  GR_DEVICE void add(bool waits, const Wait& wait, int from) {
    const u32 all = warp_ballot(waits);
    const int place = count + popcount(all & ((1u << lane_id()) - 1));
    if (waits && place != from) list[place] = wait.word();
    count += popcount(all);
  }
};

constexpr int AT_ONCE = WARP > 1 ? GR_AT : 1;  // vertices of a lane whose loads are under way together

// A warp's vertices whose lists are to be looked through.
struct Ready {
  static constexpr int ROOM = (AT_ONCE + 1) * WARP;
  vertex_t* vertices;
  int count = 0;

  // The whole warp: adds those for which `looks` holds.
  GR_DEVICE void add(bool looks, vertex_t v) {
    const u32 all = warp_ballot(looks);
    if (looks) vertices[count + popcount(all & ((1u << lane_id()) - 1))] = v;
    count += popcount(all);
  }
  // The whole warp: one for each lane, as far as there are; -1: none.
  GR_DEVICE vertex_t take() {
    warp_sync();  // what was added is there
    const int taken = count < WARP ? count : WARP;
    count -= taken;
    const vertex_t v = lane_id() < taken ? vertices[count + lane_id()] : -1;
    warp_sync();
    return v;
  }
};
struct Storage {
  vertex_t ready[WARPS][Ready::ROOM];
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

// The whole warp: looks through the lists of the lanes' own vertices; -1: none.
template <class Monoid, int LANES, int BATCH, class Lists, class F>
GR_DEVICE void look(Context& ctx, const Lists& lists, F& f, vertex_t v, Waits& waits) {
  using Group = settling::Group<LANES>;
  const int count = popcount(warp_ballot(v >= 0));  // the first lanes have them
  for (int first = 0; first < count; first += Group::EACH) {
    const int from = first + Group::number();
    const vertex_t own = Group::SIZE > 1 ? warp_broadcast(v, from % WARP) : v;
    const bool mine = from < count;
    Row row = {0, 0};
    if (mine) {
      row = lists.row(own);
      f.read(own);
    }
    const auto total = by_groups<Monoid, Group, BATCH>(ctx, lists, f, own, row);
    const bool waiting = mine && Group::lane() == 0 && f.finish(own, total);
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
  const i64 first = warp * who.count / warps;
  const int all = int((warp + 1) * who.count / warps - first);
  Waits open{waits + first};
  Ready ready{ctx.shared.as<Storage>().ready[warp_id()]};
  const auto look_at = [&](int least) {
    while (ready.count >= least) look<Monoid, LANES, BATCH>(ctx, lists, f, ready.take(), open);
  };
  for (int base = lane_id(); base - lane_id() < all; base += AT_ONCE * WARP) {
    vertex_t v[AT_ONCE];
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k) {
      v[k] = base + k * WARP < all ? vertex_t(who.at(first + base + k * WARP)) : -1;
      if (v[k] >= 0) lists.prefetch_row(v[k]);
    }
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      if (v[k] >= 0 && !f.wants(v[k])) v[k] = -1;
#if GR_PRE
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      if (v[k] >= 0) lists.prefetch_entries(lists.row(v[k]));
#endif
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k) ready.add(v[k] >= 0, v[k]);
    look_at(base - lane_id() + AT_ONCE * WARP < all ? WARP : 1);
  }
  f.fresh = true;
  for (int rounds = 0; open.count > 0; ++rounds) {
    const int count = open.count;
    open.count = 0;  // nothing is ready: so no more is ever kept than has been read
    for (int base = 0; base < count; base += AT_ONCE * WARP) {
      Wait wait[AT_ONCE];
      u32 seen[AT_ONCE];
      warp_sync();  // what other lanes have kept is there
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k) {
        const int i = base + k * WARP + lane_id();
        wait[k] = i < count ? Wait::of(open.list[i]) : Wait{0, 0};
      }
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k) seen[k] = f.see(wait[k].v, wait[k].u);
      warp_sync();  // all have theirs, and it may be written over
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k) {
        const int i = base + k * WARP + lane_id();
        const Waited now = i < count ? f.ask(wait[k].v, wait[k].u, seen[k]) : Waited::settled;
        open.add(now == Waited::longer, wait[k], i);
        ready.add(now == Waited::over, wait[k].v);
      }
      look_at(base + AT_ONCE * WARP < count ? WARP : 1);
    }
    pause(rounds);
  }
}

}  // namespace gunrock
