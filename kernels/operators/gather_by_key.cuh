// Gather by key: sums the weights of each list's entries by key and hands over every pair of a key and its sum,
// in no particular order. A pair is a vertex's tie to one of the communities (labels, partitions) around it, or
// an entry of a contracted graph. Called by Louvain and contraction.cuh.
//
//   gather_by_key<Monoid, T, OUT>(ctx, s, who, lists, long_lists, slots, f)
//
// `slots` are KeySlots, or PlacedSlots.
//
// Sums are of type T, an integer, so their order does not matter. A functor is a KeyFunctor with
//   wants(v) -> bool              true if v's list is to be walked; what it reads of v is written in this step
//                                 by finish(v) only
//   Own, own(v)                   what pair and finish need of v itself
//   key(u)                        a neighbour's key: 0 or more
//   weight(u, v, e)               the weight of entry e of v's list, neighbour u
//   pair(v, own, key, sum) -> Monoid::Value    one pair's contribution
//   finish(v, own, total) -> keep              one thread hands over the fold of v's pairs; vertices that it
//                                              keeps enter the next frontier
//   RANKED                        pair gets, after the sum, the pair's number: 0 for one of the list's pairs,
//                                 1 for the next, and so on
//   MANY_SHORT                    separate code for lists of some ten entries
//   COUNTS                        every entry weighs 1, so lanes count the keys of a list that is no longer than a
//                                 warp by comparing them; no table is needed, and several lists are in flight
// All entries of a list are read before the first of its pairs is handed over: a functor may overwrite them.
//
// A short list is summed by its thread in registers, others in a hash table with open addressing: a warp's
// table in shared memory, or the block's, in shared memory or, for the longest lists, in global memory, where a
// list has two slots per entry, starting at twice its begin. An earlier step finds the lists for blocks
// (find_lists_for_blocks); they may since have become shorter.
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "compute.cuh"
#include "functor.cuh"
#include "reduce.cuh"
#include "walk.cuh"

namespace gunrock {

struct KeyFunctor {
  using Own = Nothing;
  static constexpr bool RANKED = false;
  static constexpr bool MANY_SHORT = true;
  static constexpr bool COUNTS = false;
  GR_DEVICE i32 weight(vertex_t, vertex_t, edge_t) { return 1; }
  GR_DEVICE bool wants(vertex_t) { return true; }
  GR_DEVICE Nothing own(vertex_t) { return {}; }
};

// Hash tables in global memory.
template <class T>
struct KeySlots {
  vertex_t* keys;
  T* sums;
  GR_DEVICE KeySlots of(vertex_t, const Row& row) const { return {keys + 2 * i64(row.begin), sums + 2 * i64(row.begin)}; }
};

// The same for the longest lists alone: each of these has its place.
template <class T>
struct PlacedSlots {
  vertex_t* keys;
  T* sums;
  const i64* places;  // of each vertex with such a list
  GR_DEVICE KeySlots<T> of(vertex_t v, const Row&) const { return {keys + places[v], sums + places[v]}; }
};

// The vertices whose lists are too long for a warp.
struct BlockLists {
  vertex_t* vertices;
  u64* count;  // zero before the lists are found
  i64 longest = greatest<edge_t>();  // blocks take lists up to this length; longer ones are left out
};

namespace by_key {

constexpr int FEW = 8;  // entries in a thread's registers, where a list is short
constexpr vertex_t FREE = -1;  // as load_entries has it beyond a list's end

// The most entries in registers. (More entries need more registers than there are; a core's table is in its
// cache.)
template <class T, class F>
GR_DEVICE constexpr int thread_max() {
  if (F::COUNTS && WARP > 1) return WARP / 2 < 2 * FEW ? WARP / 2 : 2 * FEW;
  return BLOCK == 1 || sizeof(T) > 4 || !F::MANY_SHORT ? FEW : 2 * FEW;
}

// The number of slots that a warp has in the block's scratch; half as many entries are no giant (contraction.cuh).
template <class T>
GR_DEVICE constexpr int slots_of_warp() {
  constexpr int room = int(sizeof(BlockShared::scratch)) - WARPS * 48 - BLOCK * int(sizeof(vertex_t)) - 32;
  constexpr int slots = room / int(sizeof(T) + sizeof(vertex_t)) / WARPS / 2 * 2;
  return slots < 8192 ? slots : 8192;
}
template <class T, class Total>
struct KeyTable {
  T sums[slots_of_warp<T>() * WARPS];
  vertex_t keys[slots_of_warp<T>() * WARPS];
  int ranks[WARPS];
  int wanted_count;
  vertex_t wanted[BLOCK];  // long lists that the block is to take
  alignas(8) Total parts[WARPS];
  static_assert(sizeof(Total) <= 40, "a total is too wide for the scratch");
};

// The longest lists for a warp's table and for the block's.
template <class T>
GR_DEVICE constexpr edge_t warp_max() { return slots_of_warp<T>() / 2; }
template <class T>
GR_DEVICE constexpr edge_t block_max() { return slots_of_warp<T>() * WARPS / 2; }

// A hash table with open addressing. Slots are read past this multiprocessor's L1 cache, which atomics bypass.
// SINGLE_THREAD: no other thread uses the table.
template <class T, bool SINGLE_THREAD = BLOCK == 1>
struct Table {
  vertex_t* keys;
  T* sums;
  u32 capacity;

