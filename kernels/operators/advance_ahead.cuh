// Advance ahead: expand a frontier and, without waiting for other blocks, the vertices that it leads to. Called
// by BFS, SSSP and BC on meshes.
//
// A traversal of a mesh takes thousands of levels of few vertices each, and a grid barrier per level costs more
// than the level. Here a block loads its share of the frontier into shared memory and goes on from what it
// finds, with only its own barrier in between; what lies beyond a bound goes to the next frontier. Blocks are
// not in step, so a vertex may first be reached by a detour: the block that improves it later expands it again.
// The result is correct however far blocks run ahead; the distance only decides how much work is wasted.
//
// A functor has
//   u32 value(v)                   what an item of the frontier is expanded with: a depth, or a distance's bits
//   WAITS, bool waits(value)       true if items may have to wait for a later frontier; if this item has to
//   bool keep(v)                   with WAITS: true if v may be queued (again)
//   u32 offer(value, e)            what an item expanded with `value` offers over edge e
//   bool peek(d, now)              true if that offer may improve d, by a plain load; false is final
//   u32* cell(d)                   the word that is lowered atomically
//   Slice slice(d, before, now)    given the word's former value. DROP: not improved; NEAR: for this step;
//                                  FAR: for the next frontier
#pragma once
#include "../core/partition.cuh"
#include "advance.cuh"

namespace gunrock {

constexpr Kind AHEAD_KIND = GR_TRACE ? Kind::vertex : Kind::plain;  // lists are counted for traces only

namespace ahead {

constexpr i64 LEAST_SHARE = 4;  // fewer items are not worth a block
constexpr i64 LOOK_AHEAD = 8;      // items whose lists a core has prefetched
constexpr i64 MOST_TOGETHER = 64;  // items that a core takes at once: some wait, and some lead far
// True if lists are long in the mean (gunrock_cli/operators/advance_ahead.py decides).
#if GR_AHEAD_LONG
constexpr bool LONG_LISTS = WARP > 1;
#else
constexpr bool LONG_LISTS = false;
#endif
// Edges that a thread processes at once, limited by registers [D-ahead-2].
template <class F>
constexpr int BATCH = BLOCK <= 128 ? 1 : !F::WAITS ? 3 : LONG_LISTS ? 1 : 4;
// Edges of a round up to which there is no plain load before the atomic, as only latency counts [D-ahead-3].
constexpr int DIRECT = LONG_LISTS ? 16 * BLOCK : BLOCK;

// A round of one block: expands the `here` items of `from`; `to` and its counter take the near items.
template <class C, class F>
GR_DEVICE void expand_round(const Csr& csr, const AheadQueue& from, int here, AheadQueue& to,
                            int* coming, int limit, int lanes_log, F& f, C& collect) {
  constexpr int BATCH = ahead::BATCH<F>;
  constexpr bool LOOKS_AGAIN = F::WAITS && BATCH == 1;  // tests items again before they are expanded [D-ahead-7]
  const int work = here << lanes_log, lanes = 1 << lanes_log;
  const bool direct = WARP > 1 && work <= DIRECT;
  for (int base = 0; base < work; base += BATCH * BLOCK) {
    u32 value[BATCH], by_now[BATCH];
    edge_t e[BATCH], end[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const int w = base + k * BLOCK + thread_id();
      e[k] = end[k] = 0;
      if (w < work) {
        const int i = w >> lanes_log;
        value[k] = from.values[i];
        e[k] = from.begins[i] + (w & (lanes - 1));
        end[k] = from.ends[i];
        if constexpr (LOOKS_AGAIN) by_now[k] = f.value(vertex_t(from.items[i]));
      }
    }
    for (bool more = true; more;) {
      vertex_t d[BATCH];
      edge_t begin[BATCH], stop[BATCH];
      u32 found[BATCH], before[BATCH];
      Slice slice[BATCH];
      bool live[BATCH];
      more = false;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        live[k] = e[k] < end[k];
        d[k] = 0;
        if (live[k]) d[k] = LONG_LISTS ? load_constant_wide(&csr.column_indices[e[k]]) : csr.neighbor(e[k]);
        found[k] = live[k] ? f.offer(value[k], e[k]) : 0;
        // Skips an item that has been improved since it was queued, as the improvement was queued, too. (Both
        // loads are in flight together. One test is enough, so later rounds need no register for it.)
        // [D-ahead-7]
        if constexpr (LOOKS_AGAIN) {
          if (live[k] && by_now[k] != value[k]) {
            live[k] = false;
            end[k] = e[k];
          }
          by_now[k] = value[k];
        }
        collect.ctx.look_at_edges(live[k]);
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (live[k] && !direct) live[k] = f.peek(d[k], found[k]);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        before[k] = found[k];
        // Atomics are predicated, so that they do not wait for each other. A single atomic shares a branch with
        // the load of the list; under a predicate the compiler would make that load wait for pointers to the
        // list [D-branch-1].
        constexpr bool SINGLE_EDGE = BATCH == 1 && !F::WAITS;
        if constexpr (!SINGLE_EDGE) before[k] = atomic_min_if(live[k], f.cell(d[k]), found[k], found[k]);
        if (live[k]) {  // d's list is in flight meanwhile
          if constexpr (SINGLE_EDGE) before[k] = atomic_min(f.cell(d[k]), found[k]);
          const Row row = csr.row(d[k]);
          begin[k] = row.begin;
          stop[k] = row.end();
        }
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) slice[k] = live[k] ? f.slice(d[k], before[k], found[k]) : DROP;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        e[k] += lanes;
        more |= e[k] < end[k];
        if (slice[k] == DROP) continue;
        const int place = slice[k] == NEAR ? reserve(coming) : limit;
        if (place < limit) {
          if constexpr (LONG_LISTS) {  // the next round begins with the list of d [D-ahead-12]
            csr.prefetch_list(begin[k]);
            if constexpr (F::WAITS) prefetch_far(&csr.values[begin[k]]);
          }
          to.items[place] = item_t(d[k]);
          to.values[place] = found[k];
          to.begins[place] = begin[k];
          to.ends[place] = stop[k];
        } else {
          collect.push(item_t(d[k]));
        }
      }
    }
  }
}

