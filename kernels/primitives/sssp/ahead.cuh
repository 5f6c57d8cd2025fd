// Single-source shortest paths for meshes: blocks run ahead of each other (operators/advance_ahead.cuh)
// as long as distances are below a bound; what lies beyond waits in the next frontier, which is near
// and far pile in one. Each step moves the bound to delta beyond the least distance that waits, so
// that empty buckets cost nothing.
//
// A vertex is in a frontier once: `queued` holds the step that put it there, and getting closer while
// it waits needs no entry of its own. No predecessors here (sssp.cuh finds them).
#pragma once
#include "core/enactor.cuh"
#include "operators/advance_ahead.cuh"
#include "operators/reduce.cuh"
#include "math/distance.cuh"

struct Problem {
  weight_t* distances;  // UNREACHED, or the least found so far
  u32* queued;          // the step that last queued a vertex to wait
  u32* out_of_range;    // one word: a path was too long for weight_t
  i64 source;
  weight_t delta;
  i64 lanes_log;  // of the threads that share a list
};

struct RelaxAhead {
  static constexpr bool WAITS = true;
  const Problem& p;
  const weight_t* weights;
  u32 bound;  // distances from here on wait
  u32 step;
  u32 least = ~0u;  // that this thread has seen wait

  GR_DEVICE RelaxAhead(const Problem& problem, const weight_t* values, u32 upper, u32 number)
      : p(problem), weights(values), bound(upper), step(number) {}

  GR_DEVICE u32* cell(vertex_t v) const { return (u32*)&p.distances[v]; }
  GR_DEVICE u32 value(vertex_t v) { return load_relaxed(cell(v)); }
  GR_DEVICE bool waits(u32 value) {
    if (value < bound) return false;
    least = value < least ? value : least;
    return true;
  }
  GR_DEVICE bool keep(vertex_t v) { return atomic_exchange(&p.queued[v], step) != step; }

  GR_DEVICE u32 through(u32 value, edge_t e) const {
    const weight_t reach = longer(from_key(value), load_constant(&weights[e]));
    if (GR_CHECK_RANGE && !closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return to_bits(reach);
  }
  GR_DEVICE bool peek(u32 value, vertex_t d, edge_t e) {
    return load_relaxed(cell(d)) > through(value, e);
  }
  GR_DEVICE Slice visit(u32 value, vertex_t d, edge_t e, u32& now) {
    now = through(value, e);
    if (atomic_min(cell(d), now) <= now) return DROP;
    if (!waits(now)) return NEAR;
    return keep(d) ? FAR : DROP;
  }
};

enum Phase { BEGIN, AHEAD };

struct Enactor {
  struct State : LoopState {};

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(s.step ? AHEAD : BEGIN, s.step, s.in);
    auto least = [&](u32 step) { return &control.counters[step % 3]; };
    if (ctx.rank() == 0) store_relaxed(least(s.step + 2), u64(to_bits(UNREACHED)));
    if (s.step == 0) {
      if (ctx.rank() == 0) store_relaxed(least(1), u64(0));
      seed<AHEAD_KIND>(ctx, s, item_t(p.source));
      return true;
    }
    if (s.in.count == 0) return false;
    const weight_t bound = threshold_after(from_key(load_relaxed(least(s.step))), p.delta);
    RelaxAhead relax(p, ctx.graph.csr.values, to_bits(bound), s.step);
    advance_ahead(ctx, s, int(p.lanes_log), relax);
    const u32 waits = fold_block<Least<u32>>(ctx, relax.least);
    if (thread_id() == 0) Least<u64>::merge_into(least(s.step + 1), u64(waits));
    return true;
  }
};