  GR_DEVICE void clear(int rank, int size) const {
    for (u32 i = u32(rank); i < capacity; i += u32(size)) {
      store_relaxed(&keys[i], FREE);
      store_relaxed(&sums[i], T(0));
    }
  }
  GR_DEVICE void add(vertex_t key, T x) const { add_within(key, x, capacity); }
  // Adds x if the key or a free slot is among the first `tries` candidates; else returns false.
  GR_DEVICE bool add_within(vertex_t key, T x, u32 tries) const {
    u32 i = u32((u64(u32(key) * 0x9e3779b1u) * capacity) >> 32);
    for (; tries > 0; --tries, i = i + 1 == capacity ? 0 : i + 1) {
      if constexpr (SINGLE_THREAD) {
        if (keys[i] != key && keys[i] != FREE) continue;
        keys[i] = key;
        sums[i] += x;
        return true;
      } else {
        vertex_t held = load_relaxed(&keys[i]);
        if (held == FREE) held = atomic_cas(&keys[i], FREE, key);
        if (held != FREE && held != key) continue;
        atomic_add(&sums[i], x);
        return true;
      }
    }
    return false;
  }
};

// A warp that sums a list together.
struct OfWarp {
  static constexpr int SIZE = WARP;
  GR_DEVICE static int rank() { return lane_id(); }
  GR_DEVICE static void sync() { warp_sync(); }
};
struct OfBlock {
  static constexpr int SIZE = BLOCK;
  GR_DEVICE static int rank() { return thread_id(); }
  GR_DEVICE static void sync() { block_sync(); }
};

template <class Value, class T, class F>
GR_DEVICE Value hand_over(F& f, vertex_t v, const typename F::Own& own, vertex_t key, T sum, int rank) {
  if constexpr (F::RANKED) return f.pair(v, own, key, sum, rank);
  else return f.pair(v, own, key, sum);
}

// A list of at most MOST entries by its thread.
template <class Monoid, class T, int MOST, class Lists, class F>
GR_DEVICE typename Monoid::Total by_thread(Context& ctx, const Lists& lists, F& f, vertex_t v,
                                           const typename F::Own& own, const Row& row) {
  vertex_t keys[MOST];
  T sums[MOST];
  const int length = int(row.length);
  load_entries(ctx, lists, row.begin, row.end(), edge_t(1), keys);
  GR_UNROLL
  for (int k = 0; k < MOST; ++k) {
    if (k < length) {
      sums[k] = f.weight(keys[k], v, row.begin + k);
      keys[k] = f.key(keys[k]);
    }
  }
  auto total = Monoid::nothing();
  int rank = 0;
  GR_UNROLL
  for (int k = 0; k < MOST; ++k) {
    if (k < length && keys[k] != FREE) {
      GR_UNROLL
      for (int other = k + 1; other < MOST; ++other) {
        if (other < length && keys[other] == keys[k]) {
          sums[k] += sums[other];
          keys[other] = FREE;
        }
      }
      Monoid::add(total, hand_over<typename Monoid::Value>(f, v, own, keys[k], sums[k], rank++));
    }
  }
  return total;
}

// The whole warp: the lists of no more entries than it has lanes, whose bits are in `left`. An entry of each is a
// lane's; lanes that have the same key are its sum.
template <class Monoid, class T, class Lists, class F, class Finish>
GR_DEVICE void by_matching(Context& ctx, const Lists& lists, F& f, u32 left, vertex_t v, const Row& row,
                           const Finish& finish) {
  static_assert(F::COUNTS && !F::RANKED, "keys are counted, and have no numbers");
  constexpr int TOGETHER = 4;  // lists in flight
  while (left) {
    int owners[TOGETHER];
    vertex_t of[TOGETHER], keys[TOGETHER];
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k, left &= left - 1) {
      owners[k] = left ? lowest_bit(left) : -1;
      const int lane = left ? owners[k] : 0;
      of[k] = warp_broadcast(v, lane);
      const edge_t begin = warp_broadcast(row.begin, lane), length = warp_broadcast(row.length, lane);
      const bool there = owners[k] >= 0 && lane_id() < length;
      keys[k] = there ? lists.neighbor(begin + lane_id()) : FREE;
      ctx.count_edges(there);
    }
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k)
      if (keys[k] != FREE) keys[k] = f.key(keys[k]);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k) {
      if (owners[k] < 0) continue;  // for all lanes
      const u32 same = warp_match(keys[k]);
      auto total = Monoid::nothing();
      if (keys[k] != FREE && lane_id() == first_lane(same))
        Monoid::add(total, f.pair(of[k], f.own(of[k]), keys[k], T(popcount(same))));
      fold_lanes<Monoid>(total, WARP);
      if (lane_id() == owners[k]) finish(total);
    }
  }
}

