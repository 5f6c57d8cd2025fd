// Frontiers: queues with their scanned list lengths, bitmaps, and how a block fills a queue.
//
// Every queue carries, beside its items, the exclusive prefix sum of the lengths of the neighbour
// lists that the items stand for. The sum comes for free when the queue is filled: a block reserves
// room for its items and their edges with one atomic on a packed 64-bit tail, so positions and sums
// grow in the same order. A load-balanced advance then needs no scan and no further grid barrier.
#pragma once
#include "../backend/backend.cuh"

// What an item of a frontier is. An edge stands for the list of the vertex it points to; a plain
// item for no list at all, and its queue has no scan.
enum class Kind { none, vertex, edge, plain };

#if GR_EDGE_FRONTIER
using item_t = edge_t;
#else
using item_t = vertex_t;
#endif

// Items and the sum of their list lengths, packed: 31 bits of count above 33 bits of edges.
#ifndef GR_EDGE_BITS  // fewer in tests
#define GR_EDGE_BITS 33
#endif
constexpr int EDGE_BITS = GR_EDGE_BITS;
// What a frontier's lists may add up to. Offsets within them are edge_t; the host refuses graphs of
// more edges, but items that a frontier has more than once can exceed it.
constexpr u64 MOST_EDGES = (u64(1) << EDGE_BITS) - 1;
constexpr u64 EDGE_LIMIT = sizeof(edge_t) == 4 && MOST_EDGES > 0x7fffffffull ? 0x7fffffffull : MOST_EDGES;
struct Size {
  u32 count;
  u64 edges;
};
GR_DEVICE u64 pack(u64 count, u64 edges) { return count << EDGE_BITS | edges; }
GR_DEVICE Size unpack(u64 tail) {
  return {u32(tail >> EDGE_BITS), tail & ((u64(1) << EDGE_BITS) - 1)};
}

// A tail has a word beside it that says why the run must end: the frontier outgrows the packed form, or
// the host asks for it. A step sets that of the next, so all threads of the next agree on what they read.
constexpr int TAILS = 3;
enum Halt : u64 { GO_ON, OVERFLOW, ASKED };
GR_DEVICE void halt(u64* tail, Halt why) { store_relaxed(tail + TAILS, u64(why)); }

// One thread: room at a tail for `count` items whose lists have `edges` edges; where it begins. (Items
// are no more than the edges that led to them: with 32-bit offsets their count cannot overflow.)
template <Kind KIND>
GR_DEVICE u64 claim(u64* tail, u64 count, u64 edges) {
  const u64 added = pack(count, edges), at = atomic_add(tail, added);
  if (KIND != Kind::plain &&
      (unpack(at).edges + edges > EDGE_LIMIT || (sizeof(edge_t) == 8 && at + added < at)))
    halt(tail, OVERFLOW);
  return at;
}

struct Queue {
  item_t* items;
  edge_t* scan;  // prefix sum of the list lengths, exclusive, in queue order
  edge_t* rows;  // where each item's list begins
  u64 capacity;
};

// --- block-shared storage -------------------------------------------------------------------------
#if GR_CUDA
constexpr int ITEMS = GR_ITEMS;  // edges that a thread works on at once
constexpr int PASS = BLOCK * ITEMS;
constexpr int STAGE = 2 * PASS;
#else
constexpr int ITEMS = 8;
constexpr int PASS = BLOCK * ITEMS;
constexpr int STAGE = 4096;
#endif
constexpr int HISTORY = 1024;  // entries of the culling hash table

#if GR_CUDA
constexpr int SOLO_CAPACITY = GR_SOLO_CAPACITY;  // items that a lone block's queues hold
constexpr int SOLO_EDGES = GR_SOLO_EDGES;        // largest frontier that a block keeps to itself
struct Window {  // the vertices that one pass of a load-balanced advance needs
  edge_t scan[PASS + 1];
  edge_t rows[PASS + 1];
  item_t items[PASS + 1];
};
#else
constexpr int SOLO_EDGES = 2048;  // below this, one core beats the team's barrier
constexpr int SOLO_CAPACITY = SOLO_EDGES;
#endif
static_assert(SOLO_EDGES <= SOLO_CAPACITY, "each edge may yield an item");
struct SoloQueue {
  edge_t scan[SOLO_CAPACITY];
  edge_t rows[SOLO_CAPACITY];
  item_t items[SOLO_CAPACITY];
};

