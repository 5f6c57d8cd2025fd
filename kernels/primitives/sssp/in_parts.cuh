// Shortest paths over several devices (core/peers.cuh), by the near and far slices of in_step.cuh.
//
// A device keeps the distances of its own vertices, and relaxes the edges that lead to them: these are the
// lists of ctx.graph.csr here, of all vertices. So it relaxes them for the near vertices of all devices, by
// distances that it was told: after each step a device tells which of its own have got closer and are near,
// and how far they are now. Near and far have the same threshold everywhere: it is moved on when no device
// has a near vertex left, by delta or to the least distance in anyone's pile. Each has a pile of its own
// vertices.
//
// Options: GR_PRIORITY_QUEUE, GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "operators/priority_queue.cuh"
#include "operators/team_queue.cuh"
#include "math/distance.cuh"

struct Problem {
  weight_t* distances;   // UNREACHED, or the least found so far; of others' vertices what was told last
  u32* queued;           // of the own vertices: the step that last queued it
  item_t* far;           // two piles of as many places
  u32* out_of_range;     // one word: a path was too long for weight_t
  const i64* bounds;     // where the devices' vertices begin, and the end
  vertex_t* told;        // in the heap, as TeamQueue has them: vertices that are near,
  weight_t* told_distances;  // their distances,
  i64 stride;
  u64* notes;            // and Notes
  i64 source;
  weight_t delta;
};

constexpr bool PRIORITY_QUEUE = GR_PRIORITY_QUEUE, CHECK_RANGE = GR_CHECK_RANGE;

// What a device tells beside its near vertices.
struct Note {
  u64 count;
  u64 far;    // vertices in its pile
  u64 least;  // the least distance there at the last split, as an order key
};

struct Relax : EdgeFunctor {
  struct Carry {
    weight_t from, by, seen;  // distance of s, the edge's weight, distance of d
  };
  const Problem& p;
  const weight_t* weights;
  weight_t threshold;
  u32 step;
  i64 begin;  // the first of the own vertices

  GR_DEVICE Relax(const Context& ctx, const Problem& problem, weight_t upper, u32 number)
      : p(problem), weights(ctx.graph.csr.values), threshold(upper), step(number),
        begin(ctx.peers.begin) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.seen = load_relaxed(&p.distances[d]);
    carry.from = load_relaxed(&p.distances[s]);
    carry.by = load_constant(&weights[e]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) {
    const weight_t reach = longer(carry.from, carry.by);
    if constexpr (CHECK_RANGE)
      if (!closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return closer(reach, carry.seen);
  }
  // Near vertices are claimed by the first who finds them improvable, as in in_step.cuh.
  GR_DEVICE Slice visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    const weight_t reach = longer(carry.from, carry.by);
    if (PRIORITY_QUEUE && !closer(reach, threshold))
      return atomic_min(&p.distances[d], reach) == UNREACHED ? FAR : DROP;
    atomic_min(&p.distances[d], reach);
    return atomic_exchange(&p.queued[d - begin], step) != step ? NEAR : DROP;
  }
};

struct Heard {
  weight_t* distances;
  GR_DEVICE void hear(vertex_t v, weight_t distance) { store_relaxed(&distances[v], distance); }
  GR_DEVICE void keep(i64, vertex_t) {}
};

enum Phase { BEGIN, RELAX, SPLIT, RECEIVE, EXCHANGE };

struct State : LoopState {
  i32 phase = BEGIN;
  i32 iteration = 0;
  u32 turns = 0;            // of the far piles
  u32 told = 0;             // how often the near vertices were
  weight_t threshold = 0;   // near ends here
  bool just_split = false;  // whether the step before was a split
};

GR_DEVICE FarPiles piles_of(const Context& ctx, const Problem& p, Control& control, State& s) {
  return {p.far, ctx.peers.count(), control.counters, s.turns};
}
GR_DEVICE TeamQueue<weight_t, Note> near_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.told, p.told_distances, p.stride, (Note*)p.notes, s.told};
}

struct TellNear : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.phase == RECEIVE; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control& control, State& s) {
    const FarPiles far = piles_of(ctx, p, control, s);
    u64 count = unpack(load_relaxed(ctx.tail(s.step))).count;
    if (count > ctx.capacity(s.step)) count = ctx.capacity(s.step);  // the run will be repeated
    ctx.show(EXCHANGE, s.iteration, i64(count), 0);
    near_of(ctx, p, s).exchange(ctx, ctx.queue(s.step).items,
                                {count, u64(far.size()), load_relaxed(far.least())},
                                [&](vertex_t v) { return load_relaxed(&p.distances[v]); });
  }
};

struct Enactor {
  using Team = TellNear;
  using State = ::State;

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    FarPiles far = piles_of(ctx, p, control, s);
    switch (s.phase) {
      case BEGIN:
        ctx.show(BEGIN, 0, s.in);
        if (ctx.peers.owns(p.source)) seed<Kind::plain>(ctx, s, item_t(p.source));
        if (ctx.rank() == 0) far.reset();
        s.threshold = PRIORITY_QUEUE ? p.delta : UNREACHED;
        s.phase = RECEIVE;
        return true;
      case RELAX:
        ctx.show(RELAX, s.iteration, s.in);
        relax(ctx, p, far, s);
        return true;
      default:
        return receive(ctx, p, far, s);
    }
  }

 private:
  GR_DEVICE static void relax(Context& ctx, const Problem& p, const FarPiles& far, State& s) {
    Relax functor(ctx, p, s.threshold, s.step);
    advance_near_far<V, Kind::plain>(ctx, s, far, functor);
    s.just_split = false;
    ++s.iteration;
    s.phase = RECEIVE;
  }

  // The near vertices of all are the next frontier; where there are none the threshold is moved on.
  GR_DEVICE static bool receive(Context& ctx, const Problem& p, FarPiles& far, State& s) {
    const TeamQueue<weight_t, Note> near = near_of(ctx, p, s);
    Note all = {0, 0, ArgMin::zero()};
    for (i64 device = 0; device < ctx.peers.devices; ++device) {
      const Note note = near.note(device);
      all.count += note.count;
      all.far += note.far;
      ArgMin::join(all.least, note.least);
    }
    if (all.count > 0) {
      ctx.show(RECEIVE, s.iteration, i64(all.count), 0);
      near.template receive<V>(ctx, s, ctx.in(s).queue.items, Heard{p.distances});
      s.phase = RELAX;
      return true;
    }
    ctx.show(SPLIT, s.iteration, far.size(), 0);
    if (!PRIORITY_QUEUE || all.far == 0) return false;
    next_bucket(ctx, p, far, all.least, s);
    return true;
  }

  // Move the threshold on; what is near now is told next.
  GR_DEVICE static void next_bucket(Context& ctx, const Problem& p, FarPiles& far, u64 least, State& s) {
    const weight_t lower = s.threshold;
    s.threshold = threshold_after(s.just_split ? from_key(least) : lower, p.delta);
    split<Kind::plain>(ctx, s, far, far.size(), lower, s.threshold,
                       [&](item_t v) { return load_relaxed(&p.distances[v]); });
    s.just_split = true;
  }
};
