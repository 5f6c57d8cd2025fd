// Shortest paths over several devices (core/several_devices.cuh), by in_step.cuh's near and far slices.
//
// A device keeps the distances of its own vertices and relaxes the edges that lead to them: here these are the
// lists of ctx.graph.csr, which has rows for all vertices. So it relaxes the edges of all devices' near
// vertices, by distances that it has received: after each step a device broadcasts its own vertices that have
// got closer and are near, with their present distances. The threshold between near and far is the same
// everywhere. When no device has a near vertex left, it moves on by delta, from its old value or from the least
// distance in any device's pile. Each device has a pile of its own vertices.
//
// Predecessors are found afterwards as in in_step.cuh, by a pull of each device's own vertices, when all
// distances have been exchanged. If only a vertex at the same distance explains a distance, that vertex must
// have a predecessor itself; a bitmap exchanged after each pull says so.
//
// Options: GR_PRIORITY_QUEUE, GR_MARK_PRED, GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "operators/priority_queue.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"
#include "operators/team_frontier.cuh"
#include "operators/team_queue.cuh"
#include "primitives/sssp/relaxing.cuh"

struct Problem {
  weight_t* distances;   // UNREACHED, or the least found so far; of other devices' vertices, as last received
  u32* queued;           // of this device's vertices: the step that last queued each
  item_t* far;           // two piles, each with a place for each of this device's vertices
  u32* out_of_range;     // one word: a path was too long for weight_t
  const i64* bounds;     // where the devices' vertices begin, and the end
  vertex_t* received;        // in the symmetric heap, like the next two, for TeamQueue: vertices that are near
  weight_t* received_distances;  // their distances
  i64 stride;
  u64* notes;            // NearNotes
  vertex_t* preds;       // of this device's vertices; or null
  u32* explained;        // in the symmetric heap: two bitmaps in turn, of vertices with a predecessor; clear at first
  i64 bitmap_stride;     // words
  i64 source;
  weight_t delta;
};

constexpr bool PRIORITY_QUEUE = GR_PRIORITY_QUEUE, MARK_PRED = GR_MARK_PRED;

// What a device sends with its near vertices.
struct NearNote {
  u64 count;
  u64 far;    // vertices in its pile; at the end, its vertices without a predecessor
  u64 least;  // the least distance there at the last split, as an order key
};

struct Relax : Relaxing<Problem> {
  i64 begin;  // the first of this device's vertices

  GR_DEVICE Relax(const Context& ctx, const Problem& problem, weight_t upper, u32 number)
      : Relaxing(problem, ctx.graph.csr.values, upper, number), begin(ctx.peers.begin) {}

  // A near vertex is claimed by the first thread that finds it improvable, as in in_step.cuh.
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

struct FindPredecessor : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  const Problem& p;
  const Csr& in_edges;
  i64 begin;
  u32* known;  // vertices with a predecessor, as received
  u32* next;   // the bitmap to be sent next
  GR_DEVICE FindPredecessor(const Context& ctx, const Problem& problem, u32 pulls)
      : p(problem), in_edges(ctx.graph.reverse), begin(ctx.peers.begin),
        known(bits(problem, pulls)), next(bits(problem, pulls + 1)) {}
  GR_DEVICE static u32* bits(const Problem& p, u32 pulls) {
    return p.explained + pulls % 2 * p.bitmap_stride;
  }

  GR_DEVICE bool wants(vertex_t v) {
    return p.preds[v - begin] == -1 && v != p.source && p.distances[v] != UNREACHED;
  }
  GR_DEVICE bool peek(vertex_t s, vertex_t v, edge_t e) {
    const weight_t from = p.distances[s], to = p.distances[v];
    if (longer(from, load_constant(&in_edges.values[e])) != to) return false;
    return closer(from, to) || s == p.source || bitmap_test(known, s);
  }
  GR_DEVICE Entry value(vertex_t s, edge_t e) { return {s, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    if (!parent.found()) return true;  // a candidate of the next pull
    p.preds[v - begin] = parent.u;
    bitmap_set(known, v);
    bitmap_set(next, v);
    return false;
  }
};

enum Phase { BEGIN, RELAX, SPLIT, RECEIVE, PREDECESSORS, EXCHANGE };

struct State : LoopState {
  i32 phase = BEGIN;
  i32 iteration = 0;
  u32 turns = 0;            // of the far piles
  u32 exchanges = 0;             // the number of exchanges so far
  weight_t threshold = 0;   // near ends here
  bool just_split = false;  // true if the step before was a split
  u32 pulls = 0;            // pulls for predecessors so far
  i64 left = -1;            // vertices of all devices without a predecessor before the last pull
};

GR_DEVICE FarPiles piles_of(const Context& ctx, const Problem& p, Control& control, State& s) {
  return {p.far, ctx.peers.count(), control.counters, s.turns};
}
GR_DEVICE TeamQueue<weight_t, NearNote> near_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.received, p.received_distances, p.stride, (NearNote*)p.notes, s.exchanges};
}

