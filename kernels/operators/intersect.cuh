// Intersection of neighbour lists: for each pair (x, y), the entries that both their lists have. Called by
// triangles.
//
//   intersect(ctx, pairs, f)
//
// x's list is marked, and the lists of its partners y are streamed past the marks, so a pair costs as many tests as
// y's list has entries; a caller that has the choice lets the longer list of a pair be marked. Entries do not repeat
// within a list; lists need not be sorted. Marks are
//   - a bit for each vertex: in the block's shared memory on a GPU, in windows if there are more vertices than bits;
//     on a core in its cache. If the entries of lists are smaller than their vertex, hubs, which come first, need few.
//   - a hash table for each of several short lists, in a warp's part of that memory.
// Blocks take pieces of the first rows' partners, which are equal work however long a row is; warps take the other
// rows, several together, and share out all entries of their partners' lists evenly among the lanes.
//
// A functor has, by default none of them (CommonFunctor):
//   EACH    common(x, y, w) is called for each common entry
//   SUMS    entry(w, count) is called for what several pairs have in common: blocks sum up the first vertices' by
//           themselves, as hubs, which come first, are in most
//   PAIRS   pair(x, y, count) is called by one thread for each pair with common entries; again for each window of
//           x's marks, if there are several
// and `total`, to which a thread adds what it finds.
//
// This operator reads entries by itself: lanes take the entries of several lists side by side.
#pragma once
#include "../core/partition.cuh"
#include "stream.cuh"
#include "sublists.cuh"

namespace gunrock {

struct CommonFunctor {
  static constexpr bool EACH = false;
  static constexpr bool SUMS = false;
  static constexpr bool PAIRS = false;
  u64 total = 0;
  GR_DEVICE void common(vertex_t, vertex_t, vertex_t) {}
  GR_DEVICE void entry(vertex_t, u64) {}
  GR_DEVICE void pair(vertex_t, vertex_t, i64) {}
};

// Each pair is an entry y of the list of partners of x: x's list in `marked` has what in common with y's in `streamed`?
struct Pairs {
  i64 count;           // vertices
  MadeLists marked;
  MadeLists streamed;
  MadeLists partners;
  bool falling;        // entries of x's marked list are smaller than x
  i64 long_lists;      // the first vertices, whose partners are for blocks; all others' lists are for warps
  i64 uneven;          // the first vertices, of which a warp takes only a few at a time
  u64* tickets;        // two, zero before
  u32* marks;          // of cores: `rooms` times as many words as have a bit for each vertex, zero before
  i64 rooms;
};

namespace intersecting {

constexpr int WORDS = SHARED_CACHE_BYTES / 4;
constexpr int SLOTS = WORDS / WARPS;                   // of a warp's hash tables
constexpr edge_t LONGEST = edge_t(SLOTS / 4);          // the longest list, or part of one, in a hash table
constexpr vertex_t FREE = -1;
static_assert(WARP == 1 || LONGEST > 0, "a warp's tables have no room");
constexpr int FIRST = WARP > 1 ? 2 * BLOCK : 0;        // vertices whose entries a block sums up

struct Storage {
  u64 ticket;
  int hits[WARPS][WARP];  // of the list that each lane has brought
  u32 sums[FIRST + 1];    // a pair adds one, and there are fewer than 2^32
};

// A thread has found w.
template <class F>
GR_DEVICE void found_entry(Context& ctx, F& f, vertex_t w) {
  if constexpr (F::SUMS) {
    if (w < FIRST) atomic_add(&ctx.shared.as<Storage>().sums[w], 1u);
    else f.entry(w, 1);
  }
}

// What a thread has found of the lists that its warp streams together.
template <class F>
struct Tally {
  F& f;
  int* hits;  // of the warp's lanes, all zero between two calls