// A core is a block by itself: near items wait in its own queue, level by level. An item that has been improved
// since it was queued is skipped, as the improvement was queued, too. Items that do not fit the queue go to the
// next frontier, which all cores share [D-cores-3].
template <class F>
GR_DEVICE void expand_on_core(Context& ctx, const LoopState& s, F& f) {
  const Csr& csr = ctx.graph.csr;
  const Frontier in = ctx.in(s);
  Collector<AHEAD_KIND> collect(ctx, ctx.out(s), csr);
  AheadQueue *from = &ctx.shared.ahead.queues[0], *to = &ctx.shared.ahead.queues[1];
  int coming = 0;
  // Prefetches the lists of later items: first their rows, then their first entries.
  auto ask_row = [&](i64 v) { csr.prefetch_row(v); };
  auto ask_list = [&](i64 v) {
    const edge_t begin = csr.row(v).begin;
    csr.prefetch_entries(begin);
    if constexpr (F::WAITS) prefetch_near(&csr.values[begin]);
  };
  auto expand = [&](vertex_t v, u32 value) {
    const Row row = csr.row(v);
    ctx.count_edges(row.length);
    for (edge_t e = row.begin; e < row.end(); ++e) {
      const vertex_t d = csr.neighbor(e);
      const u32 found = f.offer(value, e);
      if (!f.peek(d, found)) continue;
      const Slice slice = f.slice(d, atomic_min(f.cell(d), found), found);
      if (slice == DROP) continue;
      if (slice == NEAR && coming < AHEAD_CAPACITY) {
        ask_row(d);
        to->items[coming] = item_t(d);
        to->values[coming++] = found;
      } else if constexpr (F::WAITS) {
        if (slice == FAR || f.keep(d)) collect.push(item_t(d));
      } else {
        collect.push(item_t(d));
      }
    }
    collect.drain();
  };
  const i64 count = in.size.count;
  const Partition partition(ctx, count, MOST_TOGETHER);
  for (i64 i = partition.first(); i < count; i = partition.next(i)) {
    const vertex_t v = vertex_t(in.queue.items[i]);
    const i64 later = partition.later(i, LOOK_AHEAD);
    if (later < count) ask_row(in.queue.items[later]);
    const u32 value = f.value(v);
    if constexpr (F::WAITS) {
      if (f.waits(value)) {
        if (f.keep(v)) collect.push(item_t(v));
        collect.drain();
        continue;
      }
    }
    expand(v, value);
  }
  while (coming > 0) {
    AheadQueue* const filled = to;
    to = from;
    from = filled;
    const int here = coming;
    coming = 0;
    for (int i = 0; i < here; ++i) {
      const vertex_t v = vertex_t(from->items[i]);
      if (i + LOOK_AHEAD / 2 < here) ask_list(from->items[i + LOOK_AHEAD / 2]);
      if (f.value(v) == from->values[i]) expand(v, from->values[i]);
    }
  }
  collect.flush();
}