// Of operators/advance_ahead.cuh.
constexpr int AHEAD_CAPACITY = GR_CUDA ? 1024 : 4096;  // items of a block that runs ahead
struct AheadQueue {
  item_t items[AHEAD_CAPACITY];
  u32 values[AHEAD_CAPACITY];
  edge_t begins[AHEAD_CAPACITY];
  edge_t ends[AHEAD_CAPACITY];
};
struct AheadStorage {
  AheadQueue queues[2];
  int counts[3];
};

struct BlockShared {
  ScanStorage<edge_t> scan;
  ScanStorage<u64> wide_scan;  // of packed sizes
  u64 broadcast;
  u64 broadcast_far;
  u64 received[2];       // the in-frontier's size and halt word
  u64 long_edges;        // of long lists, since the stage was written out last
  u64 tails[2 * TAILS];  // of the queues of a block that works alone
  int staged;
  int turn_winner;
  item_t stage[STAGE];
#if GR_CULL_HISTORY
  vertex_t history[HISTORY];
#endif
#if GR_CUDA
  union {  // a block that works alone searches its queue in place and needs no window
    Window window;
    SoloQueue solo[2];
#if GR_AHEAD
    AheadStorage ahead;
#endif
  };
#else
#if GR_AHEAD
  AheadStorage ahead;
#endif
  SoloQueue solo[2];  // last: what is read beyond them lies beyond the block's storage
#endif
};

struct TraceRow {
  u64 time_ns;  // when the step began
  i32 phase;    // the enactor's own number for what the step does
  i32 iteration;
  i64 count;    // frontier items
  i64 edges;    // of their lists; 0 where the step looks at none
  i32 alone;    // run by one block
  i32 mode;     // of the advance that ran; -1: none did
};

// What a step runs in: which blocks take part, their shared storage, the graph, the queues.
struct Context {
  const Graph& graph;
  BlockShared& shared;
  int block;   // this block among those that take part
  int blocks;  // how many take part; 1 where a block works alone
  bool solo;
  Queue even, odd;  // in and out in turn, by the step's parity
  u64* tails;       // three: in, out, and the next out, which this step clears; their overflows
  i64 lb_threshold;
#if GR_TRACE
  TraceRow row;  // of the step that runs
  bool shown;
#endif
#if GR_COUNT
  u64 inspected;  // edges that this thread has looked at
#endif

  // What this step does: its phase, and the frontier that it works on. Steps that do nothing but hand
  // over to the grid show nothing.
  GR_DEVICE void show(i32 phase, i64 iteration, i64 count, i64 edges) {
#if GR_TRACE
    row.phase = phase;
    row.iteration = i32(iteration);
    row.count = count;
    row.edges = edges;
    shown = true;
#endif
  }
  GR_DEVICE void show(i32 phase, i64 iteration, Size size) {
    show(phase, iteration, i64(size.count), i64(size.edges));
  }
  // For `--count`: this thread has looked at so many edges.
  GR_DEVICE void count_edges(i64 looked) {
#if GR_COUNT
    inspected += u64(looked);
#endif
  }
  GR_DEVICE void show_mode(i32 mode) {
#if GR_TRACE
    row.mode = mode;
#endif
  }

  // Selected field by field: an indexed array would live in local memory.
  GR_DEVICE Queue queue(u32 step) const {
    const bool e = step % 2 == 0;
    return {e ? even.items : odd.items, e ? even.scan : odd.scan, e ? even.rows : odd.rows,
            even.capacity};
  }
  GR_DEVICE u64* tail(u32 step) const { return tails + step % TAILS; }

  GR_DEVICE i64 rank() const { return i64(block) * BLOCK + thread_id(); }
  GR_DEVICE i64 threads() const { return i64(blocks) * BLOCK; }
};

