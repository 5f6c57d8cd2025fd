// Pull: each candidate vertex looks through its in-neighbours for one in the frontier, and stops at
// the first (Beamer's bottom-up step; Gunrock, section 5.1.4). It is a gather of the first entry that a
// functor accepts.
//
// A functor is a VertexFunctor's counterpart for in-edges:
//   bool wants(v)          is v still a candidate?
//   bool peek(s, v, e)     does in-edge e from s reach v? (s in the frontier, usually)
//   PREDICATED             as in an EdgeFunctor: peek gets, before s, whether to ask at all
//   void apply(s, v, e)    what to do with the first edge that does
//
// Candidates that found nothing fill the next frontier, so that the next pull looks at no others; candidates
// without in-edges do not.
#pragma once
#include "../core/bitmap.cuh"
#include "gather.cuh"

namespace gunrock {

namespace pulling {

// How the candidates' lists are shared out (a policy of gather). Most candidates find a parent within a few
// entries, so a thread begins each list by itself. Part of a warp then shares what is left, a larger part the
// fewer lists are left, and the block takes the longest after all others. Neighbouring candidates that do not go to
// the same warp go to different blocks, and few candidates are spread over all blocks [D-pull-1]. Where there are
// only a few turns, all warps of a block share what is left evenly, after the last of them [D-pull-3].
struct PullTiers {
  static constexpr edge_t HEAD = 8;       // entries that a thread looks at
  static constexpr int BATCH = 4;         // loads in flight per thread
  static constexpr int TEAMS = 4;         // most teams that a warp is divided into
  static constexpr edge_t BLOCK_FROM = 1024;
  static constexpr i64 FEW_TURNS = 2;     // of the grid: in more of them a warp's luck evens out

  // A thread's candidate, and the part of its list that has not been looked at yet.
  struct Search {
    vertex_t v = 0;
    edge_t begin = 0, end = 0;
    GR_DEVICE bool open() const { return begin < end; }
    GR_DEVICE void close() { begin = end; }
  };
  // What the threads of a block keep for later. What finds no room is done at once.
  template <class Item, int ROOM>
  struct Kept {
    static constexpr int MOST = WARP > 1 ? ROOM : 1;
    Item items[MOST];
    GR_DEVICE bool keep(int& count, const Item& item) {
      const int place = reserve(&count);
      if (place < MOST) items[place] = item;
      return place < MOST;
    }
    GR_DEVICE static int kept(int count) { return count < MOST ? count : MOST; }
  };
  struct Storage {
    Kept<item_t, PASS> lists;      // the long ones, for the whole block
    Kept<Search, PASS / 2> rests;  // what threads have left, for all warps of the block
  };
  // A candidate of a later turn (or -1): what has been loaded of it and, once someone asks, whether it is wanted.
  template <class Wanted>
  struct Coming {
    vertex_t v;
    Csr::Offsets list;
    Wanted wanted;
    template <class Who>
    GR_DEVICE Search search(const Who& who) const {
      const bool open = v >= 0 && wanted && who.holds(item_t(v));
      return {v, open ? list.begin : edge_t(0), open ? list.end : edge_t(0)};
    }
  };

  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void run(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) {
    static_assert(Monoid::FIRST && !F::EMPTY_LISTS && !F::NOTIFIES, "made for the first entry found");
    // A core looks at one entry at a time: most candidates need one or two [D-cores-2].
    if constexpr (WARP == 1) ByThread<1>{}.template run<Monoid>(ctx, who, lists, f, collect);
    else by_warps<Monoid>(ctx, who, lists, f, collect);
  }

