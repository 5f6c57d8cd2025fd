// Gather: fold each vertex's list into one value and hand it to a functor. Gunrock, section 4 (neighborhood
// reduction), and section 5.1.4 (pull). Called by most primitives.
//
//   gather<Monoid, Tiers, OUT>(ctx, s, who, lists, f)
//
// `who` selects the vertices (core/members.cuh), and `lists` is anything with row and neighbor as in Csr:
// out-edges, in-edges, or a graph that the kernel builds. The monoid combines the contributions
// (math/monoid.cuh). With an OUT, the vertices that the functor keeps fill a frontier.
//
// A functor is a GatherFunctor (gather_functor.cuh).
//
// Tiers is a policy, as in CUB: a list is folded by its thread, a warp, or the block, depending on its length.
// Under a monoid that one contribution decides (SHORT_CIRCUITS) every list is begun by its thread, since most
// are decided within a few entries, and only the rest is shared. Lists for the block are remembered and folded
// after all others: in many graphs hubs have neighbouring numbers, and a block that met them would do nothing
// else meanwhile. Policies, and on a GPU their callers:
//
//   Tiers        of some of the vertices or entries: most primitives. Its tuned forms are below the struct
//   PullTiers    of the first entry that counts (pull.cuh): searches from the frontier's far side
//   AllLists     of all vertices and entries (gather_all.cuh): PageRank, PPR, HITS, SALSA. Road networks and
//                lattices have SHORT_LISTS, geometric graphs EVEN_LISTS, graphs with hubs UNEVEN_LISTS
//   PaddedTiers  the same from a padded copy (gather_padded.cuh): PageRank, over most undirected SHORT_LISTS
//
// gather_rows.cuh (rows of values) and gather_by_key.cuh (sums by key) are operators of their own.
//
// The order in which a list is folded depends on the graph and the launch only, unless a block meets more long
// lists than it remembers (LaterLists): its warps fold the last ones, and a race decides which. So if
// rounding depends on the order, equal bits in every run require that there are never so many, as in WTF, whose
// circle is small, or under AllLists, which has room for all. (BC's sums may differ in their last bits.)
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "../core/partition.cuh"
#include "fold.cuh"
#include "gather_functor.cuh"
#include "reduce.cuh"

namespace gunrock {

namespace gathering {

using gunrock::SetAside;

// The whole warp: the fold of entries [begin, end), for all lanes.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE typename Monoid::Total by_warp(Context& ctx, const Lists& lists, F& f, vertex_t v,
                                         edge_t begin, edge_t end) {
  typename Monoid::Total total = Monoid::nothing();
  if constexpr (Monoid::SHORT_CIRCUITS) {
    for (edge_t base = begin; base < end; base += BATCH * WARP) {
      const edge_t stop = end - base < BATCH * WARP ? end : base + BATCH * WARP;
      fold_part<Monoid, BATCH>(ctx, lists, f, v, base + lane_id(), stop, edge_t(WARP), total);
      if (const u32 hits = warp_ballot(Monoid::decided(total)))
        return Monoid::of_lane(total, first_lane(hits));
    }
  } else {
    fold_part<Monoid, BATCH>(ctx, lists, f, v, begin + lane_id(), end, edge_t(WARP), total);
    fold_lanes<Monoid>(total, WARP);
  }
  return total;
}

// The whole block: the fold of entries [begin, end). True for the one thread that has it in `total`.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE bool by_block(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t begin, edge_t end,
                        typename Monoid::Total& total) {
  total = Monoid::nothing();
  if constexpr (Monoid::SHORT_CIRCUITS) {
    for (edge_t base = begin; base < end; base += BATCH * BLOCK) {
      const edge_t stop = end - base < BATCH * BLOCK ? end : base + BATCH * BLOCK;
      fold_part<Monoid, BATCH>(ctx, lists, f, v, base + thread_id(), stop, edge_t(BLOCK), total);
      const bool hit = Monoid::decided(total);
      const u32 hits = warp_ballot(hit);
      if (hits && lane_id() == first_lane(hits)) ctx.shared.winner = thread_id();
      if (block_any(hit)) return ctx.shared.winner == thread_id();
    }
  } else {
    fold_part<Monoid, BATCH>(ctx, lists, f, v, begin + thread_id(), end, edge_t(BLOCK), total);
    total = fold_block<Monoid>(ctx, total);
  }
  return thread_id() == 0;
}