// Which vertex's list an item stands for.
template <Kind KIND>
GR_DEVICE vertex_t list_of(item_t item, const Csr& csr) {
  if constexpr (KIND == Kind::edge) return load_constant(&csr.column_indices[item]);
  return vertex_t(item);
}

// --- filling a queue ------------------------------------------------------------------------------
// Threads push items into the block's stage; the whole block writes the stage out when it is full.
// `next` is the graph whose lists the new frontier will expand. KIND::none makes all of it vanish.
//
// Self is the collector: it has KIND, a push, and flush, which the whole block calls.
template <class Self, Kind KIND_>
struct Staging {
  static constexpr Kind KIND = KIND_;
  Context& ctx;
  int bound = 0;  // how many items the stage may hold by now
  int turn = 0;

  GR_DEVICE explicit Staging(Context& context) : ctx(context) {}

  // The whole block: afterwards the stage has room for `items` more.
  GR_DEVICE void make_room(int items) {
    if constexpr (KIND != Kind::none) {
      if (bound + items > STAGE) {
        block_sync();
        bound = ctx.shared.staged;
        if (bound + items > STAGE) {
          static_cast<Self*>(this)->flush();
          bound = 0;
        }
        block_sync();
      }
      bound += items;
    }
  }

  // The whole block: write out what is staged if that is much.
  GR_DEVICE void drain() {
    if constexpr (KIND != Kind::none) {
      block_sync();
      const bool full = ctx.shared.staged > STAGE / 2;
      if (full) static_cast<Self*>(this)->flush();
      bound = full ? 0 : STAGE;
      block_sync();
    }
  }
};

// Fills one queue.
template <Kind KIND>
struct Collector : Staging<Collector<KIND>, KIND> {
  using Base = Staging<Collector<KIND>, KIND>;
  using Base::ctx;
  using Base::turn;
  const Queue out;
  u64* tail;
  const Csr& next;

  GR_DEVICE Collector(Context& context, const Queue& queue, u64* queue_tail, const Csr& lists)
      : Base(context), out(queue), tail(queue_tail), next(lists) {}

  // Any thread, at any time. An item that finds the stage full goes to the queue directly. (The
  // second argument is what cond_edge answered; only a priority queue's collector wants to know.)
  GR_DEVICE void push(item_t item, bool = true) {
    if constexpr (KIND != Kind::none) {
      const int place = reserve(&ctx.shared.staged);
      if (place < STAGE) {
        ctx.shared.stage[place] = item;
      } else {
        const List list = find_list(item);
        write(unpack(claim<KIND>(tail, 1, u64(list.length))), item, list.row);
      }
    }
  }

  // The whole block: write out what is staged. Ends without a barrier.
  GR_DEVICE void flush() {
    if constexpr (KIND != Kind::none) {
      block_sync();
      const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
#if GR_CUDA
      for (int base = 0; base < staged; base += BLOCK) {
        const int i = base + thread_id();
        const bool mine = i < staged;
        item_t item = 0;
        List list = {0, 0};
        edge_t before = 0, total = 0;
        if (mine) {
          item = ctx.shared.stage[i];
          list = find_list(item);
          if (list.length > 0) prefetch_far(&next.column_indices[list.row]);  // the next step's first
          if (sizeof(edge_t) == 4 && list.length > LONG_EDGES) add_long(list.length);
        }
        if constexpr (KIND == Kind::plain) block_sync();
        else before = block_scan(list.length, total, ctx.shared.scan, turn++);
        if (thread_id() == 0) {
          const int round = staged - base < BLOCK ? staged - base : BLOCK;
          ctx.shared.broadcast = claim<KIND>(tail, u64(round), as_unsigned(total));
        }
        block_sync();
        Size at = unpack(ctx.shared.broadcast);
        at.count += u32(thread_id());
        at.edges += u64(before);
        if (mine) write(at, item, list.row);
      }
#else
      u64 total = 0;
      for (int i = 0; i < staged; ++i) total += u64(find_list(ctx.shared.stage[i]).length);
      if (staged) {
        Size at = unpack(claim<KIND>(tail, u64(staged), total));
        for (int i = 0; i < staged; ++i, ++at.count) {
          const List list = find_list(ctx.shared.stage[i]);
          write(at, ctx.shared.stage[i], list.row);
          at.edges += u64(list.length);
        }
      }
#endif
      block_sync();
      if (thread_id() == 0) ctx.shared.staged = ctx.shared.long_edges = 0;
    }
  }