// A block's share of the frontier and, without waiting for others, everything near, in rounds, each from one of
// two queues into the other. `lists` says how lists are found and walked:
//   ask(v, list)                        starts looking up v's list
//   put(list, to, place, v, value)      queues v with its list
//   expand(from, here, to, coming, limit, f, collect)   a round
template <int CAPACITY, class Queues, class Lists, class F>
GR_DEVICE void by_rounds(Context& ctx, const LoopState& s, Queues& shared, const Lists& lists, F& f) {
  const Frontier in = ctx.in(s);
  const u32 count = in.size.count;
  auto& queues = shared.queues;
  int* counts = shared.counts;
  constexpr int COUNTERS = Queues::COUNTERS;
  Collector<AHEAD_KIND> collect(ctx, ctx.out(s), lists.csr);
  i64 share = share_of(count, ctx.blocks);
  if (share < LEAST_SHARE) share = LEAST_SHARE;
  const i64 first = ctx.block * share;
  const i64 last = first + share < i64(count) ? first + share : i64(count);
  for (i64 base = first; base < last; base += CAPACITY) {
    int here = last - base < CAPACITY ? int(last - base) : CAPACITY;
    if (thread_id() == 0) counts[0] = counts[1] = 0;
    if constexpr (F::WAITS) block_sync();
    for (int i = thread_id(); i < here; i += BLOCK) {
      const vertex_t v = vertex_t(in.queue.items[base + i]);
      typename Lists::List list;
      lists.ask(v, list);
      const u32 value = f.value(v);
      int place = i;
      if constexpr (F::WAITS) {
        if (f.waits(value)) {
          if (f.keep(v)) collect.push(item_t(v));
          continue;
        }
        place = reserve(&counts[0]);
      }
      lists.put(list, queues[0], place, v, value);
    }
    block_sync();
    if constexpr (F::WAITS) here = counts[0];
    // A large frontier keeps all blocks busy in any case: one level at a time.
    const int limit = share > CAPACITY ? 0 : CAPACITY;
    for (u32 round = 0; here > 0; ++round) {
      int* coming = &counts[(round + 1) % COUNTERS];
      if (thread_id() == 0) counts[(round + 2) % COUNTERS] = 0;
      lists.expand(queues[round % 2], here, queues[(round + 1) % 2], coming, limit, f, collect);
      block_sync();
      here = *coming < limit ? *coming : limit;
    }
  }
  collect.flush();
}

// log2 of the threads that each of `here` items gets, at least 2^lanes_log: where a block has few items, its other
// threads help to walk their lists, as all wait for the longest one [D-ahead-15]. Searches for depths take a warp at
// most: more threads would only ask more often about vertices that other blocks have found.
template <bool WAITS>
GR_DEVICE int threads_log(int here, int lanes_log) {
  const int most = WAITS ? highest_bit(u32(BLOCK)) : highest_bit(u32(WARP));
  const int free = highest_bit(u32(BLOCK)) - highest_bit(u32(2 * here - 1));
  const int shared = free < most ? free : most;
  return shared > lanes_log ? shared : lanes_log;
}

// The graph's own lists, each shared by at least 2^lanes_log threads. With WAITS, a list is looked up before it is known
// whether its vertex waits, so that both loads are in flight together [D-ahead-13].
template <bool WAITS>
struct OwnLists {
  const Csr& csr;
  int lanes_log;

  using List = Csr::Offsets;
  GR_DEVICE void ask(vertex_t v, List& list) const {
    if constexpr (WAITS) list = csr.offsets(v);
  }
  GR_DEVICE void put(List list, AheadQueue& to, int place, vertex_t v, u32 value) const {
    to.items[place] = item_t(v);
    to.values[place] = value;
    if constexpr (!WAITS) list = csr.offsets(v);
    to.begins[place] = list.begin;
    to.ends[place] = list.end;
  }
  template <class F, class C>
  GR_DEVICE void expand(const AheadQueue& from, int here, AheadQueue& to, int* coming, int limit, F& f,
                        C& collect) const {
    expand_round(csr, from, here, to, coming, limit, threads_log<WAITS>(here, lanes_log), f, collect);
  }
};

}  // namespace ahead

// A step's work; 2^lanes_log threads or more share a list. Afterwards everything near has been expanded, and the next
// frontier holds the rest. (It may hold a vertex more than once.)
template <class F>
GR_DEVICE void advance_ahead(Context& ctx, const LoopState& s, int lanes_log, F& f) {
  if constexpr (WARP == 1) return ahead::expand_on_core(ctx, s, f);
  ahead::by_rounds<AHEAD_CAPACITY>(ctx, s, ctx.shared.ahead, ahead::OwnLists<F::WAITS>{ctx.graph.csr, lanes_log}, f);
}

}  // namespace gunrock