// The whole warp: its lanes' lists, four at once, by eight lanes each. `left` has a bit for each lane whose
// list is to be folded.
template <class Monoid, int BATCH, class Lists, class F, class C>
GR_DEVICE void by_groups(Context& ctx, const Lists& lists, F& f, u32 left, vertex_t v, edge_t begin,
                         edge_t end, C& collect) {
  constexpr int LANES = WARP < 8 ? WARP : 8, GROUPS = WARP / LANES;
  static_assert(!Monoid::SHORT_CIRCUITS && !F::NOTIFIES, "lists are folded whole, and once");
  const int group = lane_id() / LANES, rank = lane_id() % LANES;
  while (left) {
    u32 mine = left;  // the lowest bit is the lane whose list this lane helps to fold
    GR_UNROLL
    for (int g = 0; g < GROUPS; ++g) {
      if (g < group) mine &= mine - 1;
      left &= left - 1;
    }
    const int lane = mine ? lowest_bit(mine) : 0;
    const vertex_t of = warp_broadcast(v, lane);
    const edge_t first = warp_broadcast(begin, lane), last = warp_broadcast(end, lane);
    typename Monoid::Total total = Monoid::nothing();
    if (mine) fold_part<Monoid, BATCH>(ctx, lists, f, of, first + rank, last, edge_t(LANES), total);
    warp_sync();
    fold_lanes<Monoid>(total, LANES);
    if (mine && rank == 0 && finish_vertex(f, of, f.own(of, last - first), total)) collect.push(item_t(of));
  }
}

}  // namespace gathering

// Prefetches what begins at entry e. Lists that are computed as they are read have nothing to prefetch.
template <class Lists>
GR_DEVICE void prefetch_entries(const Lists&, edge_t) {}
GR_DEVICE void prefetch_entries(const Csr& lists, edge_t e) { lists.prefetch_entries(e); }

constexpr edge_t UNBOUNDED = edge_t((u64(1) << (8 * sizeof(edge_t) - 1)) - 1);

// Parameters of Tiers:
//   THREAD_MAX  the most entries that a thread folds (with SHORT_CIRCUITS: before the warp takes over)
//   WARP_MAX    the most entries that a warp folds
//   BATCH       loads in flight per thread
//   TOGETHER    blocks take this many neighbouring vertices in turn, so that adjacent hubs, as in web graphs,
//               do not all fall to one block [D-spread-1]; 1: warps take turns as well; 0: a block's threads
//   GROUP_MAX   the most entries that eight lanes fold, of four lists at once [D-group-1]; 0: none
//   DYNAMIC     warps take vertices when they are free, by a ticket that begins at 0; no vertices are kept
//               then [D-draw-1]
template <edge_t THREAD_MAX, edge_t WARP_MAX, int BATCH = 4, int TOGETHER = 0, edge_t GROUP_MAX = 0,
          bool DYNAMIC = false>
struct Tiers {
  u64* ticket = nullptr;

  static constexpr bool SPREAD = TOGETHER > 0;
  static constexpr bool SHARED_LISTS = WARP > 1 && THREAD_MAX < UNBOUNDED;
  static constexpr i64 LOOK_AHEAD = 8;  // vertices whose lists a core has prefetched
  // Long lists that a block remembers; its warps fold any more.
  using LaterLists = SetAside<item_t, SHARED_LISTS ? PASS : 1>;

  // A thread's index among as many vertices as there are threads.
  GR_DEVICE static i64 spread(const Context& ctx) {
    constexpr int EACH = WARP > 1 && SPREAD ? TOGETHER : 1;
    const int thread = EACH > 1 ? thread_id() : lane_id() * WARPS + warp_id();
    return (i64(thread / EACH) * ctx.blocks + ctx.block) * EACH + thread % EACH;
  }

  // The vertices that a warp takes: a few per ticket, fewer if there are few for each warp. The next ticket is
  // in flight while they are walked, and a warp's first vertices need no ticket.
  struct DynamicPartition {
    const i64 warps;
    const int together;
    u64* const ticket;
    i64 base;
    u64 next;
    GR_DEVICE DynamicPartition(const Context& ctx, i64 count, u64* counter)
        : warps(ctx.threads() / WARP), together(few(count / (4 * warps))), ticket(counter),
          base((i64(warp_id()) * ctx.blocks + ctx.block) * together) {
      ask();
    }
    GR_DEVICE static int few(i64 each) { return each >= WARP ? WARP : each >= WARP / 2 ? WARP / 2 : WARP / 4; }
    GR_DEVICE void ask() { next = lane_id() == 0 ? atomic_add(ticket, u64(together)) : 0; }
    GR_DEVICE i64 mine(i64 count) const { return lane_id() < together ? base + lane_id() : count; }
    GR_DEVICE void go_on(i64 count) {
      base = warps * together + i64(warp_broadcast(next, 0));
      if (base < count) ask();
    }
  };

