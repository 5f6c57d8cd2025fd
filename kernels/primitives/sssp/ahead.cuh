// Single-source shortest paths for meshes: blocks run ahead of each other (operators/advance_ahead.cuh) while
// distances are below a bound. Vertices beyond it wait in the next frontier, which is near slice and far pile
// in one. Each step moves the bound to delta beyond the least waiting distance, so that empty buckets cost
// nothing.
//
// A vertex is in a frontier once: `queued` holds the step that put it there, and a vertex that gets closer
// while it waits needs no second entry. There are no predecessors here (in_step.cuh finds them).
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"
#include "primitives/sssp/relax_ahead.cuh"
#if GR_AHEAD_PADDED
#include "operators/advance_ahead_padded.cuh"
#endif

struct Problem {
  weight_t* distances;  // UNREACHED, or the least found so far
  u32* queued;          // the step that last queued a vertex to wait
  u32* out_of_range;    // one word: a path was too long for weight_t
  i64 source;
  weight_t delta;
  i64 lanes_log;  // of the threads that share a list
  vertex_t* padded;  // the copy of the lists for GR_AHEAD_PADDED, as PaddedLists has it; else null
};

enum Phase { BEGIN, AHEAD };

// Never for a single block: the operator has block-wide queues of its own.
struct Enactor : WholeGridEnactor {
  static constexpr bool PASSES_LEAST = true;
#if GR_RELAY
  struct State : LoopState {
    bool begun = false;
  };
#endif

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
#if GR_RELAY
    const bool first = !s.begun;
    s.begun = true;
#else
    const bool first = s.step == 0;
#endif
    ctx.show(first ? BEGIN : AHEAD, s.step, s.in);
    if (first) {
#if GR_RELAY
      take_over(ctx, p, s);
#else
      if (ctx.rank() == 0) ctx.pass_least(s, 0);
      seed<AHEAD_KIND>(ctx, s, item_t(p.source));
#endif
#if GR_AHEAD_PADDED
      PaddedLists<true>{p.padded}.make(ctx, ctx.graph.csr);
#endif
      return true;
    }
    if (s.in.count == 0) return false;
    // of the vertices that wait; none if all are there because a block's queue was full
    const u32 least = ctx.least_passed();
    const weight_t bound = threshold_after(least == ~0u ? UNREACHED : from_key(least), p.delta);
    RelaxAhead<Problem> relax(p, ctx.graph.csr.values, to_bits(bound), s.step);
#if GR_AHEAD_PADDED
    advance_ahead_padded(ctx, s, PaddedLists<true>{p.padded}, relax);
#else
    advance_ahead(ctx, s, int(p.lanes_log), relax);
#endif
    const u32 waits = fold_block<Least<u32>>(ctx, relax.least);
    if (thread_id() == 0) ctx.pass_least(s, waits);
    return true;
  }

 private:
  // Takes over what sssp/in_step.cuh has left to relax: its near slice, and its vertices at the threshold or
  // beyond.
#if GR_RELAY
  GR_DEVICE static void take_over(Context& ctx, const Problem& p, const State& s) {
    const u32 threshold = u32(ctx.first_level);
    u32 least = ~u32(0);
    Collector<AHEAD_KIND> collect(ctx, ctx.out(s), ctx.graph.csr);
    auto waits = [&](item_t v) {
      const u32 distance = to_bits(load_relaxed(&p.distances[v]));
      least = distance < least ? distance : least;
      return true;
    };
    Where near(waits);
    filter_into(ctx, members(ctx.in(s)), near, collect);
    Where far([&](item_t v) {
      const u32 distance = to_bits(load_relaxed(&p.distances[v]));
      return distance >= threshold && distance != to_bits(UNREACHED) && waits(v);
    });
    filter_into(ctx, Range{ctx.graph.n}, far, collect);
    least = fold_block<Least<u32>>(ctx, least);
    if (thread_id() == 0) ctx.pass_least(s, least);
  }
#endif
};