struct NearExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.phase == RECEIVE || s.phase == PREDECESSORS; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control& control, State& s) {
    const FarPiles far = piles_of(ctx, p, control, s);
    u64 count = unpack(load_relaxed(&ctx.tail(s.step)->size)).count;
    if (count > ctx.capacity(s.step)) count = ctx.capacity(s.step);  // the run will be repeated
    ctx.show(EXCHANGE, s.iteration, i64(count), 0);
    if (MARK_PRED && s.phase == PREDECESSORS) {
      broadcast(ctx, FindPredecessor::bits(p, s.pulls), bitmap_words(ctx.peers.begin),
           bitmap_words(ctx.peers.end));
      near_of(ctx, p, s).exchange(ctx, nullptr, {0, count, 0}, [](vertex_t) { return weight_t(0); });
      return;
    }
    near_of(ctx, p, s).exchange(ctx, ctx.queue(s.step).items,
                                {count, u64(far.size()), load_relaxed(far.least())},
                                [&](vertex_t v) { return load_relaxed(&p.distances[v]); });
  }
};

struct Enactor {
  using Team = NearExchange;
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
      case PREDECESSORS: {
        const i64 left = i64(sum(near_of(ctx, p, s)).far);
        ctx.show(PREDECESSORS, s.iteration, left, 0);
        if (left == 0 || left == s.left) return false;  // no progress between two pulls: the end
        s.left = left;
        find_predecessors(ctx, p, {ctx.in(s).queue.items, 0, i64(s.in.count)}, s);
        return true;
      }
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

  // The near vertices of all devices are the next frontier; if there are none, the threshold moves on.
  GR_DEVICE static bool receive(Context& ctx, const Problem& p, FarPiles& far, State& s) {
    const TeamQueue<weight_t, NearNote> near = near_of(ctx, p, s);
    const NearNote all = sum(near);
    if (all.count > 0) {
      ctx.show(RECEIVE, s.iteration, i64(all.count), 0);
      near.template receive<V>(ctx, s, ctx.in(s).queue.items, Heard{p.distances});
      s.phase = RELAX;
      return true;
    }
    if (PRIORITY_QUEUE && all.far > 0) {
      ctx.show(SPLIT, s.iteration, far.size(), 0);
      next_bucket(ctx, p, far, all.least, s);
      return true;
    }
    ctx.show(MARK_PRED ? PREDECESSORS : SPLIT, s.iteration, 0, 0);
    if (MARK_PRED) find_predecessors(ctx, p, {nullptr, ctx.peers.begin, ctx.peers.count()}, s);
    return MARK_PRED;
  }

  // The sum of the notes that all devices sent last.
  GR_DEVICE static NearNote sum(const TeamQueue<weight_t, NearNote>& near) {
    NearNote all = {0, 0, ArgMin::zero()};
    for (i64 device = 0; device < near.peers.devices; ++device) {
      const NearNote note = near.note(device);
      all.count += note.count;
      all.far += note.far;
      ArgMin::join(all.least, note.least);
    }
    return all;
  }

  // Vertices that find no predecessor are the candidates of the next pull.
  GR_DEVICE static void find_predecessors(Context& ctx, const Problem& p, const OwnOrListed& candidates,
                                          State& s) {
    if constexpr (MARK_PRED) {
      gather<First, pulling::PullTiers, Kind::plain>(ctx, s, candidates, ctx.graph.reverse,
                                                     FindPredecessor(ctx, p, s.pulls));
      ++s.pulls;
      s.phase = PREDECESSORS;
    }
  }

  // Moves the threshold on; vertices that have become near are sent next.
  GR_DEVICE static void next_bucket(Context& ctx, const Problem& p, FarPiles& far, u64 least, State& s) {
    const weight_t lower = s.threshold;
    s.threshold = threshold_after(s.just_split ? from_key(least) : lower, p.delta);
    split<Kind::plain>(ctx, s, far, far.size(), lower, s.threshold,
                       [&](item_t v) { return load_relaxed(&p.distances[v]); });
    s.just_split = true;
  }
};
