// Pull: each candidate vertex looks through its in-neighbours for one in the frontier, and stops at the first
// (Beamer's bottom-up step; Gunrock, section 5.1.4). It is a gather of the first entry that a functor accepts.
// Called by direction-optimizing searches (BFS, BC).
//
// A functor is a VertexFunctor's counterpart for in-edges:
//   bool wants(v)          true if v is still a candidate
//   bool peek(s, v, e)     true if in-edge e from s reaches v (usually: s is in the frontier)
//                          As in an EdgeFunctor, peek may take a flag before s
//   void apply(s, v, e)    the effects of the first edge that peek accepts
//
// A GatherFunctor that is folded by these tiers may have mark(word, bits), which sets these bits of a bitmap for
// vertices that found a parent, on a GPU for several at once. (Cores fold by other tiers, where finish sets the
// bits.)
//
// Candidates that found nothing fill the next frontier, so that the next pull looks at no others. Candidates
// without in-edges are dropped.
#pragma once
#include "../core/bitmap.cuh"
#include "../core/members.cuh"
#include "fold_peeked.cuh"
#include "gather_functor.cuh"
#include "reduce.cuh"
#include "search.cuh"

namespace gunrock {

namespace pulling {

// True if a functor has `mark`.
template <class F, class = void>
constexpr bool has_mark = false;
template <class F>
constexpr bool has_mark<F, Void<decltype(any<F>().mark(i64(), u32()))>> = true;

// How the candidates' lists are shared out (a policy of gather). Most candidates find a parent within a few
// entries, so a thread begins each list by itself. Then groups of a warp's lanes share the rest of the lists;
// the fewer lists are left, the larger the groups. The block takes the longest lists last. Neighbouring
// candidates that are not in the same warp go to different blocks, and few candidates are spread over all
// blocks [D-pull-1]. If there are only a few rounds, all warps of a block share the rests evenly after the last
// round [D-pull-3]. A single block's threads begin their lists by themselves, however few there are, as these
// lists are short [D-pull-4].
struct PullTiers {
  static constexpr int BATCH = 4;         // loads in flight per thread
  static constexpr edge_t HEAD = 8;       // entries that a thread tests, a batch at a time
  static constexpr int GROUPS = 4;         // most groups that a warp is divided into
  static constexpr edge_t BLOCK_FROM = 1024;
  static constexpr i64 FEW_TURNS = 2;     // rounds of the grid; over more rounds the warps' loads are even by chance

  // A thread's candidate, and the untested part of its list.
  template <class Own>
  struct Search {
    vertex_t v = 0;
    edge_t begin = 0, end = 0;
    Own own = {};
    GR_DEVICE bool open() const { return begin < end; }
    GR_DEVICE void close() { begin = end; }
  };
  template <class F>
  using SearchFor = Search<typename F::Own>;
  template <class F>
  struct LaterSearches {
    SetAside<item_t, PASS> lists;            // the longest lists, for the whole block
    SetAside<SearchFor<F>, PASS / 2> rests;  // unfinished lists, for all warps of the block
  };
  // A candidate of a later round (or -1): the words loaded for it. `wanted` is only evaluated when needed.
  template <class Wanted>
  struct Coming {
    vertex_t v;
    Csr::Offsets list;
    Wanted wanted;
  };
  // A candidate of the next round: the first entries of its list (-1 beyond the end) are being loaded.
  template <class F>
  struct Begun {
    SearchFor<F> search;
    vertex_t first[BATCH];
  };
  // The candidates that a thread takes, in rounds of the grid.
  template <class Who>
  struct Deal {
    const Context& ctx;
    const Who& who;
    const i64 warps;
    int width = WARP;  // candidates per warp
    GR_DEVICE Deal(const Context& context, const Who& candidates)
        : ctx(context), who(candidates), warps(i64(ctx.blocks) * WARPS) {
      while (!ctx.single_block && width > GROUPS && who.count <= warps * (width / 2)) width /= 2;
    }
    GR_DEVICE i64 turn() const { return warps * width; }
    GR_DEVICE bool by_threads() const { return width == WARP; }  // true if every thread has a list to begin
    GR_DEVICE vertex_t candidate(i64 base) const {
      const i64 i = base + (i64(warp_id()) * ctx.blocks + ctx.block) * width + lane_id();
      return lane_id() < width && i < who.count ? vertex_t(who.at(i)) : vertex_t(-1);
    }
  };

  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void run(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) {
    static_assert(Monoid::SHORT_CIRCUITS && F::PEEKS && !F::EMPTY_LISTS && !F::NOTIFIES,
                  "made for the first entry found");
    if constexpr (WARP == 1) on_core<Monoid>(ctx, who, lists, f, collect);
    else by_warps<Monoid>(ctx, who, lists, f, collect);
  }

