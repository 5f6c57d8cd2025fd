// Breadth-first searches from many sources, each by a block of its own in arrays of its own.
//
// For graphs of so many levels that searches seldom meet at a vertex in the same one: there a row of bits
// (together.cuh), which leaves a run to this kernel, holds hardly more than one. A block's threads wait for each other
// only, so a level costs no barrier of the grid. Option: GR_LANES, that share a list.
#pragma once
#include "core/bitmap.cuh"
#include "operators/lists_by_groups.cuh"
#include "primitives/distances/by_blocks.cuh"
#include "primitives/distances/findings.cuh"

struct Problem {
  const i32* starts;   // as in together.cuh
  i64 sources;
  const i64* portion;
  i64 within;
  vertex_t* order;     // n for each room: vertices by level
  u32* seen;           // a bitmap of n for each room: those that have been found
  i64 seen_stride;
  i64 rooms;           // the number of blocks that may work at a time
  i64* reached;        // the answer, as in together.cuh
  i64* sums;
  double* harmonic;
  i32* farthest;
  i32* depths;
  i64* at;
  i64 depths_kept;
};

// A block's own arrays, and its work on one source after another.
struct Room {
  using Lists = ListsByGroups<GR_LANES>;
  struct Found {
    int count;  // vertices in `order`
  };

  Context& ctx;
  const Problem& p;
  Lists lists;
  Folds folds;
  vertex_t* order;
  u32* seen;
  int* found;

  GR_DEVICE Room(Context& context, const Problem& problem)
      : ctx(context), p(problem), lists{context},
        folds{p.reached, p.sums, p.harmonic, p.farthest, p.depths, nullptr, p.sources, p.at, p.depths_kept},
        order(p.order + context.block * context.graph.n), seen(p.seen + context.block * p.seen_stride),
        found(&context.shared.as<Found>().count) {}

  GR_DEVICE static void clear(Context& ctx, const Problem& p) {
    for_each_index(ctx, p.rooms * p.seen_stride, [&](i64 i) { p.seen[i] = 0; });
    if (p.portion[0] > 0) return;  // the totals of earlier launches
    for_each_index(ctx, PER == PER_VERTEX ? ctx.graph.n : p.sources, [&](i64 i) {
      if (p.reached) p.reached[i] = 0;
      if (p.sums) p.sums[i] = 0;
      if (p.harmonic) p.harmonic[i] = 0;
      if (p.farthest) p.farthest[i] = 0;
    });
    if (p.at) for_each_index(ctx, p.sources * p.depths_kept, [&](i64 i) { p.at[i] = 0; });
  }

  // Searches from source number `place`; leaves `seen` clear.
  GR_DEVICE void run(i64 place) const {
    if (thread_id() == 0) {
      order[0] = p.starts[place];
      bitmap_set(seen, order[0]);
      *found = 1;
    }
    block_sync();
    i32 begin = 0, depth = 0;
    for (;; ++depth) {
      const i32 end = *found;
      block_sync();  // all threads must know where the level ends before any adds to the next
      if (begin == end) break;
      if (PER == PER_SOURCE && thread_id() == 0) folds.add(place, end - begin, depth);
      const bool onward = depth < p.within;
      Lists::for_each(order, begin, end, [&](vertex_t v, bool there) {
        if (!there) return;
        if (Lists::Lanes::lane() == 0) keep(v, place, depth);
        if (onward) lists.for_each_neighbor(ctx.graph.csr, v, [&](vertex_t u) { discover(u); });
      });
      block_sync();
      begin = end;
    }
    for (i32 i = thread_id(); i < begin; i += BLOCK) store_relaxed(&seen[order[i] / 32], 0u);
    block_sync();
  }

 private:
  GR_DEVICE void discover(vertex_t u) const {
    const u32 bit = 1u << (u % 32);
    if constexpr (WARP > 1) {
      if (load_relaxed(&seen[u / 32]) & bit || atomic_or(&seen[u / 32], bit) & bit) return;
      order[reserve(found)] = u;
    } else if (!(seen[u / 32] & bit)) {  // a core shares them with nobody
      seen[u / 32] |= bit;
      order[(*found)++] = u;
    }
  }

  // v has this depth. Other blocks may be adding to its totals.
  GR_DEVICE void keep(vertex_t v, i64 place, i32 depth) const {
    if constexpr (PER == PER_PAIR) {
      folds.depths[v * folds.sources + place] = depth;
    } else if constexpr (PER == PER_VERTEX) {
      if (folds.reached) atomic_add(&folds.reached[v], i64(1));
      if (folds.sums && depth > 0) atomic_add(&folds.sums[v], i64(depth));
      if (folds.harmonic && depth > 0) atomic_add(&folds.harmonic[v], 1.0 / depth);
      if (folds.farthest && load_relaxed(&folds.farthest[v]) < depth) atomic_max(&folds.farthest[v], depth);
    }
  }
};

enum Phase { CLEAR, SEARCH };

struct Enactor : ByBlocks<Room, Problem, CLEAR, SEARCH> {};