  // Where a thread stops in its own vertex's list.
  template <class Monoid>
  GR_DEVICE static edge_t head_end(edge_t begin, edge_t end) {
    if constexpr (!SHARED_LISTS) return end;
    if constexpr (Monoid::SHORT_CIRCUITS) return end - begin < THREAD_MAX ? end : begin + THREAD_MAX;
    return end - begin > THREAD_MAX ? begin : end;
  }

  // The whole warp: the lists of the vertices at its lanes' indices. The longest are left for later.
  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE static void take(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect, i64 i,
                             LaterLists& later_lists) {
    vertex_t v = 0;
    edge_t begin = 0, end = 0;
    typename F::Own own;
    bool open = false;     // v is still to be finished
    bool notifying = false;  // v's neighbours are still to be notified
    if (i < who.count) {
      v = vertex_t(who.at(i));
      open = who.holds(item_t(v)) && f.wants(v);
      if constexpr (has_passes<F>) {
        if (!open && who.holds(item_t(v)) && f.passes(v)) collect.push(item_t(v));
      }
      if (open) {
        const Row row = lists.row(v);
        begin = row.begin;
        end = row.end();
        own = f.own(v, row.length);
      }
    }
    if constexpr (!F::EMPTY_LISTS) open = begin < end;
    auto finish = [&](const typename Monoid::Total& total) {
      if (finish_vertex(f, v, own, total)) collect.push(item_t(v));
      if constexpr (F::NOTIFIES) notifying = f.notifies(total);
      open = false;
    };
    const edge_t rest = head_end<Monoid>(begin, end);
    if (open && (Monoid::SHORT_CIRCUITS || !SHARED_LISTS || rest == end)) {
      auto total = Monoid::nothing();
      fold_part<Monoid, BATCH>(ctx, lists, f, v, begin, rest, edge_t(1), total);
      bool complete = !SHARED_LISTS || rest == end;
      if constexpr (Monoid::SHORT_CIRCUITS) complete = complete || Monoid::decided(total);
      if (complete) finish(total);
    }
    if constexpr (F::NOTIFIES) {
      if (notifying && (!SHARED_LISTS || end - begin <= THREAD_MAX)) {
        notify_entries<BATCH>(ctx, lists, f, v, begin, end, edge_t(1));
        notifying = false;
      }
    }
    if constexpr (SHARED_LISTS) {
      bool later = false;
      if (open && end - rest > WARP_MAX && !ctx.single_block)  // a single block has its queues in the scratch
        later = later_lists.keep(ctx.shared.remembered.lists, item_t(v));
      if constexpr (GROUP_MAX > 0) {
        const bool grouped = open && !later && end - rest <= GROUP_MAX;
        gathering::by_groups<Monoid, BATCH>(ctx, lists, f, warp_ballot(grouped), v, rest, end, collect);
        if (grouped) open = false;
      }
      for (u32 left = warp_ballot(open && !later); left; left &= left - 1) {
        const int lane = lowest_bit(left);
        const auto total =
            gathering::by_warp<Monoid, BATCH>(ctx, lists, f, warp_broadcast(v, lane),
                                              warp_broadcast(rest, lane), warp_broadcast(end, lane));
        if (lane == lane_id()) finish(total);
      }
      if constexpr (F::NOTIFIES) {
        for (u32 left = warp_ballot(notifying); left; left &= left - 1) {
          const int lane = lowest_bit(left);
          notify_entries<BATCH>(ctx, lists, f, warp_broadcast(v, lane),
                              warp_broadcast(begin, lane) + lane_id(), warp_broadcast(end, lane),
                              edge_t(WARP));
        }
      }
    }
  }