// A list by a warp or the block, all of whose threads call: each gets the fold of its share of the pairs.
// `ranks` is a counter in shared memory.
template <class Monoid, class T, class Group, class Lists, class F>
GR_DEVICE typename Monoid::Total by_group(Context& ctx, const Lists& lists, F& f, vertex_t v,
                                          const typename F::Own& own, const Row& row,
                                          const Table<T>& table, int* ranks) {
  constexpr int BATCH = 4;  // entries per thread whose loads are in flight together
  table.clear(Group::rank(), Group::SIZE);
  if (Group::rank() == 0) *ranks = 0;
  Group::sync();
  for (edge_t e = row.begin + Group::rank(); e < row.end(); e += BATCH * Group::SIZE) {
    vertex_t u[BATCH];
    T x[BATCH];
    load_entries(ctx, lists, e, row.end(), edge_t(Group::SIZE), u);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (u[k] == FREE) continue;
      x[k] = f.weight(u[k], v, e + k * Group::SIZE);
      u[k] = f.key(u[k]);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (u[k] != FREE) table.add(u[k], x[k]);
  }
  Group::sync();
  auto total = Monoid::nothing();
  constexpr int SLOTS = BLOCK == 1 ? 1 : 4;  // slots per thread whose loads are in flight together
  for (u32 base = u32(Group::rank()); base < table.capacity; base += u32(SLOTS * Group::SIZE)) {
    vertex_t keys[SLOTS];
    T sums[SLOTS];
    GR_UNROLL
    for (int k = 0; k < SLOTS; ++k) {
      const u32 i = base + u32(k * Group::SIZE);
      const bool inside = i < table.capacity;
      keys[k] = inside ? load_relaxed(&table.keys[i]) : FREE;
      sums[k] = inside && (SLOTS > 1 || keys[k] != FREE) ? load_relaxed(&table.sums[i]) : T(0);
    }
    GR_UNROLL
    for (int k = 0; k < SLOTS; ++k) {
      if (keys[k] == FREE) continue;
      int rank = 0;
      if constexpr (F::RANKED) rank = reserve(ranks);
      Monoid::add(total, hand_over<typename Monoid::Value>(f, v, own, keys[k], sums[k], rank));
    }
  }
  return total;
}

// The whole block: the lists that are too long for a warp.
template <class Monoid, class T, class Lists, class Slots, class F, class C>
GR_DEVICE void long_lists(Context& ctx, const Lists& lists, const BlockLists& known,
                          const Slots& slots, F& f, C& collect) {
  using Total = typename Monoid::Total;
  auto& storage = ctx.shared.as<KeyTable<T, Total>>();
  const i64 count = i64(load_relaxed(known.count));
  // Many lists are not wanted, so a block tests as many at once as it has threads.
  for (i64 base = 0; base < count; base += ctx.threads()) {
    collect.make_room(BLOCK);
    if (thread_id() == 0) storage.wanted_count = 0;
    block_sync();
    const i64 i = base + i64(thread_id()) * ctx.blocks + ctx.block;
    if (i < count) {
      const vertex_t v = known.vertices[i];
      const edge_t length = lists.row(v).length;
      if (length > warp_max<T>() && length <= known.longest && f.wants(v))
        storage.wanted[reserve(&storage.wanted_count)] = v;
    }
    block_sync();
    const int wanted = storage.wanted_count;
    for (int k = 0; k < wanted; ++k) {
      const vertex_t v = storage.wanted[k];
      const Row row = lists.row(v);
      const auto own = f.own(v);
      const bool fits = row.length <= block_max<T>();
      const u32 capacity = u32(2 * i64(row.length));
      const KeySlots<T> own_slots = fits ? KeySlots<T>{storage.keys, storage.sums} : slots.of(v, row);
      const Table<T> table = {own_slots.keys, own_slots.sums, capacity};
      block_sync();  // the previous list no longer uses the table
      Total total = by_group<Monoid, T, OfBlock>(ctx, lists, f, v, own, row, table, &storage.ranks[0]);
      fold_lanes<Monoid>(total, WARP);
      if (lane_id() == 0) storage.parts[warp_id()] = total;
      block_sync();
      if (thread_id() == 0) {
        total = storage.parts[0];
        for (int w = 1; w < WARPS; ++w) Monoid::merge(total, storage.parts[w]);
        if (f.finish(v, own, total)) collect.push(item_t(v));
      }
    }
  }
  block_sync();
}

