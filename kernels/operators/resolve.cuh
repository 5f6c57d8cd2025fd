// Resolve: a gather that ends only when every vertex is decided. A vertex that has to wait for neighbours records
// which ones; only these are polled, and its list is walked again after the wait only if necessary. Threads read
// what others write at the same time and wait for no barrier. This suits values that only get nearer to their
// final ones, so that an outdated value delays but never misleads. (ECL's codes for independent sets and colorings
// work like this.) Called by MIS and coloring. [D-settle-1]
//
//   resolve<Monoid, LANES, BATCH>(ctx, who, lists, f, room)
//
// LANES threads share a list. `room` holds a Wait for every member of `who`. A functor is a gather's (including
// NOTIFIES) with
//   wants(v) -> bool        true if v is undecided
//   read(v)                 called before this thread folds v's list
//   finish(v, total)        one thread hands over the fold of v's list; true if v has to wait
//   wait(v, total) -> Wait  the neighbour that v waits for
//   ask(wait) -> Answer     loads that neighbour's state; called several times before the first answer is used
//   judge(wait, answer) -> Waited   says if wait.v still has to wait
//   fresh                   set once the waiting begins: from then on f reads past its multiprocessor's cache, as
//                           otherwise it might wait for ever
//
// Each warp has vertices of its own, and keeps those that wait in its own part of `room`, or of its block's shared
// memory if that (GR_SHARED_CACHE) has room for all of them [D-settle-3]. The warp polls all of them in turn, so a
// vertex that waits for no undecided neighbour is always found. Vertices whose wait is over are walked together,
// as many as the warp has lanes [D-settle-2].
#pragma once
#include "../core/lane_group.cuh"
#include "gather.cuh"
#include "rows_ahead.cuh"

namespace gunrock {

enum class Waited { done, longer, ready };  // ready: v's list has to be walked again

// A vertex and the one neighbour that it waits for.
struct alignas(8) Wait {
  vertex_t v, u;
  GR_DEVICE static Wait none() { return {-1, -1}; }
  GR_DEVICE bool there() const { return v >= 0; }
};

namespace resolving {

// Waits that a lane asks about at once: only one if threads share a list, as they hold its entries in registers.
constexpr int MOST_AT_ONCE = 4;
template <int LANES>
constexpr int AT_ONCE = LANES == 1 ? MOST_AT_ONCE : 1;

// Each warp's vertices whose wait is over, until there are as many as the warp has lanes.
struct ReadyVertices {
  vertex_t ready[WARPS][(MOST_AT_ONCE + 1) * WARP];
};

// A warp's vertices that wait, and those whose wait is over.
struct WarpWaits {
  Wait* list;
  vertex_t* ready;
  int count = 0, many_ready = 0;