  template <class Monoid, class C, class Who, class Lists, class F>
  GR_DEVICE void run(Context& ctx, const Who& who, const Lists& lists, F& f, C& collect) const {
    auto& later_lists = ctx.shared.as<LaterLists>();
    if constexpr (SHARED_LISTS) {
      if (thread_id() == 0) ctx.shared.remembered.lists = 0;
      block_sync();
    }
    if constexpr (DYNAMIC && WARP > 1) {
      static_assert(C::KIND == Kind::none, "warps go their own ways");
      for (DynamicPartition partition(ctx, who.count, ticket); partition.base < who.count; partition.go_on(who.count))
        take<Monoid>(ctx, who, lists, f, collect, partition.mine(who.count), later_lists);
    } else {
      constexpr bool SPREADS = SPREAD && WARP > 1;
      // Hubs may have neighbouring numbers, but neighbouring vertices also share words of the bitmap of those
      // found.
      const Partition partition(ctx, who.count, WARP == 1 && in_order(who) ? Partition::BITS : Partition::LEAST);
      for (i64 base = SPREADS ? 0 : partition.first(); base < who.count; base = partition.next(base)) {
        collect.make_room(BLOCK);
        const i64 i = base + (SPREADS ? spread(ctx) : thread_id());
        if constexpr (WARP == 1 && F::PEEKS) {
          // The first entries of lists lie far apart, so the core prefetches them [D-cores-2].
          const i64 later = partition.later(i, LOOK_AHEAD);
          if (later < who.count && f.wants(vertex_t(who.at(later))))
            prefetch_entries(lists, lists.row(who.at(later)).begin);
        }
        take<Monoid>(ctx, who, lists, f, collect, i, later_lists);
      }
    }
    if constexpr (SHARED_LISTS) {
      block_sync();
      const int remembered = ctx.shared.remembered.lists;
      for (int k = 0; k < remembered && k < LaterLists::MOST; ++k) {
        const vertex_t v = vertex_t(later_lists.items[k]);
        const Row row = lists.row(v);
        typename Monoid::Total total;
        const bool mine = gathering::by_block<Monoid, BATCH>(
            ctx, lists, f, v, head_end<Monoid>(row.begin, row.end()), row.end(), total);
        if (mine && finish_vertex(f, v, f.own(v, row.length), total)) collect.push(item_t(v));
        if constexpr (F::NOTIFIES) {
          if (block_any(mine && f.notifies(total)))
            notify_entries<BATCH>(ctx, lists, f, v, row.begin + thread_id(), row.end(), edge_t(BLOCK));
        }
        if constexpr (Monoid::SHORT_CIRCUITS) block_sync();
      }
      block_sync();
    }
  }
};

// For lists of all lengths of which every entry counts [D-sum-1].
using UsualTiers = Tiers<32, 4096>;
constexpr int SECTOR = 8;  // words that a sector of memory holds
using SpreadTiers = Tiers<32, 4096, 4, SECTOR>;
// Over all vertices of graphs with hubs: most lists are short, and few long ones would hold up a warp [D-group-1,
// D-bits-2].
using HubTiers = Tiers<8, 1024, 4, SECTOR, 128>;
// For the vertices of a level, where hubs may follow each other: each warp takes one after another [D-level-1].
using LevelTiers = Tiers<32, 1024, 4, 1>;

// Every list by its thread: for graphs without long lists.
template <int BATCH>
using ByThread = Tiers<UNBOUNDED, UNBOUNDED, BATCH>;

// A part of a step; the vertices that f keeps go to any collector.
template <class Monoid, class Policy = UsualTiers, class C, class Who, class Lists, class F>
GR_DEVICE void gather_into(Context& ctx, const Who& who, const Lists& lists, F&& f, C& collect,
                           const Policy& policy = {}) {
  policy.template run<Monoid>(ctx, who, lists, f, collect);
  collect.flush();
}
// Gathers into `out`.
template <class Monoid, class Policy = UsualTiers, Kind OUT = Kind::none, class Who, class Lists, class F>
GR_DEVICE void gather(Context& ctx, const NextFrontier& out, const Who& who, const Lists& lists, F&& f,
                      const Policy& policy = {}) {
  Collector<OUT> collect(ctx, out, ctx.graph.csr);
  gather_into<Monoid>(ctx, who, lists, f, collect, policy);
}
// Gathers into the next frontier.
template <class Monoid, class Policy = UsualTiers, Kind OUT = Kind::none, class Who, class Lists, class F>
GR_DEVICE void gather(Context& ctx, const LoopState& s, const Who& who, const Lists& lists, F&& f,
                      const Policy& policy = {}) {
  gather<Monoid, Policy, OUT>(ctx, ctx.out(s), who, lists, f, policy);
}

}  // namespace gunrock