 private:
  // A core tests one entry at a time, as most candidates need one or two, and prefetches the first entries of lists,
  // which lie far apart [D-cores-2].
  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void on_core(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) {
    constexpr i64 LOOK_AHEAD = 8;  // candidates
    // Neighbouring candidates share words of the bitmap of those found.
    const Partition partition(ctx, who.count, in_order(who) ? Partition::BITS : Partition::LEAST);
    for (i64 i = partition.first(); i < who.count; i = partition.next(i)) {
      collect.make_room(1);
      const i64 later = partition.later(i, LOOK_AHEAD);
      if (later < who.count && f.wants(vertex_t(who.at(later))))
        lists.prefetch_entries(lists.row(who.at(later)).begin);
      const vertex_t v = vertex_t(who.at(i));
      if (!who.holds(item_t(v)) || !f.wants(v)) continue;
      const Row row = lists.row(v);
      if (row.length == 0) continue;
      const auto own = f.own(v, row.length);
      Entry parent;
      fold_peeked<Monoid, 1>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), parent);
      if (finish_vertex(f, v, own, parent)) collect.push(item_t(v));
    }
  }

  // Starts loads that nothing waits for yet. Without a candidate, it loads for the first vertex with a row on
  // this device.
  template <class Lists, class F>
  GR_DEVICE static auto begin_search(const Context& ctx, const Lists& lists, F& f, vertex_t v) {
    const vertex_t at = v < 0 ? vertex_t(ctx.peers.begin) : v;
    return Coming<decltype(f.wants(at))>{v, lists.offsets(at), f.wants(at)};
  }

  // Starts loading the first entries of a list; the list's place and its vertex's label were loaded one round
  // earlier. No other thread reads these entries, so they bypass the multiprocessor's cache and leave it to the
  // frontier's bitmap [D-pull-4].
  template <class Wanted, class Who, class Lists, class F>
  GR_DEVICE static Begun<F> begin_list(Context& ctx, const Deal<Who>& deal, const Lists& lists, F& f,
                                       const Coming<Wanted>& coming) {
    const bool open = coming.v >= 0 && coming.wanted && deal.who.holds(item_t(coming.v));
    const edge_t begin = open ? coming.list.begin : edge_t(0), end = open ? coming.list.end : edge_t(0);
    const vertex_t v = open ? coming.v : vertex_t(ctx.peers.begin);
    Begun<F> begun{{coming.v, begin, end, f.own(v, end - begin)}, {}};
    load_entries(ctx, ReadOnce{lists}, begin, deal.by_threads() ? end : begin, edge_t(1), begun.first);
    return begun;
  }

  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void by_warps(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) {
    if (who.count == 0) return;  // a device may have no rows
    Remembered& remembered = ctx.shared.remembered;
    auto& later = ctx.shared.as<LaterSearches<F>>();
    if (thread_id() == 0) remembered = {0, 0};
    block_sync();
    const Deal<Who> deal(ctx, who);
    const i64 turn = deal.turn();
    const bool by_words = in_order(who) && who.at(0) % 32 == 0;  // a warp's candidates share a word of a bitmap
    const bool evenly = deal.by_threads() && who.count <= FEW_TURNS * turn && !ctx.single_block;
    // While a warp tests its candidates, it loads the first entries of the next round's lists, the rows and
    // labels of the round after, and the numbers of the third round's candidates [D-pull-2].
    auto next = begin_list(ctx, deal, lists, f, begin_search(ctx, lists, f, deal.candidate(0)));
    auto second = begin_search(ctx, lists, f, deal.candidate(turn));
    vertex_t third = deal.candidate(2 * turn);
    for (i64 base = 0; base < who.count; base += turn) {
      collect.make_room(BLOCK);
      Begun<F> now = next;
      const auto answers = ask_first(f, now);
      if (base + turn < who.count) {
        next = begin_list(ctx, deal, lists, f, second);
        second = begin_search(ctx, lists, f, third);
        third = deal.candidate(base + 3 * turn);
      }
      SearchFor<F>& mine = now.search;
      if (deal.by_threads()) {
        const bool found = look_at_head<Monoid>(ctx, lists, f, now, answers, collect);
        mark(f, mine.v, found, by_words);
      }
      // a single block has its queues in the scratch
      const bool is_long = mine.end - mine.begin > BLOCK_FROM && !ctx.single_block;
      if (is_long && later.lists.keep(remembered.lists, item_t(mine.v))) mine.close();
      if (evenly && mine.open() && later.rests.keep(remembered.rests, mine)) mine.close();
      by_groups<Monoid>(ctx, lists, f, mine, collect);
    }
    block_sync();
    if (evenly) share_rests<Monoid>(ctx, lists, f, later.rests, collect);
    by_block<Monoid>(ctx, lists, f, later.lists, deal.by_threads() ? HEAD : 0, collect);
  }

