// Frontiers as they are stored: queues of items with the scanned lengths of their lists.
//
// Every queue carries, besides its items, the exclusive prefix sum of the lengths of the neighbour lists that
// the items stand for. The sum comes free when the queue is filled: a block reserves room for its items and
// their edges with one atomic on a packed 64-bit tail, so positions and sums grow in the same order. A
// load-balanced advance then needs no scan and no further grid barrier.
#pragma once
#include "graph.cuh"

namespace gunrock {

// What an item of a frontier is. An edge stands for the list of the vertex it points to; a plain item stands
// for no list, and its queue has no scan.
enum class Kind { none, vertex, edge, plain };

#if GR_EDGE_FRONTIER
using item_t = edge_t;
#elif GR_CARRY_SOURCE
using item_t = i64;
#else
using item_t = vertex_t;
#endif

// An item of a plain queue of edges (operators/edge_queue.cuh): the edge's end and, if the edge's source is
// needed later, the source above it.
#if GR_CARRY_SOURCE
constexpr bool CARRIES_SOURCE = true;
#else
constexpr bool CARRIES_SOURCE = false;
#endif
GR_DEVICE item_t edge_item(vertex_t s, vertex_t d) {
  return CARRIES_SOURCE ? item_t(i64(s) << 32 | u32(d)) : item_t(d);
}
GR_DEVICE vertex_t end_of(item_t item) { return vertex_t(item); }
GR_DEVICE vertex_t source_of(item_t item) { return CARRIES_SOURCE ? vertex_t(i64(item) >> 32) : -1; }

// Items and the sum of their list lengths, packed: 31 bits of count above 33 bits of edges.
#ifndef GR_EDGE_BITS  // more for larger graphs (engine/backend.py), fewer in tests
#define GR_EDGE_BITS 33
#endif
constexpr int EDGE_BITS = GR_EDGE_BITS;
// The most that threads step beyond the last edge when they walk lists end to end in strides: a block's pass of
// edges, or a list's pieces (graph/model.py leaves as much room in graphs with 32-bit offsets).
constexpr u64 MOST_STRIDE = u64(1) << 20;
static_assert(2 * PASS <= MOST_STRIDE, "a block steps too far beyond a frontier's last edge");
// The greatest number of an edge of a graph, or of a frontier's lists laid end to end: no step beyond the last
// edge overflows an edge_t.
constexpr u64 MOST_NUMBERED = sizeof(edge_t) == 4 ? 0x7fffffffull - MOST_STRIDE : ~u64(0);
GR_DEVICE constexpr u64 at_most(u64 limit, u64 wanted) { return wanted < limit ? wanted : limit; }
// The most edges that a frontier's lists may have together. The host refuses graphs with more edges, but a
// frontier with repeated items can exceed it. All offsets within a frontier, and all sums over a block's tile
// of it, stay below this limit.
constexpr u64 EDGE_LIMIT = at_most(MOST_NUMBERED, (u64(1) << EDGE_BITS) - 1);
// The most items that a tail can count, for a queue of edges: lists that are copied out have numbers, too.
constexpr u64 MOST_ITEMS = at_most(MOST_NUMBERED, (u64(1) << (64 - EDGE_BITS)) - 1);
struct Size {
  u32 count;
  u64 edges;
};
GR_DEVICE u64 pack(u64 count, u64 edges) { return count << EDGE_BITS | edges; }
GR_DEVICE Size unpack(u64 tail) {
  return {u32(tail >> EDGE_BITS), tail & ((u64(1) << EDGE_BITS) - 1)};
}

// A size packed for a few items, a warp's or a block's: enough bits for any sum of their lists.
constexpr int SOME_EDGE_BITS = 48;
GR_DEVICE u64 pack_some(u64 count, u64 edges) { return count << SOME_EDGE_BITS | edges; }
GR_DEVICE Size unpack_some(u64 sum) {
  return {u32(sum >> SOME_EDGE_BITS), sum & ((u64(1) << SOME_EDGE_BITS) - 1)};
}

// How far a frontier is filled and, beside it, why the run must end, if it must: the frontier outgrows the
// packed form, or the host asks for it. A step sets what the next step reads, so all threads of that step
// agree. Each word is only ever accessed whole, as mixed-width accesses to one place have no meaning in PTX's
// memory model. All words lie in one sector of the cache, so loading one more costs hardly anything [D-gate-1].
struct alignas(16) Tail {
  u64 size;  // packed
  u64 barrier;  // why the run must end, of enum Halt, above the blocks that have arrived at the barrier before the step
             // that reads it (barrier_with_payload)
  u32 least;  // the least key that the step which fills the frontier passes on (Context::pass_least); ~0 if none
  u32 unused[3];
};
constexpr int TAILS = 3;
enum Halt : u32 {
  GO_ON = 0,
  OVERFLOW = 1,
  ASKED = 2,
  PEER_LOST = 4,  // with the missing device's number times PEER
  PEER_LEFT = 8,  // with the number of the device that has ended its run, times PEER
  PEER = 16,
};
GR_DEVICE u32 halted_in(u64 barrier) { return u32(barrier >> 32); }
GR_DEVICE u64 barrier_word(u32 halted) { return u64(halted) << 32; }
GR_DEVICE u32 halted(const Tail* tail) { return halted_in(load_relaxed(&tail->barrier)); }
GR_DEVICE void halt(Tail* tail, Halt why) { set_bits(&tail->barrier, barrier_word(why)); }
// Halts because of another device; the first device reported is recorded.
GR_DEVICE void halt(Tail* tail, Halt why, i64 peer) {
  for (u64 seen = load_relaxed(&tail->barrier); !(halted_in(seen) & (PEER_LOST | PEER_LEFT));) {
    const u64 before = atomic_cas(&tail->barrier, seen, seen | barrier_word(why + u32(peer) * PEER));
    if (before == seen) return;
    seen = before;
  }
}
// One thread: marks the tail's queue as empty, and no block as arrived.
GR_DEVICE void clear(Tail* tail) {
  store_relaxed(&tail->size, u64(0));
  store_relaxed(&tail->barrier, barrier_word(GO_ON));
  store_relaxed(&tail->least, ~u32(0));
}

// One thread: claims room at a tail for `count` items whose lists have `edges` edges; returns where it begins.
// (There are no more items than edges that led to them, so with 32-bit offsets their count cannot overflow.
// With 64-bit offsets it can, most easily if edges wait as plain items for a filter.)
template <Kind KIND>
GR_DEVICE u64 claim(Tail* tail, u64 count, u64 edges) {
  const u64 added = pack(count, edges), at = atomic_add(&tail->size, added);
  if ((KIND != Kind::plain && unpack(at).edges + edges > EDGE_LIMIT) ||
      (sizeof(edge_t) == 8 && at + added < at))
    halt(tail, OVERFLOW);
  return at;
}

// Short forms, for calls: advance<V, V>, advance<V, E>.
constexpr Kind V = Kind::vertex, E = Kind::edge;

// What a functor may answer instead of yes or no: NEAR, for the next frontier, or FAR, set aside for a later
// one.
enum Slice : int { DROP, NEAR, FAR };  // as a condition: anything but DROP is kept

struct Queue {
  item_t* items;
  edge_t* scan;  // exclusive prefix sum of the list lengths, in queue order
  edge_t* rows;  // where each item's list begins
  u64 capacity;
};

// True if the two queues, used in turn as in and out, hold different things and different numbers of them.
#if GR_QUEUES_DIFFER
constexpr bool QUEUES_DIFFER = true;
#else
constexpr bool QUEUES_DIFFER = false;
#endif

// A frontier to read.
struct Frontier {
  Queue queue;
  Size size;
};

// A frontier to fill; the tail says how far it is filled.
struct NextFrontier {
  Queue queue;
  Tail* tail;
};

// The vertex whose list an item stands for.
template <Kind KIND>
GR_DEVICE vertex_t list_of(item_t item, const Csr& csr) {
  if constexpr (KIND == Kind::edge) return csr.neighbor(item);
  return vertex_t(item);
}

}  // namespace gunrock