 private:
  // The scan over the block could wrap. What is not long is EDGE_LIMIT in all at most, and with as much
  // of long lists fits an unsigned sum; more than that of long lists alone is noted here.
  static constexpr edge_t LONG_EDGES = edge_t(EDGE_LIMIT / BLOCK);
  GR_DEVICE void add_long(edge_t length) {
    if (atomic_add(&ctx.shared.long_edges, u64(length)) + u64(length) > EDGE_LIMIT)
      halt(tail, OVERFLOW);
  }
  GR_DEVICE static u64 as_unsigned(edge_t sum) {
    return sizeof(edge_t) == 4 ? u64(u32(sum)) : u64(sum);
  }

  struct List {
    edge_t row, length;
  };
  GR_DEVICE List find_list(item_t item) const {
    if constexpr (KIND == Kind::plain) return {0, 0};
    const vertex_t v = list_of<KIND>(item, next);
    const edge_t row = load_constant(&next.row_offsets[v]);
    return {row, load_constant(&next.row_offsets[v + 1]) - row};
  }

  // Beyond the capacity nothing is written: the tail tells the driver, which stops the run, and the
  // host grows the queues and runs again.
  GR_DEVICE void write(const Size& at, item_t item, edge_t row) {
    if (at.count < out.capacity) {
      out.items[at.count] = item;
      if constexpr (KIND != Kind::plain) {
        out.scan[at.count] = edge_t(at.edges);
        out.rows[at.count] = row;
      }
    }
  }
};

// The whole block of rank 0: a frontier of one item. A step of its own.
template <Kind KIND>
GR_DEVICE void seed(Context& ctx, const Queue& out, u64* tail, const Csr& next, item_t item) {
  Collector<KIND> collect(ctx, out, tail, next);
  if (ctx.rank() == 0) collect.push(item);
  collect.flush();
}

// --- bitmaps --------------------------------------------------------------------------------------
GR_DEVICE i64 bitmap_words(i64 n) { return (n + 31) / 32; }
GR_DEVICE bool bitmap_test(const u32* bits, vertex_t v) {
  return load_relaxed(&bits[v / 32]) >> (v % 32) & 1;
}
GR_DEVICE void bitmap_set(u32* bits, vertex_t v) { atomic_or(&bits[v / 32], 1u << (v % 32)); }

// Set all words to zero. A part of a step.
GR_DEVICE void bitmap_clear(Context& ctx, u32* bits) {
  const i64 words = bitmap_words(ctx.graph.n);
  for (i64 i = ctx.rank(); i < words; i += ctx.threads()) bits[i] = 0;
}

// Add a vertex queue to a bitmap. A part of a step.
GR_DEVICE void bitmap_from_queue(Context& ctx, const Queue& in, u32 count, u32* bits) {
  for (i64 i = ctx.rank(); i < count; i += ctx.threads()) bitmap_set(bits, vertex_t(in.items[i]));
}

// Append a bitmap's vertices to a queue. A part of a step.
GR_DEVICE void queue_from_bitmap(Context& ctx, const u32* bits, const Queue& out, u64* tail,
                                 const Csr& next) {
  Collector<Kind::vertex> collect(ctx, out, tail, next);
  const i64 words = bitmap_words(ctx.graph.n);
  const i64 rounds = (words + ctx.threads() - 1) / ctx.threads();
  for (i64 round = 0; round < rounds; ++round) {
    const i64 i = ctx.rank() + round * ctx.threads();
    u32 word = i < words ? load_relaxed(&bits[i]) : 0;
    while (block_any(word != 0)) {  // a bit a thread at a time, so that the stage cannot overflow
      collect.make_room(BLOCK);
      if (word) {
        collect.push(item_t(i * 32 + lowest_bit(word)));
        word &= word - 1;
      }
    }
  }
  collect.flush();
}
