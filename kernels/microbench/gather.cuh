// Isolated neighbour gathering (Merrill, section 4.1): read the ranges of a frontier's lists, load their
// neighbours into registers, write nothing. The strategies are advance's: GR_ADVANCE_MODE. GR_STEALS: a block takes
// the next tile when it has done one (Merrill's tile stealing), instead of those dealt to it.
#pragma once
#include "microbench/replay.cuh"

struct Problem {
  vertex_t* items;
  edge_t* scan;
  edge_t* rows;
  i64* vertex_starts;
  i64* edge_starts;
  i64 levels;
  u64* sums;  // of all neighbours gathered
  u64* taken;  // tiles that blocks have taken: this level's, the next one's, and one that is cleared
};

enum Phase { GATHER };

struct Gather : EdgeFunctor {
  u64 sum = 0;
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    sum += u64(d);
    return false;
  }
};

// The tiles of a frontier, each for the block that asks first. On a core a tile is one list.
template <class F>
GR_DEVICE void gather_stolen(Context& ctx, const Csr& csr, const Frontier& in, u64* taken, F& f) {
  const NextFrontier nowhere = {};
  Collector<Kind::none> collect(ctx, nowhere, csr);
  int turn = 0;
  for (;;) {
    if (thread_id() == 0) ctx.shared.broadcast = atomic_add(taken, u64(1)) * BLOCK;
    block_sync();
    const i64 base = i64(ctx.shared.broadcast), i = base + thread_id();
    block_sync();  // all have read it
    if (base >= i64(in.size.count)) return;
    item_t item = 0;
    edge_t row = 0, length = 0;
    if (i < i64(in.size.count)) {
      item = in.queue.items[i];
      row = in.queue.rows[i];
      length = list_length(in.queue, in.size, i);
    }
    if (WARP == 1) stride_over<V>(csr, item, row, length, 0, 1, f, collect);
    else gather_tile<DefaultTileSchedule, V>(ctx, csr, item, row, length, f, collect, turn);
  }
}

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (i64(s.step) == p.levels) return false;
    const Frontier in = recorded_vertices(p, s.step);
    ctx.show(GATHER, s.step, in.size);
    Gather gather;
#if GR_STEALS
    if (ctx.rank() == 0) p.taken[(s.step + 1) % 3] = 0;  // nobody reads it until the next level
    gather_stolen(ctx, ctx.graph.csr, in, &p.taken[s.step % 3], gather);
#else
    advance<V>(ctx, in, ctx.out(s), ctx.graph.csr, gather);
#endif
    add_up(ctx, p.sums, gather.sum);
    return true;
  }
};