 private:
  // Loads that nothing waits for yet. Where there is no candidate, those of the first vertex with a row here.
  template <class Lists, class F>
  GR_DEVICE static auto begin_search(const Context& ctx, const Lists& lists, F& f, vertex_t v) {
    const vertex_t at = v < 0 ? vertex_t(ctx.peers.begin) : v;
    return Coming<decltype(f.wants(at))>{v, lists.offsets(at), f.wants(at)};
  }

  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void by_warps(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) {
    if (who.count == 0) return;  // a device may have no row at all
    Remembered& remembered = ctx.shared.remembered;
    auto& later = ctx.shared.as<Storage>();
    if (thread_id() == 0) remembered = {0, 0};
    block_sync();
    const i64 warps = i64(ctx.blocks) * WARPS;
    int width = WARP;  // candidates that a warp takes
    while (width > TEAMS && who.count <= warps * (width / 2)) width /= 2;
    const i64 turn = warps * width;
    const bool begins = width == WARP;  // every thread has a list to begin
    const bool evenly = begins && who.count <= FEW_TURNS * turn && !ctx.solo;
    auto candidate = [&](i64 base) {
      const i64 i = base + (i64(warp_id()) * ctx.blocks + ctx.block) * width + lane_id();
      return lane_id() < width && i < who.count ? vertex_t(who.at(i)) : vertex_t(-1);
    };
    // While a warp looks at its candidates, it prefetches the next turn's lists, and loads the rows and labels of the
    // turn after that and the numbers of the third turn's candidates [D-pull-2].
    auto now = begin_search(ctx, lists, f, candidate(0));
    auto next = now;
    vertex_t third = -1;
    if (turn < who.count) {
      next = begin_search(ctx, lists, f, candidate(turn));
      third = candidate(2 * turn);
    }
    for (i64 base = 0; base < who.count; base += turn) {
      collect.make_room(BLOCK);
      Search mine = now.search(who);
      if (base + turn < who.count) {
        now = next;
        next = begin_search(ctx, lists, f, third);
        third = candidate(base + 3 * turn);
        if (now.list.begin < now.list.end) lists.prefetch_list(now.list.begin);
      }
      if (begins) look_at_head<Monoid>(ctx, lists, f, mine, collect);
      const bool is_long = mine.end - mine.begin > BLOCK_FROM && !ctx.solo;  // a lone block has its queues there
      if (is_long && later.lists.keep(remembered.lists, item_t(mine.v))) mine.close();
      if (evenly && mine.open() && later.rests.keep(remembered.rests, mine)) mine.close();
      by_teams<Monoid>(ctx, lists, f, mine, collect);
    }
    block_sync();
    if (evenly) share_rests<Monoid>(ctx, lists, f, later.rests, collect);
    by_block<Monoid>(ctx, lists, f, later.lists, begins ? HEAD : 0, collect);
  }

  // The search is over.
  template <class F, class C>
  GR_DEVICE static void settle(F& f, Search& mine, const Entry& parent, C& collect) {
    if (f.finish(mine.v, parent)) collect.push(item_t(mine.v));
    mine.close();
  }

  // Each thread: the first entries of its list.
  template <class Monoid, class C, class Lists, class F>
  GR_DEVICE static void look_at_head(Context& ctx, const Lists& lists, F& f, Search& mine, C& collect) {
    if (!mine.open()) return;
    Entry parent;
    const edge_t rest = mine.end - mine.begin > HEAD ? mine.begin + HEAD : mine.end;
    fold_part<Monoid, BATCH>(ctx, lists, f, mine.v, mine.begin, rest, edge_t(1), parent);
    if (parent.found() || rest == mine.end) settle(f, mine, parent, collect);
    else mine.begin = rest;
  }

  // The whole block: what its threads have left, as much to each warp.
  template <class Monoid, class C, class Lists, class F, class Rests>
  GR_DEVICE static void share_rests(Context& ctx, const Lists& lists, F& f, const Rests& rests, C& collect) {
    const int count = Rests::kept(ctx.shared.remembered.rests);
    for (int base = 0; base < count; base += BLOCK) {
      const int k = base + lane_id() * WARPS + warp_id();
      Search mine;
      if (k < count) mine = rests.items[k];
      by_teams<Monoid>(ctx, lists, f, mine, collect);
    }
  }