  // Asks the functor about the first entries of a list, without waiting for the answers.
  template <class F>
  GR_DEVICE static auto ask_first(F& f, const Begun<F>& now) {
    auto ask = [&](int k) { return peek_at(f, now.first[k] >= 0, now.first[k], now.search.v, now.search.begin + k, Nothing{}); };
    struct { decltype(ask(0)) of[BATCH]; } answers;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) answers.of[k] = ask(k);
    return answers;
  }

  // Ends the search: hands over what it found. True if it found a parent.
  template <class F, class C>
  GR_DEVICE static bool finalize(F& f, SearchFor<F>& mine, const Entry& parent, C& collect) {
    const bool kept = finish_vertex(f, mine.v, mine.own, parent);
    if (kept) collect.push(item_t(mine.v));
    mine.close();
    return !kept;
  }

  // Marks v as found in a bitmap. Threads of a warp whose candidates share a word set their bits by one atomic
  // [D-pull-4].
  template <class F>
  GR_DEVICE static void mark(F& f, vertex_t v, bool found, bool by_words) {
    if constexpr (has_mark<F>) {
      const u32 together = by_words ? warp_ballot(found) : u32(found) << (u32(v) % 32);
      const u32 shift = by_words ? u32(v) % 32 / WARP * WARP : 0;  // position of a smaller warp's bits within the word
      if (found && (!by_words || lane_id() == first_lane(together))) f.mark(u32(v) / 32, together << shift);
    }
  }

  // Each thread: the first entries of its list. True if it has found a parent.
  template <class Monoid, class C, class Lists, class F, class Answers>
  GR_DEVICE static bool look_at_head(Context& ctx, const Lists& lists, F& f, Begun<F>& now,
                                     const Answers& answers, C& collect) {
    SearchFor<F>& mine = now.search;
    if (!mine.open()) return false;
    Entry parent;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (answers.of[k]) Monoid::add(parent, f.value(now.first[k], mine.begin + k));
    const edge_t rest = mine.end - mine.begin > HEAD ? mine.begin + HEAD : mine.end;
    if (!parent.found())
      fold_peeked<Monoid, BATCH>(ctx, lists, f, mine.v, mine.begin + BATCH, rest, edge_t(1), parent);
    if (parent.found() || rest == mine.end) return finalize(f, mine, parent, collect);
    mine.begin = rest;
    return false;
  }

  // The whole block: its threads' unfinished lists, dealt evenly to the warps.
  template <class Monoid, class C, class Lists, class F, class Rests>
  GR_DEVICE static void share_rests(Context& ctx, const Lists& lists, F& f, const Rests& rests, C& collect) {
    const int count = Rests::kept(ctx.shared.remembered.rests);
    for (int base = 0; base < count; base += BLOCK) {
      const int k = base + lane_id() * WARPS + warp_id();
      SearchFor<F> mine;
      if (k < count) mine = rests.items[k];
      by_groups<Monoid>(ctx, lists, f, mine, collect);
    }
  }

  // The whole warp: its threads' unfinished lists, a few at a time, and some entries of each.
  template <class Monoid, class C, class Lists, class F>
  GR_DEVICE static void by_groups(Context& ctx, const Lists& lists, F& f, SearchFor<F>& mine, C& collect) {
    for (u32 left = warp_ballot(mine.open()); left; left = warp_ballot(mine.open())) {
      int lanes_log = log_of(WARP);  // of the lanes of a group
      for (u32 more = left & (left - 1); more && lanes_log > log_of(WARP / GROUPS); more &= more - 1) --lanes_log;
      const int lanes = 1 << lanes_log, groups = WARP >> lanes_log;
      const edge_t round = edge_t(lanes) * BATCH;
      // Each group takes the list of one of the lowest lanes that have one.
      u32 above = left;
      for (int t = lane_id() >> lanes_log; t > 0; --t) above &= above - 1;
      const int owner = above ? lowest_bit(above) : 0;
      const vertex_t v = warp_broadcast(mine.v, owner);
      const edge_t begin = warp_broadcast(mine.begin, owner);
      edge_t end = warp_broadcast(mine.end, owner);
      if (!above) end = begin;
      if (end - begin > round) end = begin + round;
      Entry found;
      fold_peeked<Monoid, BATCH>(ctx, lists, f, v, begin + (lane_id() & (lanes - 1)), end, edge_t(lanes),
                               found);
      const u32 hits = warp_ballot(found.found());
      // A thread whose list was taken learns what the group has found.
      const int group = popcount(left & ((1u << lane_id()) - 1));
      const bool served = mine.open() && group < groups;
      const int first = served ? group << lanes_log : 0;
      const u32 of_group = hits >> first & (~0u >> (32 - lanes));
      const Entry parent = Monoid::of_lane(found, first + (of_group ? lowest_bit(of_group) : 0));
      if (served) {
        if (parent.found() || mine.end - mine.begin <= round)
          mark(f, mine.v, finalize(f, mine, parent, collect), false);
        else mine.begin += round;
      }
    }
  }

  // The whole block: entries [begin, end) of one list. True for the one thread that tells what was found, or that
  // nothing was.
  template <class Monoid, class Lists, class F>
  GR_DEVICE static bool look_by_block(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t begin, edge_t end,
                                      Entry& parent) {
    for (edge_t base = begin; base < end; base += BATCH * BLOCK) {
      const edge_t stop = end - base < BATCH * BLOCK ? end : base + BATCH * BLOCK;
      fold_peeked<Monoid, BATCH>(ctx, lists, f, v, base + thread_id(), stop, edge_t(BLOCK), parent);
      const bool hit = parent.found();
      const u32 hits = warp_ballot(hit);
      if (hits && lane_id() == first_lane(hits)) ctx.shared.winner = thread_id();
      if (block_any(hit)) return ctx.shared.winner == thread_id();
    }
    return thread_id() == 0;
  }

  // The whole block: the lists that it remembers, whose first `looked` entries are done.
  template <class Monoid, class C, class Lists, class F, class Long>
  GR_DEVICE static void by_block(Context& ctx, const Lists& lists, F& f, const Long& later, edge_t looked,
                                 C& collect) {
    const int count = Long::kept(ctx.shared.remembered.lists);
    for (int k = 0; k < count; ++k) {
      const vertex_t v = vertex_t(later.items[k]);
      const Row row = lists.row(v);
      Entry parent;
      const bool mine = look_by_block<Monoid>(ctx, lists, f, v, row.begin + looked, row.end(), parent);
      SearchFor<F> search{v, 0, 0, f.own(v, row.length)};
      if (mine) mark(f, v, finalize(f, search, parent, collect), false);
      block_sync();
    }
    block_sync();
  }
};

