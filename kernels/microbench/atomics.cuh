// What plain loads, stores and atomics cost on the words of an edge frontier's vertices, and what it costs to
// find each edge's place in a queue: by one atomic per edge, per warp, or per block, whose threads share the
// places by a prefix sum (Merrill, section 2.3). GR_OPERATION is one of the enum.
#pragma once
#include "microbench/replay.cuh"

struct Problem {
  vertex_t* edges;
  i64* edge_starts;
  i64 levels;
  u32* words;     // of each vertex; OR uses one bit of it
  i32* counter;   // of places
  i64 spread;     // 0: all take their places from one counter (a run-time value, so that the compiler cannot know)
  u64* sums;      // of what was loaded, of vertices claimed, or of places
};

enum Operation { LOAD, STORE, EXCHANGE, ADD, OR, CAS, PLACE, PLACE_BY_WARP, PLACE_BY_BLOCK };
constexpr Operation OPERATION = GR_OPERATION;
enum Phase { OPERATE };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    const i64 edges = p.edge_starts[s.step + 1] - p.edge_starts[s.step];
    ctx.show(OPERATE, s.step, edges, edges);
    u64 sum = 0;
    int turn = 0;
    for_recorded_edges(ctx, p, s.step, [&](const vertex_t* ids, const bool* live) {
      if constexpr (OPERATION == PLACE_BY_BLOCK) {
        sum += places_by_block(ctx, p, live, turn++);
      } else {
        GR_UNROLL
        for (int k = 0; k < BATCH; ++k)
          if (live[k]) sum += operate(p, ids[k]);
      }
    });
    add_up(ctx, p.sums, sum);
    return true;
  }

 private:
  GR_DEVICE static u64 operate(const Problem& p, vertex_t v) {
    u32* const word = &p.words[v];
    i32* const counter = &p.counter[i64(v) & p.spread];
    switch (OPERATION) {
      case LOAD: return load_relaxed(word);
      case STORE: store_relaxed(word, 1u); return 0;
      case EXCHANGE: return atomic_exchange(word, 1u) == 0;
      case ADD: return atomic_add(word, 1u) == 0;
      case OR: {
        const u32 bit = 1u << (v % 32);
        return (atomic_or(&p.words[v / 32], bit) & bit) == 0;
      }
      case CAS: return atomic_cas(word, 0u, 1u) == 0;
      case PLACE: return u64(atomic_add(counter, 1));
      default: return u64(place_by_warp(counter));
    }
  }

  // One atomic for all threads that come together.
  GR_DEVICE static int place_by_warp(i32* counter) {
#if GR_CUDA
    return reserve(counter);
#else
    return atomic_add(counter, 1);  // a core is a warp of one; `reserve` is for a block's own counters
#endif
  }

  // The whole block: the sum of the places of this thread's edges.
  GR_DEVICE static u64 places_by_block(Context& ctx, const Problem& p, const bool* live, int turn) {
    int mine = 0;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) mine += live[k];
    edge_t total;
    const edge_t before = block_scan(edge_t(mine), total, ctx.shared.scan, turn);
    if (thread_id() == 0) ctx.shared.broadcast = u64(atomic_add(p.counter, i32(total)));
    block_sync();
    const u64 first = ctx.shared.broadcast + u64(before);
    return u64(mine) * first + u64(mine) * u64(mine > 0 ? mine - 1 : 0) / 2;
  }
};