  // The whole warp: what its threads have left, a few lists at a time, and some entries of each.
  template <class Monoid, class C, class Lists, class F>
  GR_DEVICE static void by_teams(Context& ctx, const Lists& lists, F& f, Search& mine, C& collect) {
    for (u32 left = warp_ballot(mine.open()); left; left = warp_ballot(mine.open())) {
      int lanes_log = 5;  // a team's lanes
      for (u32 more = left & (left - 1); more && lanes_log > 3; more &= more - 1) --lanes_log;
      const int lanes = 1 << lanes_log, teams = WARP >> lanes_log;
      const edge_t round = edge_t(lanes) * BATCH;
      // Each team takes the list of one of the lowest lanes that have one.
      u32 above = left;
      for (int t = lane_id() >> lanes_log; t > 0; --t) above &= above - 1;
      const int owner = above ? lowest_bit(above) : 0;
      const vertex_t v = warp_broadcast(mine.v, owner);
      const edge_t begin = warp_broadcast(mine.begin, owner);
      edge_t end = warp_broadcast(mine.end, owner);
      if (!above) end = begin;
      if (end - begin > round) end = begin + round;
      Entry found;
      fold_part<Monoid, BATCH>(ctx, lists, f, v, begin + (lane_id() & (lanes - 1)), end, edge_t(lanes),
                               found);
      const u32 hits = warp_ballot(found.found());
      // A thread whose list was taken learns what that team has found.
      const int team = popcount(left & ((1u << lane_id()) - 1));
      const bool served = mine.open() && team < teams;
      const int first = served ? team << lanes_log : 0;
      const u32 of_team = hits >> first & (~0u >> (WARP - lanes));
      const Entry parent = Monoid::of_lane(found, first + (of_team ? lowest_bit(of_team) : 0));
      if (served) {
        if (parent.found() || mine.end - mine.begin <= round) settle(f, mine, parent, collect);
        else mine.begin += round;
      }
    }
  }

  // The whole block: the lists that it has remembered, whose first `looked` entries are done.
  template <class Monoid, class C, class Lists, class F, class Long>
  GR_DEVICE static void by_block(Context& ctx, const Lists& lists, F& f, const Long& later, edge_t looked,
                                 C& collect) {
    const int count = Long::kept(ctx.shared.remembered.lists);
    for (int k = 0; k < count; ++k) {
      const vertex_t v = vertex_t(later.items[k]);
      const Row row = lists.row(v);
      Entry parent;
      const bool mine = gathering::by_block<Monoid, BATCH>(ctx, lists, f, v, row.begin + looked, row.end(),
                                                           parent);
      if (mine && f.finish(v, parent)) collect.push(item_t(v));
      block_sync();
    }
    block_sync();
  }
};

template <class F>
struct FindParent : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool PREDICATED = is_predicated<F>;
  static constexpr bool EMPTY_LISTS = false;
  const Csr& out_edges;
  F& f;
  u32* found_bits;
  u32 count = 0;  // what this thread has found, and the edges out of it
  u64 edges = 0;

  GR_DEVICE FindParent(const Csr& csr, F& functor, u32* bits)
      : out_edges(csr), f(functor), found_bits(bits) {}

  GR_DEVICE auto wants(vertex_t v) { return f.wants(v); }
  GR_DEVICE bool peek(vertex_t s, vertex_t v, edge_t e) { return f.peek(s, v, e); }
  GR_DEVICE auto peek(bool asked, vertex_t s, vertex_t v, edge_t e) { return f.peek(asked, s, v, e); }
  GR_DEVICE Entry value(vertex_t s, edge_t e) { return {s, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    if (!parent.found()) return true;
    f.apply(parent.u, v, parent.e);
    if (found_bits) bitmap_set(found_bits, v);
    count += 1;
    edges += u64(out_edges.row(v).length);
    return false;
  }
};

}  // namespace pulling

// A step's work. Candidates are the items of `who`. The vertices found are added to `found_bits` (clear
// before; or null) and, as a size, to `found`.
template <class Who, class F>
GR_DEVICE void pull(Context& ctx, const LoopState& s, const Who& who, F&& f, u32* found_bits,
                    u64* found) {
  pulling::FindParent find(ctx.graph.csr, f, found_bits);
  gather<First, pulling::PullTiers, V>(ctx, s, who, ctx.graph.reverse, find);
  // The sums fit in the packed form, being those of one frontier.
  fold_grid<Sum<u64>>(ctx, pack(find.count, find.edges), found);
}

// The step's frontier, or all vertices.
GR_DEVICE ListedOrRange<item_t> candidates(const Context& ctx, const LoopState& s, bool all) {
  return {all ? nullptr : ctx.in(s).queue.items, all ? ctx.graph.n : i64(s.in.count)};
}

}  // namespace gunrock