template <class F>
struct FindByFunctor : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  using Own = edge_t;  // the number of edges out of the vertex
  const Graph& graph;
  F& f;
  u32* found_bits;
  u32 count = 0;  // vertices that this thread has found, and the edges out of them
  u64 edges = 0;

  GR_DEVICE FindByFunctor(const Graph& of, F& functor, u32* bits) : graph(of), f(functor), found_bits(bits) {}

  GR_DEVICE auto wants(vertex_t v) { return f.wants(v); }
  GR_DEVICE auto peek(bool asked, vertex_t s, vertex_t v, edge_t e) {
    if constexpr (takes_asked<F>) return f.peek(asked, s, v, e);
    else return asked && f.peek(s, v, e);
  }
  GR_DEVICE Entry value(vertex_t s, edge_t e) { return {s, e}; }
  GR_DEVICE edge_t own(vertex_t v, edge_t length) const {
    return graph.directed() ? graph.csr.row(v).length : length;
  }
  GR_DEVICE bool finish(vertex_t v, edge_t out_edges, const Entry& parent) {
    if (!parent.found()) return true;
    f.apply(parent.u, v, parent.e);
    if constexpr (WARP == 1) mark(u32(v) / 32, 1u << (u32(v) % 32));
    count += 1;
    edges += u64(out_edges);
    return false;
  }
  GR_DEVICE void mark(i64 word, u32 bits) {
    if (found_bits) atomic_or(&found_bits[word], bits);
  }
};

}  // namespace pulling

// A step's work. The candidates are the items of `who`; those that find nothing fill the next frontier, with
// their in-edges. The vertices found are added to `found_bits` (clear before; or null) and, as a size, to
// `found`.
template <class Who, class F>
GR_DEVICE void pull(Context& ctx, const LoopState& s, const Who& who, F&& f, u32* found_bits,
                    u64* found) {
  pulling::FindByFunctor find(ctx.graph, f, found_bits);
  Collector<V> left(ctx, ctx.out(s), ctx.graph.reverse);
  pulling::PullTiers::run<First>(ctx, who, ctx.graph.reverse, find, left);
  left.flush();
  // The sums fit the packed form, as they are the size of one frontier.
  fold_grid<Sum<u64>>(ctx, pack(find.count, find.edges), found);
}

// The candidates: the step's frontier, or all vertices.
GR_DEVICE ListedOrRange<item_t> candidates(const Context& ctx, const LoopState& s, bool all) {
  return {all ? nullptr : ctx.in(s).queue.items, all ? ctx.graph.n : i64(s.in.count)};
}

}  // namespace gunrock
