// Chains of vertices: each vertex leads to another vertex or, at the end of its chain, to itself. A block
// follows chains through runs of consecutive vertices, in shared memory, so that a chain of the whole graph
// keeps one link per run that it passes [D-graft-1]. Called by connected components.
#pragma once
#include "../core/context.cuh"

namespace gunrock {
namespace following {

// For each vertex of a run, the place in the run that its chain has come to. Two copies, as all are read while
// all are written.
struct Places {
  static constexpr int LENGTH = int(sizeof(BlockShared::scratch)) / 4 / WARP * WARP;
  static_assert(LENGTH <= 1 << 16, "a place within a run has 16 bits");
  u16 leads[2][LENGTH];
};

// The `count` vertices from `begin` on, processed by the whole block.
struct VertexRun {
  i64 begin;
  int count;
  u16* now;   // the place that each vertex has come to
  u16* then;  // the place that it comes to next

  // Notes where every vertex leads. Vertices that lead out of the run, and ends of chains, get their links.
  template <int BATCH, class Next>
  GR_DEVICE void enter(vertex_t* links, Next next) {
    for (int first = thread_id(); first < count; first += BATCH * BLOCK) {
      i64 v[BATCH];
      vertex_t to[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) v[k] = begin + first + k * BLOCK;
      next(v, begin + count, to);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const int place = first + k * BLOCK;
        if (place >= count) continue;
        const bool stays = to[k] != v[k] && to[k] >= begin && to[k] < begin + count;
        now[place] = u16(stays ? to[k] - begin : place);
        if (!stays) store_relaxed(&links[v[k]], to[k]);
      }
    }
    block_sync();
  }

  // Follows every chain from where it has come to, until none gets any further: the length followed doubles
  // each time.
  GR_DEVICE void follow() {
    for (bool further = true; further;) {
      bool mine = false;
      for (int place = thread_id(); place < count; place += BLOCK) {
        const u16 at = now[place], next = now[at];
        mine |= next != at;
        then[place] = next;
      }
      further = block_any(mine);
      u16* const before = now;
      now = then;
      then = before;
    }
  }

  // Gives all other vertices the link of the last vertex of their chain within the run.
  template <int BATCH>
  GR_DEVICE void leave(vertex_t* links) const {
    for (int first = thread_id(); first < count; first += BATCH * BLOCK) {
      vertex_t last[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const int place = first + k * BLOCK;
        last[k] = load_relaxed(&links[begin + now[place < count ? place : first]]);
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const int place = first + k * BLOCK;
        if (place < count && now[place] != place) store_relaxed(&links[begin + place], last[k]);
      }
    }
  }
};

}  // namespace following

// The number of vertices in a run: an equal share for each block, if that fits the room.
GR_DEVICE i64 run_length(const Context& ctx) {
  const i64 share = ((ctx.graph.n + ctx.blocks - 1) / ctx.blocks + WARP - 1) / WARP * WARP;
  return share < following::Places::LENGTH ? share : following::Places::LENGTH;
}

// A part of a step: makes links[v] the first vertex outside v's run that its chain comes to or, if the chain
// ends within the run, its end. next(v, end, to) looks up where BATCH vertices lead; its answer for vertices
// from `end` on is not used.
template <int BATCH = 4, class Next>
GR_DEVICE void follow_in_runs(Context& ctx, vertex_t* links, Next next) {
  auto& places = ctx.shared.as<following::Places>();
  const i64 n = ctx.graph.n, length = run_length(ctx);
  for (i64 begin = ctx.block * length; begin < n; begin += ctx.blocks * length) {
    following::VertexRun run{begin, int(n - begin < length ? n - begin : length), places.leads[0], places.leads[1]};
    run.enter<BATCH>(links, next);
    run.follow();
    run.leave<BATCH>(links);
    block_sync();  // before the next run uses the room
  }
}

}  // namespace gunrock