  GR_DEVICE void found(int owner) {
    ++f.total;
    if constexpr (F::PAIRS) atomic_add(&hits[owner], 1);
  }
  // The whole warp, after all lists: this lane has brought y, for x.
  GR_DEVICE void hand_over(vertex_t x, vertex_t y) {
    if constexpr (F::PAIRS) {
      warp_sync();
      const int count = load_relaxed(&hits[lane_id()]);
      if (count) f.pair(x, y, count);
      store_relaxed(&hits[lane_id()], 0);
      warp_sync();
    }
  }
};

// --- a bit for each vertex ----------------------------------------------------------------------

GR_DEVICE bool marked(const u32* marks, vertex_t w) { return marks[u32(w) / 32] >> (u32(w) % 32) & 1; }

// Bits for the vertices of a window. The last word is always zero, and stands for all other vertices and for no entry
// (-1), so that a test has no branch and several are under way at once.
struct Window {
  static constexpr u32 BITS = u32(WORDS - 1) * 32;
  const u32* marks;
  vertex_t first;
  GR_DEVICE u32 place(vertex_t w) const {
    const u32 at = u32(w) - u32(first);
    return at < BITS ? at : BITS;
  }
  GR_DEVICE bool has(vertex_t w) const { return marked(marks, vertex_t(place(w))); }
};

// The whole warp: the lists of its lanes' partners, the long ones one by one.
template <class F>
GR_DEVICE void stream_partners(Context& ctx, const Pairs& p, const Window& window, vertex_t x, vertex_t y, F& f,
                               int* hits) {
  constexpr edge_t SHORT = WARP / 2;
  constexpr int BATCH = 4;
  const Row row = y >= 0 ? p.streamed.row(y) : Row{0, 0};
  ctx.count_edges(row.length);
  for (u32 left = warp_ballot(row.length > SHORT); left; left &= left - 1) {
    const int lane = lowest_bit(left);
    const vertex_t its = warp_broadcast(y, lane);
    int count = 0;
    stream_batches<BATCH, WARP>(p.streamed.columns, warp_broadcast(row.begin, lane), warp_broadcast(row.length, lane),
                                lane_id(), [&](const vertex_t (&w)[BATCH]) {
                                  GR_UNROLL
                                  for (int k = 0; k < BATCH; ++k) {
                                    const bool found = window.has(w[k]);
                                    count += int(found);
                                    if (found) found_entry(ctx, f, w[k]);
                                    if constexpr (F::EACH)
                                      if (found) f.common(x, its, w[k]);
                                  }
                                });
    f.total += u64(count);
    if constexpr (F::PAIRS) {
      count = warp_sum(count);
      if (count && lane_id() == 0) f.pair(x, its, count);
    }
  }
  Tally<F> tally{f, hits};
  stream_together(p.streamed.columns, row.begin, row.length > SHORT ? edge_t(0) : row.length,
                  [&](int owner, vertex_t w) {
                    const bool found = window.has(w);
                    if (found) tally.found(owner);
                    if (found) found_entry(ctx, f, w);
                    if constexpr (F::EACH) {
                      const vertex_t its = warp_broadcast(y, owner);
                      if (found) f.common(x, its, w);
                    }
                  });
  tally.hand_over(x, y);
}

// The whole block: x and its partners begin to end - 1, with its list marked in `marks`, where all bits are zero
// before and after.
template <class F>
GR_DEVICE void row_by_block(Context& ctx, const Pairs& p, vertex_t x, edge_t begin, edge_t end, u32* marks, F& f) {
  auto& storage = ctx.shared.as<Storage>();
  const Row row = p.marked.row(x);
  const i64 stop = p.falling ? i64(x) : p.count;
  for (i64 first = 0; first < stop; first += Window::BITS) {
    const Window window = {marks, vertex_t(first)};
    for (edge_t e = row.begin + thread_id(); e < row.end(); e += BLOCK) {
      const u32 at = window.place(p.marked.neighbor(e));
      if (at < Window::BITS) atomic_or(&marks[at / 32], 1u << at % 32);
    }
    block_sync();
    for (i64 base = begin; base < end; base += BLOCK) {  // neighbouring partners go to different warps
      const i64 e = base + warp_id() + WARPS * lane_id();
      stream_partners(ctx, p, window, x, e < end ? p.partners.neighbor(edge_t(e)) : -1, f, storage.hits[warp_id()]);
    }
    block_sync();
    for (edge_t e = row.begin + thread_id(); e < row.end(); e += BLOCK)
      store_relaxed(&marks[window.place(p.marked.neighbor(e)) / 32], 0u);
    block_sync();
  }
}

// One core: the same with bits for all vertices.
template <class F>
GR_DEVICE void row_by_core(Context& ctx, const Pairs& p, vertex_t x, edge_t begin, edge_t end, u32* marks, F& f) {
  const Row row = p.marked.row(x);
  const vertex_t *const own = p.marked.columns, *const columns = p.streamed.columns;
  for (edge_t e = row.begin; e < row.end(); ++e) marks[u32(own[e]) / 32] |= 1u << u32(own[e]) % 32;
  for (edge_t e = begin; e < end; ++e) {
    const vertex_t y = p.partners.neighbor(e);
    const Row other = p.streamed.row(y);
    ctx.count_edges(other.length);
    i32 count = 0;
    if constexpr (F::EACH || F::SUMS) {
      for (edge_t at = other.begin; at < other.end(); ++at) {
        if (!marked(marks, columns[at])) continue;
        ++count;
        found_entry(ctx, f, columns[at]);
        f.common(x, y, columns[at]);
      }
    } else {
      GR_SIMD_SUMS(count)
      for (edge_t at = other.begin; at < other.end(); ++at) count += i32(marked(marks, columns[at]));
    }
    f.total += u64(count);
    if constexpr (F::PAIRS)
      if (count) f.pair(x, y, count);
  }
  for (edge_t e = row.begin; e < row.end(); ++e) marks[u32(own[e]) / 32] = 0;
}

// The next piece of work, for all threads of the block.
GR_DEVICE i64 draw(Context& ctx, u64* ticket) {
  auto& storage = ctx.shared.as<Storage>();
  block_sync();
  if (thread_id() == 0) storage.ticket = atomic_add(ticket, u64(1));
  block_sync();
  return i64(storage.ticket);
}

// The whole block: pieces of the first rows' partners.
template <class F>
GR_DEVICE void by_blocks(Context& ctx, const Pairs& p, i64 rows, u32* marks, F& f) {
  constexpr i64 EACH = 32, LEAST = 64, MOST = 4096;  // pieces per block; partners in one
  const edge_t* const begins = p.partners.begins;
  const i64 end = rows > 0 ? i64(begins[rows]) : 0;
  if (end == 0) return;
  i64 piece = end / (EACH * ctx.blocks);
  piece = piece < LEAST ? LEAST : piece > MOST ? MOST : piece;
  for (i64 begin; (begin = draw(ctx, p.tickets) * piece) < end;) {
    const i64 stop = begin + piece < end ? begin + piece : end;
    for (i64 x = sublists::row_of(0, rows, begin, [&](i64 i) { return begins[i]; }); begin < stop; ++x) {
      const i64 next = i64(begins[x + 1]) < stop ? i64(begins[x + 1]) : stop;
      const i64 last = i64(p.partners.ends[x]) < next ? i64(p.partners.ends[x]) : next;
      if (begin < last) {
        if constexpr (WARP == 1) row_by_core(ctx, p, vertex_t(x), edge_t(begin), edge_t(last), marks, f);
        else row_by_block(ctx, p, vertex_t(x), edge_t(begin), edge_t(last), marks, f);
      }
      begin = next;
    }
  }
}

// --- hash tables --------------------------------------------------------------------------------

// A table in a warp's slots: where it begins, and how many it has (a power of two, or none).
struct Table {
  i32 first, slots;
  GR_DEVICE i32 home(vertex_t w) const {
    return i32((u64(u32(w) * 0x9e3779b1u) * u32(slots)) >> 32);
  }
};

GR_DEVICE i32 slots_for(edge_t length) {
  if (length == 0) return 0;
  const edge_t entries = length < LONGEST ? length : LONGEST;
  return 2 << (highest_bit(u32(entries)) + 1);  // two to four times as many
}

GR_DEVICE void insert(vertex_t* slots, const Table& table, vertex_t w) {
  for (i32 at = table.home(w);; at = (at + 1) & (table.slots - 1))
    if (atomic_cas(&slots[table.first + at], FREE, w) == FREE) return;
}

GR_DEVICE bool has(const vertex_t* slots, const Table& table, vertex_t w) {
  for (i32 at = table.home(w);; at = (at + 1) & (table.slots - 1)) {
    const vertex_t held = slots[table.first + at];
    if (held == w || held == FREE) return held == w;
  }
}

// The whole warp: a row of each lane; `taken` of them have a table each.
template <class F>
GR_DEVICE void stream_rows(Context& ctx, const Pairs& p, const vertex_t* slots, bool taken, vertex_t x,
                           const Row& partners, const Table& table, F& f, int* hits) {
  stream_together(
      p.partners.columns, partners.begin, taken ? partners.length : edge_t(0),
      [&](int owner, vertex_t y) {
        const vertex_t its_x = warp_broadcast(x, owner);
        const Table its = {warp_broadcast(table.first, owner), warp_broadcast(table.slots, owner)};
        const Row row = y >= 0 ? p.streamed.row(y) : Row{0, 0};
        ctx.count_edges(row.length);
        Tally<F> tally{f, hits};
        stream_together(p.streamed.columns, row.begin, row.length, [&](int bringer, vertex_t w) {
          const Table other = {warp_broadcast(its.first, bringer), warp_broadcast(its.slots, bringer)};
          const bool found = w >= 0 && has(slots, other, w);
          if (found) tally.found(bringer);
          if (found) found_entry(ctx, f, w);
          if constexpr (F::EACH) {
            const vertex_t of_x = warp_broadcast(its_x, bringer), of_y = warp_broadcast(y, bringer);
            if (found) f.common(of_x, of_y, w);
          }
        });
        tally.hand_over(its_x, y);
      });
}

// The whole warp: a row for each lane (of no entries for none), as many together as their tables have room. Of a
// list that is too long for a table, one part after the other is marked.
template <class F>
GR_DEVICE void rows_by_warp(Context& ctx, const Pairs& p, vertex_t x, Row row, const Row& partners, vertex_t* slots,
                            F& f, int* hits) {
  while (warp_ballot(row.length > 0)) {
    const i32 wanted = slots_for(row.length), ends = warp_inclusive_scan(wanted);
    const bool taken = row.length > 0 && ends <= SLOTS;
    const Table table = {ends - wanted, wanted};
    const edge_t part = !taken ? edge_t(0) : row.length < LONGEST ? row.length : LONGEST;
    const u32 first_left = warp_ballot(row.length > 0 && !taken);
    const i32 used = first_left ? warp_broadcast(table.first, first_lane(first_left)) : warp_broadcast(ends, WARP - 1);
    for (i32 i = lane_id(); i < used; i += WARP) slots[i] = FREE;
    warp_sync();
    stream_together(p.marked.columns, row.begin, part, [&](int owner, vertex_t w) {
      const Table its = {warp_broadcast(table.first, owner), warp_broadcast(table.slots, owner)};
      if (w >= 0) insert(slots, its, w);
    });
    warp_sync();
    stream_rows(ctx, p, slots, taken, x, partners, table, f, hits);
    warp_sync();
    row = {row.begin + part, row.length - part};
  }
}

// Warps: the rows from `first` on, in groups that are smaller for the first ones, whose lists may be longer.
template <class F>
GR_DEVICE void by_warps(Context& ctx, const Pairs& p, i64 first, vertex_t* slots, F& f, int* hits) {
  constexpr i64 FEW = WARP / 8 > 0 ? WARP / 8 : 1;
  const i64 few_each = p.uneven > first ? (p.uneven - first + FEW - 1) / FEW : 0;  // groups of a few rows
  for (;;) {
    u64 drawn = 0;
    if (lane_id() == 0) drawn = atomic_add(&p.tickets[1], u64(1));
    const i64 group = i64(warp_broadcast(drawn, 0));
    const bool few = group < few_each;
    const i64 begin = few ? first + group * FEW : first + few_each * FEW + (group - few_each) * WARP;
    if (begin >= p.count) return;
    const i64 x = begin + lane_id();
    const bool is_there = x < p.count && lane_id() < (few ? FEW : i64(WARP));
    const Row partners = is_there ? p.partners.row(x) : Row{0, 0};
    const Row row = partners.length > 0 ? p.marked.row(x) : Row{0, 0};
    rows_by_warp(ctx, p, vertex_t(x), row, partners, slots, f, hits);
  }
}

}  // namespace intersecting

// The longest list for warps; a vertex with a longer one belongs to the first rows, if these can be chosen.
constexpr i64 LONGEST_FOR_WARP = intersecting::LONGEST;

// A part of a step; the enactor is compiled with GR_SHARED_CACHE.
template <class F>
GR_DEVICE void intersect(Context& ctx, const Pairs& p, F& f) {
  using namespace intersecting;
  if constexpr (WARP == 1) {
    if (ctx.block < p.rooms) by_blocks(ctx, p, p.count, p.marks + ctx.block * ((p.count + 31) / 32), f);
  } else {
    auto& storage = ctx.shared.as<Storage>();
    u32* const words = ctx.shared.template shared_cache<u32>();
    for (int i = thread_id(); i < WORDS; i += BLOCK) words[i] = 0;
    storage.hits[warp_id()][lane_id()] = 0;
    for (int w = thread_id(); w < FIRST; w += BLOCK) storage.sums[w] = 0;
    by_blocks(ctx, p, p.long_lists, words, f);
    block_sync();  // the marks' memory is the tables' from here on
    by_warps(ctx, p, p.long_lists, (vertex_t*)words + warp_id() * SLOTS, f, storage.hits[warp_id()]);
    block_sync();
    if constexpr (F::SUMS)
      for (int w = thread_id(); w < FIRST; w += BLOCK)
        if (storage.sums[w]) f.entry(w, storage.sums[w]);
    block_sync();
  }
}

}  // namespace gunrock
