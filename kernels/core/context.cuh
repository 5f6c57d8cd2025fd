// Context: what every step and operator gets: the graph, the blocks that take part, their queues, and counters
// for traces.
#pragma once
#ifndef GR_RELAY
#define GR_RELAY 0
#endif
#include "shared.cuh"

namespace gunrock {

constexpr int MOST_DEVICES = 16;

// The devices that share a run, as seen by one of them, and the vertices that it owns: all of them on one device.
// (several_devices.cuh has what several do.)
struct Peers {
  i64 device;                // this device's number
  i64 devices;
  i64 begin;                 // its first vertex
  i64 end;                   // one after its last vertex
  u64 limit_ns;              // how long to wait for another device
  u64 heaps[MOST_DEVICES];   // where each device's symmetric heap begins
  i64 threads;               // of the smallest grid, so that all devices decide alike by it

  GR_DEVICE i64 count() const { return end - begin; }
  GR_DEVICE bool owns(i64 v) const { return v >= begin && v < end; }

  // The address in a peer's heap that corresponds to `mine`, in this device's heap.
  template <class T>
  GR_DEVICE T* at(T* mine, i64 peer) const {
    return (T*)(heaps[peer] + (u64(mine) - heaps[device]));
  }
};

// A line of a trace (--trace).
struct TraceRow {
  u64 time_ns;  // when the step began
  i32 phase;    // the enactor's own number for what the step does
  i32 iteration;
  i64 count;    // frontier items
  i64 edges;    // edges in the items' lists; 0 if the step visits no lists
  i32 single_block;    // run by one block
  i32 mode;     // of the advance that ran; -1 if none ran
};

// What a run carries from step to step; an enactor's State adds its own members.
struct LoopState {
  u32 step = 0;
  Size in = {0, 0};  // of the frontier that this step reads
  bool more = true;
#if GR_RELAY
  i64 leaves = -1;  // the depth of the frontier, if another kernel is to go on with it
#endif
};

// Words of a table that tells finders of a vertex apart (operators/last_found.cuh).
#if GR_CULL_GRID
constexpr u32 LAST_FOUND = 1 << 18;
#else
constexpr u32 LAST_FOUND = 1;
#endif

// True if a kernel shares its runs with another kernel.
constexpr bool RELAYS = GR_RELAY;

// What a counting run (GR_COUNT) counts besides the edges that it inspects: vertices that passed a test on
// their way into a queue, and vertices queued again in one step, classed by who queued them first.
// For the papers' warp execution efficiency: edges at which lanes looked side by side, and the turns that their
// warps took for them.
enum Counted {
  PAST_BITMASK, PAST_LABEL, PAST_WARP, PAST_HISTORY, PAST_GRID,
  AGAIN_IN_WARP, AGAIN_IN_BLOCK, AGAIN_ELSEWHERE,
  BY_LANES, WARP_TURNS,
  COUNTED,
};

// What a step runs in: which blocks take part, their shared storage, the graph, the queues.
struct Context {
  const Graph& graph;
  BlockShared& shared;
  int block;   // this block among those that take part
  int blocks;  // the number that take part; 1 for a single block
  bool single_block;
  Queue even, odd;  // in and out, swapped by the step's parity
  Tail* tails;      // three: in, out, and the next out, which this step clears
  i64 lb_threshold;
  const Peers& peers;
#if GR_CULL_GRID
  u64* last_found;  // LAST_FOUND words
#endif
#if GR_RELAY
  i64 first_level;  // the depth of the frontier that another kernel has left
#endif
#if GR_TRACE
  TraceRow row;  // of the step that runs
  bool shown;
#endif
#if GR_COUNT
  u64 inspected;  // edges that this thread has inspected
  u64 counted[COUNTED];
  u64* queued_by;  // for each vertex, the step in which it was last queued, and by which block and warp
  u32 step;
#endif

  // Shows what this step does: its phase, and the frontier that it works on. Steps that only hand over to the
  // grid show nothing.
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
  // For `--count`: this thread has inspected so many edges.
  GR_DEVICE void count_edges(i64 looked) {
#if GR_COUNT
    inspected += u64(looked);
#endif
  }
  // The same of edges at which this thread looks one after the other, as other lanes of its warp look at theirs. (Where
  // lanes share a list otherwise, count_edges says that only the edges are known.)
  GR_DEVICE void look_at_edges(i64 looked) {
#if GR_COUNT
    count_edges(looked);
    count(BY_LANES, looked);
    count(WARP_TURNS, i64(most_together(u32(looked))));
#endif
  }
  GR_DEVICE void count(Counted what, i64 times = 1) {
#if GR_COUNT
    counted[what] += u64(times);
#endif
  }
  // This thread puts v in a queue.
  GR_DEVICE void count_queued(vertex_t v) {
#if GR_COUNT
    constexpr int WARP_BITS = 12;  // the step plus one, 20 bits for the block, 12 for the warp
    const u64 mine = u64(step + 1) << 32 | u64(block) << WARP_BITS | u64(warp_id());
    const u64 before = atomic_exchange(&queued_by[v], mine);
    if (before >> 32 == mine >> 32)
      ++counted[before == mine ? AGAIN_IN_WARP
                : before >> WARP_BITS == mine >> WARP_BITS ? AGAIN_IN_BLOCK : AGAIN_ELSEWHERE];
#endif
  }
  GR_DEVICE void show_mode(i32 mode) {
#if GR_TRACE
    row.mode = mode;
#endif
  }

  // Selected field by field, as an indexed array would lie in local memory.
  GR_DEVICE Queue queue(u32 step) const {
    const bool e = step % 2 == 0;
    return {e ? even.items : odd.items, e ? even.scan : odd.scan, e ? even.rows : odd.rows,
            capacity(step)};
  }
  GR_DEVICE u64 capacity(u32 step) const {
    return !QUEUES_DIFFER || step % 2 == 0 ? even.capacity : odd.capacity;
  }
  GR_DEVICE Tail* tail(u32 step) const { return tails + step % TAILS; }

  // The frontier that this step reads, and the one that it fills for the next step.
  GR_DEVICE Frontier in(const LoopState& s) const { return {queue(s.step), s.in}; }
  GR_DEVICE NextFrontier out(const LoopState& s) const {
    return {queue(s.step + 1), tail(s.step + 1)};
  }
  // The same pair for a frontier that outlives the steps in between; the enactor counts its turns itself.
  GR_DEVICE Frontier kept(u32 turn, Size size) const { return {queue(turn), size}; }
  GR_DEVICE NextFrontier keep(const LoopState& s, u32 turn) const {
    return {queue(turn), tail(s.step + 1)};
  }

  // For queues whose items wait by keys: the least key that the previous step passed on, and the call by which
  // one thread of a block passes one on; ~0 is none. It arrives with the frontier's size [D-gate-1]. For
  // enactors with PASSES_LEAST, and not for a single block. (Blocks may see different keys, so they may affect
  // time, but not the answer.)
  GR_DEVICE u32 least_passed() const { return shared.received.least; }
  GR_DEVICE void pass_least(const LoopState& s, u32 key) const {
    if (key != ~u32(0)) atomic_min(&tail(s.step + 1)->least, key);
  }

  GR_DEVICE i64 rank() const { return i64(block) * BLOCK + thread_id(); }
  GR_DEVICE i64 threads() const { return i64(blocks) * BLOCK; }
};

}  // namespace gunrock