  GR_DEVICE static int rank_in(u32 lanes) { return popcount(lanes & ((1u << lane_id()) - 1)); }
  // The whole warp: adds the waits of lanes with `waits`. A wait that is already in its place (`at`) is not
  // written.
  GR_DEVICE void add(bool waits, const Wait& wait, int at = -1) {
    const u32 all = warp_ballot(waits);
    const int place = count + rank_in(all);
    if (waits && place != at) list[place] = wait;
    count += popcount(all);
  }
  GR_DEVICE void add_ready(bool is_ready, vertex_t v) {
    const u32 all = warp_ballot(is_ready);
    if (is_ready) ready[many_ready + rank_in(all)] = v;
    many_ready += popcount(all);
  }
};

// The whole warp, one list per group: the list's fold, for all lanes of the group.
template <class Monoid, class Group, int BATCH, class Lists, class F>
GR_DEVICE typename Monoid::Total by_groups(Context& ctx, const Lists& lists, F& f, vertex_t v, const Row& row) {
  typename Monoid::Total total = Monoid::nothing();
  if constexpr (Group::SIZE == 1) {
    fold_part<Monoid, BATCH>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), total);
  } else if constexpr (Monoid::SHORT_CIRCUITS) {
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

// A lane's row if each lane has a list to itself. Groups look up a row when they come to it.
template <int LANES, class Lists>
GR_DEVICE Row own_row(const Lists& lists, bool wanted, vertex_t v) {
  return LaneGroup<LANES>::SIZE == 1 && wanted ? lists.row(v) : Row{0, 0};
}

// The whole warp: walks the lists of the lanes' own vertices, if `wanted`.
template <class Monoid, int LANES, int BATCH, class Lists, class F>
GR_DEVICE void look(Context& ctx, const Lists& lists, F& f, bool wanted, vertex_t v, Row row,
                    WarpWaits& waits) {
  using Group = LaneGroup<LANES>;
  for (u32 left = warp_ballot(wanted); left;) {
    vertex_t own = v;
    bool mine = wanted;
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
    if (!mine) row = {0, 0};
    else if (Group::SIZE > 1) row = lists.row(own);
    if (mine) f.read(own);
    const auto total = by_groups<Monoid, Group, BATCH>(ctx, lists, f, own, row);
    const bool leads = mine && Group::lane() == 0;
    const bool waiting = leads && f.finish(own, total);
    if constexpr (F::NOTIFIES) {
      if (mine && f.notifies(total))
        notify_entries<BATCH>(ctx, lists, f, own, row.begin + Group::lane(), row.end(), edge_t(Group::SIZE));
    }
    waits.add(waiting, f.wait(own, total));
  }
}

// The whole warp: walks the lists of vertices whose wait is over, one per lane.
template <class Monoid, int LANES, int BATCH, class Lists, class F>
GR_DEVICE void look_again(Context& ctx, const Lists& lists, F& f, WarpWaits& waits) {
  const int taken = waits.many_ready < WARP ? waits.many_ready : WARP;
  warp_sync();  // other lanes' writes can be read
  waits.many_ready -= taken;
  const bool wanted = lane_id() < taken;
  const vertex_t v = wanted ? waits.ready[waits.many_ready + lane_id()] : 0;
  warp_sync();  // the places may be overwritten
  look<Monoid, LANES, BATCH>(ctx, lists, f, wanted, v, own_row<LANES>(lists, wanted, v), waits);
}

// The whole warp: asks about SOME waits per lane, from `base` on.
template <int SOME, class F, class Lists>
GR_DEVICE void ask_some(const Lists& lists, F& f, int base, int count, WarpWaits& waits) {
  Wait wait[SOME];
  typename F::Answer answer[SOME];
  warp_sync();  // other lanes' waits are written
  GR_UNROLL
  for (int k = 0; k < SOME; ++k) {
    const int i = base + k * WARP + lane_id();
    wait[k] = i < count ? waits.list[i] : Wait::none();
  }
  GR_UNROLL
  for (int k = 0; k < SOME; ++k)
    if (wait[k].there()) answer[k] = f.ask(wait[k]);
  warp_sync();  // all lanes have read theirs, so they may be overwritten
  GR_UNROLL
  for (int k = 0; k < SOME; ++k) {
    const Waited now = wait[k].there() ? f.judge(wait[k], answer[k]) : Waited::done;
    if (now == Waited::ready) lists.prefetch_row(wait[k].v);
    waits.add(now == Waited::longer, wait[k], base + k * WARP + lane_id());
    waits.add_ready(now == Waited::ready, wait[k].v);
  }
}

// Where a warp keeps its waits, at most `most`: in shared memory if there is room, else in `room` from `first`
// on.
GR_DEVICE Wait* waits_of_warp(Context& ctx, u32 first, u32 most, u64* room) {
  Wait* const near = ctx.shared.shared_cache<Wait>();
  const bool fits = near && i64(most) * WARPS * i64(sizeof(Wait)) <= SHARED_CACHE_BYTES;
  return fits ? near + warp_id() * most : (Wait*)room + first;
}

// The whole warp, one list per lane: walks the lists of [first, end). The first entries of the next lists are
// in flight meanwhile [D-settle-3].
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void look_at_all(Context& ctx, const Lists& lists, F& f, u32 first, u32 end, WarpWaits& waits) {
  static_assert(!F::NOTIFIES, "those that are notified wait for nothing");
  if (first >= end) return;
  RowsAhead<Lists> rows(lists, first, end);
  Row row = rows.take(first);
  vertex_t u[BATCH], ahead[BATCH];
  load_entries(ctx, lists, row.begin, row.end(), edge_t(1), u);
  for (u32 base = first; base < end; base += WARP) {
    const Row next = rows.take(base + WARP);
    load_entries(ctx, lists, next.begin, next.end(), edge_t(1), ahead);
    const vertex_t v = vertex_t(base + lane_id());
    const bool wanted = u32(v) < end && f.wants(v);
    auto total = Monoid::nothing();
    if (wanted) {
      f.read(v);
      f.fold(v, u, total);
      fold_part<Monoid, BATCH>(ctx, lists, f, v, row.begin + BATCH, row.end(), edge_t(1), total);
    }
    waits.add(wanted && f.finish(v, total), f.wait(v, total));
    row = next;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) u[k] = ahead[k];
  }
}

}  // namespace resolving

template <class Who>
constexpr bool is_all = false;
template <>
constexpr bool is_all<Range> = true;

// A part of a step. If `who` is all vertices, `lists` are the graph's.
template <class Monoid, int LANES, int BATCH, class Who, class Lists, class F>
GR_DEVICE void resolve(Context& ctx, const Who& who, const Lists& lists, F f, u64* room) {
  using namespace resolving;
  constexpr int SOME = AT_ONCE<LANES>;
  const i64 warps = ctx.threads() / WARP, warp = i64(ctx.block) * WARPS + warp_id();
  const u32 first = u32(warp * who.count / warps), end = u32((warp + 1) * who.count / warps);  // below 2^31
  WarpWaits open{waits_of_warp(ctx, first, u32(who.count / warps) + 1, room),
                 ctx.shared.as<ReadyVertices>().ready[warp_id()]};
  if constexpr (F::FOLDS && LaneGroup<LANES>::SIZE == 1 && is_all<Who>) {
    look_at_all<Monoid, BATCH>(ctx, lists, f, first, end, open);
  } else {
    const bool ahead = LaneGroup<LANES>::SIZE == 1 && in_order(who);
    RowsAhead<Lists> rows(lists, ahead ? first : 0, ahead ? end : 0);
    for (u32 base = first; base < end; base += WARP) {
      const u32 i = base + lane_id();
      vertex_t v = 0;
      bool wanted = false;
      if (i < end) {
        v = vertex_t(who.at(i));
        if (!ahead) lists.prefetch_row(v);
        wanted = f.wants(v);
      }
      const Row row = ahead ? rows.take(base) : own_row<LANES>(lists, wanted, v);
      look<Monoid, LANES, BATCH>(ctx, lists, f, wanted, v, row, open);
    }
  }
  f.fresh = true;
  for (int rounds = 0; open.count > 0; ++rounds) {
    const int count = open.count;
    open.count = 0;
    for (int base = 0; base < count; base += SOME * WARP) {
      ask_some<SOME>(lists, f, base, count, open);
      const int least = base + SOME * WARP < count ? WARP : 1;
      while (open.many_ready >= least) look_again<Monoid, LANES, BATCH>(ctx, lists, f, open);
    }
    pause(rounds);
  }
}

}  // namespace gunrock