// The lists of a warp's lanes: short ones by their threads, then the others one by one by the warp.
template <class Monoid, class T, class Lists, class F, class C>
GR_DEVICE void lists_of_lanes(Context& ctx, const Lists& lists, F& f, bool open, vertex_t v, C& collect) {
  using Total = typename Monoid::Total;
  auto& storage = ctx.shared.as<KeyTable<T, Total>>();
  Row row = {0, 0};
  typename F::Own own{};
  if (open) {
    row = lists.row(v);
    own = f.own(v);
  }
  auto finish = [&](const Total& total) {
    if (f.finish(v, own, total)) collect.push(item_t(v));
  };
  constexpr int MOST = thread_max<T, F>(), FEWEST = MOST < FEW ? MOST : FEW;
  if (open && row.length <= FEWEST) finish(by_thread<Monoid, T, FEWEST>(ctx, lists, f, v, own, row));
  if constexpr (MOST > FEWEST)
    if (open && row.length > FEWEST && row.length <= MOST)
      finish(by_thread<Monoid, T, MOST>(ctx, lists, f, v, own, row));
  bool shared = open && row.length > MOST && row.length <= warp_max<T>();
  if constexpr (F::COUNTS && WARP > 1) {
    const bool matched = shared && row.length <= WARP;
    by_matching<Monoid, T>(ctx, lists, f, warp_ballot(matched), v, row, finish);
    shared = shared && !matched;
  }
  const int first = warp_id() * slots_of_warp<T>();
  for (u32 left = warp_ballot(shared); left; left &= left - 1) {
    const int lane = lowest_bit(left);
    const vertex_t of = warp_broadcast(v, lane);
    const Row its = {warp_broadcast(row.begin, lane), warp_broadcast(row.length, lane)};
    const Table<T> table = {storage.keys + first, storage.sums + first, u32(2 * its.length)};
    warp_sync();  // the previous list no longer uses the table
    Total total = by_group<Monoid, T, OfWarp>(ctx, lists, f, of, f.own(of), its, table,
                                              &storage.ranks[warp_id()]);
    fold_lanes<Monoid>(total, WARP);
    if (lane == lane_id()) finish(total);
  }
}

}  // namespace by_key

// A part of an earlier step: finds the lists for blocks.
template <class T, class Lists>
GR_DEVICE void find_lists_for_blocks(Context& ctx, i64 count, const Lists& lists, const BlockLists& found) {
  find_longer(ctx, count, lists, by_key::warp_max<T>(), found.vertices, found.count);
}

// A part of a step. `known` covers all vertices whose lists may be wanted, and the functor reads nothing that
// lies in `slots`.
template <class Monoid, class T, Kind OUT = Kind::none, class Who, class Lists, class Slots, class F>
GR_DEVICE void gather_by_key(Context& ctx, const LoopState& s, const Who& who, const Lists& lists,
                             const BlockLists& known, const Slots& slots, F& f) {
  Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
  by_key::long_lists<Monoid, T>(ctx, lists, known, slots, f, collect);
  for (i64 base = i64(ctx.block) * BLOCK; base < who.count; base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    vertex_t v = 0;
    bool open = false;
    if (i < who.count) {
      v = vertex_t(who.at(i));
      open = who.holds(item_t(v)) && f.wants(v);
    }
    by_key::lists_of_lanes<Monoid, T>(ctx, lists, f, open, v, collect);
  }
  collect.flush();
}

}  // namespace gunrock
