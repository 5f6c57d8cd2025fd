// Single-source shortest paths of meshes over several devices (core/several_devices.cuh): each runs ahead.cuh's search
// between two exchanges. In an exchange each device broadcasts its border's new distances (TeamBorders) and its
// least waiting distance, so that all set the same bound [D-border-1]. A device lowers the distances of its own
// vertices: the lists of ctx.graph.csr lead to them and exist for all vertices. There are no predecessors here.
#pragma once
#include "core/enactor.cuh"
#include "operators/reduce.cuh"
#include "operators/team_borders.cuh"
#include "primitives/sssp/relax_ahead.cuh"

struct Problem {
  weight_t* distances;     // of all vertices: UNREACHED, or the least known
  u32* queued;             // of all vertices: the step that last queued the vertex
  u32* out_of_range;       // one word: a path was too long for weight_t
  const vertex_t* border;  // as TeamBorders has them
  i64 border_vertices;
  const i64* bounds;
  u64* received;               // in the symmetric heap
  u64* notes;              // in the symmetric heap
  i64 source;
  weight_t delta;
  i64 lanes_log;  // of the threads that share a list
};

enum Phase { BEGIN, AHEAD, HEAR, EXCHANGE };
constexpr u64 NONE = ~u64(0);

struct State : LoopState {
  i32 phase = BEGIN;
  u32 turns = 0;     // the number of exchanges so far
  u64 expanded = 0;  // vertices of the last frontier that ran ahead
  u64 least = 0;     // least waiting distance of all devices; NONE: none waits
  u32 bound = 0;
};

GR_DEVICE TeamBorders borders_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.border, p.border_vertices, p.received, (BorderNote*)p.notes, s.turns};
}

struct BorderExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.phase == HEAR; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(EXCHANGE, s.turns, p.border_vertices, 0);
    borders_of(ctx, p, s).exchange(ctx, (const u32*)p.distances, s.expanded, load_relaxed(least_of(control, s)));
  }
  // The least distance that waits on this device after its `turns`-th run. Of three words in turn one is
  // filled, and the next is cleared.
  GR_DEVICE static u64* least_of(Control& control, const State& s) { return &control.counters[s.turns % 3]; }
  GR_DEVICE static u64* next_least(Control& control, const State& s) {
    return &control.counters[(s.turns + 1) % 3];
  }
};

struct Enactor {
  using Team = BorderExchange;
  using State = ::State;

  // The operator has block-wide queues of its own.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    TeamBorders borders = borders_of(ctx, p, s);
    if (s.phase == HEAR) {
      const BorderNote all = borders.all();
      if (all.frontier == 0) return false;
      s.least = all.least;
    }
    ctx.show(s.phase, s.turns, s.in);
    switch (s.phase) {
      case BEGIN:  // all devices know the source, and its edges to their own vertices
        seed<AHEAD_KIND>(ctx, s, item_t(p.source));
        if (ctx.rank() == 0) store_relaxed(BorderExchange::least_of(control, s), NONE);
        s.phase = AHEAD;
        break;
      case AHEAD:
        run_ahead(ctx, p, control, s);
        s.phase = HEAR;
        break;
      case HEAR: {  // waiting vertices are queued already
        const u32 before = s.step - 1;
        borders.hear<AHEAD_KIND>(ctx, s, (u32*)p.distances,
                                 [&](vertex_t v) { return load_relaxed(&p.queued[v]) != before; });
        s.phase = AHEAD;
        break;
      }
    }
    return true;
  }

 private:
  GR_DEVICE static void run_ahead(Context& ctx, const Problem& p, Control& control, State& s) {
    if (ctx.rank() == 0) store_relaxed(BorderExchange::next_least(control, s), NONE);
    if (s.least != NONE) {  // else the received distances are nearer than the bound
      const u32 bound = to_bits(threshold_after(from_key(s.least), p.delta));
      s.bound = bound > s.bound ? bound : s.bound;
    }
    s.expanded = s.in.count;
    if (s.in.count == 0) return;
    RelaxAhead<Problem> relax(p, ctx.graph.csr.values, s.bound, s.step);
    advance_ahead(ctx, s, int(p.lanes_log), relax);
    const u32 waits = fold_block<Least<u32>>(ctx, relax.least);
    if (thread_id() == 0 && waits != ~0u) Least<u64>::merge_into(BorderExchange::least_of(control, s), u64(waits));
  }
};
