// Shortest paths over several devices on graphs with hubs: pruned by a bound, like in_step.cuh
// with GR_BOUNDED, but around the source instead of a hub. No predecessors.
//
// Vertices below a bound are settled first, and edges that end at the bound or beyond are left alone: most are
// too heavy, and only their weight is read (BELOW). A device relaxes the edges that lead to its own vertices,
// the lists of ctx.graph.csr, which has rows for all vertices. After each step it broadcasts its own vertices
// that got closer and may matter to others (TeamQueue). When none did on any device, all broadcast all
// distances, and count the edges of settled vertices (TURN). If these are more than the edges of the rest, the
// rest look back over their in-edges, the lists of ctx.graph.reverse, for settled neighbours, and those with
// neighbours in the rest go on from there (RELAX). Otherwise the bound was too low and is raised, if any edges
// were left alone; after MOST_RAISES everything is relaxed.
// Option: GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "math/distance.cuh"
#include "operators/advance_by_value.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/team_frontier.cuh"
#include "operators/team_queue.cuh"
#include "primitives/sssp/nearest_settled.cuh"

struct Problem {
  weight_t* distances;   // in the symmetric heap, of all vertices: UNREACHED, or the least known
  u32* queued;           // of this device's vertices: the step that last queued each
  u32* out_of_range;     // one word: a path was too long for weight_t
  const i64* bounds;     // where the devices' vertices begin, and the end
  vertex_t* received;        // in the symmetric heap, like the next two, for TeamQueue: vertices that got closer
  weight_t* received_distances;  // their distances
  i64 stride;
  u64* notes;            // CloserNotes
  i64 source;
  weight_t bound;        // edges that end here or beyond are left alone at first
  weight_t least;        // weight of the device's edges
  i64 directed;
};

constexpr bool CHECK_RANGE = GR_CHECK_RANGE;
constexpr i32 MOST_RAISES = 24;
constexpr i32 EVEN_RAISES = 8;  // from this raise on, each is twice the one before

// What a device sends with its vertices.
struct CloserNote {
  u64 count;
  u64 settled;  // edges of its settled vertices
  u64 least;    // least weight, as bits; with `settled`: true if edges were left alone
};

// Relaxes below a bound; writes nothing at the bound or beyond.
struct RelaxBelow {
  using Own = weight_t;
  using Through = weight_t;
  const Problem& p;
  weight_t bound, least;
  u32 step;
  i64 begin;
  bool pruned = false;  // true if this thread has left edges alone

  GR_DEVICE weight_t own(vertex_t v) const { return load_relaxed(&p.distances[v]); }
  GR_DEVICE weight_t through(weight_t from, weight_t by) const { return longer(from, by); }
  GR_DEVICE bool passes(weight_t reach) {
    const bool below = closer(reach, bound);
    pruned = pruned || !below;
    return below;
  }
  GR_DEVICE bool peek(vertex_t d, weight_t reach) const { return closer(reach, own(d)); }
  GR_DEVICE bool visit(vertex_t d, weight_t reach) {
    atomic_min(&p.distances[d], reach);
    if (!passes(longer(reach, least))) return false;  // none of its edges ends below the bound
    return atomic_exchange(&p.queued[d - begin], step) != step;
  }
};

// Relaxes all edges of the rest.
struct RelaxAll : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  struct Carry {
    weight_t reach, seen;
  };
  const Problem& p;
  const weight_t* weights;
  u32 step;
  i64 begin;
  GR_DEVICE RelaxAll(const Context& ctx, const Problem& problem, u32 number)
      : p(problem), weights(ctx.graph.csr.values), step(number), begin(ctx.peers.begin) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.seen = load_relaxed(&p.distances[d]);
    carry.reach = longer(load_relaxed(&p.distances[s]), load_constant(&weights[e]));
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) {
    if constexpr (CHECK_RANGE)
      if (!closer(carry.reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    return closer(carry.reach, carry.seen);
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    if (!closer(carry.reach, atomic_min(&p.distances[d], carry.reach))) return false;
    return atomic_exchange(&p.queued[d - begin], step) != step;
  }
};

struct LookBack : GatherFunctor {
  static constexpr bool EMPTY_LISTS = false;
  const Problem& p;
  const weight_t* weights;
  weight_t bound;
  GR_DEVICE LookBack(const Context& ctx, const Problem& problem, weight_t settled_below)
      : p(problem), weights(ctx.graph.reverse.values), bound(settled_below) {}

  GR_DEVICE bool wants(vertex_t v) const { return load_relaxed(&p.distances[v]) == UNREACHED; }
  // Distances are being written, but none that is below the bound or gets there.
  GR_DEVICE Nearest value(vertex_t u, edge_t e) const {
    const weight_t from = load_relaxed(&p.distances[u]);
    if (!closer(from, bound)) return {to_bits(UNREACHED), 1};
    const weight_t reach = longer(from, load_constant(&weights[e]));
    if (CHECK_RANGE && !closer(reach, UNREACHED)) {
      store_relaxed(p.out_of_range, 1u);
      return {to_bits(UNREACHED), 0};
    }
    return {to_bits(reach), 0};
  }
  GR_DEVICE bool finish(vertex_t v, const Nearest& found) const {
    if (found.reach == to_bits(UNREACHED)) return false;
    store_relaxed(&p.distances[v], from_key(found.reach));
    return p.directed || found.open;
  }
};

struct Heard {
  weight_t* distances;
  GR_DEVICE void hear(vertex_t v, weight_t distance) { store_relaxed(&distances[v], distance); }
  GR_DEVICE void keep(i64, vertex_t) {}
};

enum Phase { BEGIN, BELOW, RECEIVE, TURN, RELAX, EXCHANGE };

struct State : LoopState {
  i32 phase = BEGIN;
  i32 iteration = 0;
  i32 raises = 0;
  u32 exchanges = 0;           // the number of exchanges so far
  bool exchange_due = false;     // the last step left something to exchange
  bool bounded = true;    // edges that end at the bound or beyond are left alone
  weight_t bound = 0;
  weight_t raise = 0;     // by which the bound moves on
  weight_t least = 0;     // least weight over all devices
};

GR_DEVICE TeamQueue<weight_t, CloserNote> closer_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.received, p.received_distances, p.stride, (CloserNote*)p.notes, s.exchanges};
}

struct CloserExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.exchange_due; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control& control, State& s) {
    s.exchange_due = false;
    auto distance = [&](vertex_t v) { return load_relaxed(&p.distances[v]); };
    TeamQueue<weight_t, CloserNote> queue = closer_of(ctx, p, s);
    if (s.phase == TURN) {
      ctx.show(EXCHANGE, s.iteration, ctx.peers.count(), 0);
      broadcast(ctx, p.distances, ctx.peers.begin, ctx.peers.end);
      const u64* const found = counted(control, s);
      queue.exchange(ctx, nullptr, {0, load_relaxed(&found[SETTLED]), load_relaxed(&found[PRUNED])}, distance);
      return;
    }
    u64 count = unpack(load_relaxed(&ctx.tail(s.step)->size)).count;
    if (count > ctx.capacity(s.step)) count = ctx.capacity(s.step);  // the step will be repeated
    if (s.phase == BELOW && s.iteration == 0) count = 0;  // the source, which all devices know
    ctx.show(EXCHANGE, s.iteration, i64(count), 0);
    queue.exchange(ctx, ctx.queue(s.step).items, {count, 0, u64(to_bits(p.least))}, distance);
  }
  // The results of a bound; two sets in turn, of which the next is cleared.
  enum { SETTLED, PRUNED, COUNTERS };
  GR_DEVICE static u64* counted(Control& control, const State& s) {
    return &control.counters[s.raises % 2 * COUNTERS];
  }
};

struct Enactor {
  using Team = CloserExchange;
  using State = ::State;

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    switch (s.phase) {
      case BEGIN:  // all devices know the source, and its edges to their own vertices
        ctx.show(BEGIN, 0, s.in);
        seed<V>(ctx, s, item_t(p.source));
        s.bound = s.raise = p.bound;
        go_on(s, BELOW, true);
        return true;
      case BELOW: {
        ctx.show(BELOW, s.iteration, s.in);
        if (s.iteration++ == 0) s.least = least_of_all(closer_of(ctx, p, s));
        RelaxBelow below{p, s.bound, s.least, s.step, ctx.peers.begin};
        advance_by_value(ctx, s, below);
        if (block_any(below.pruned) && thread_id() == 0)
          store_relaxed(&CloserExchange::counted(control, s)[CloserExchange::PRUNED], u64(1));
        go_on(s, RECEIVE, true);
        return true;
      }
      case RELAX:
        ctx.show(RELAX, s.iteration++, s.in);
        advance<V, Kind::plain>(ctx, s, RelaxAll(ctx, p, s.step));
        go_on(s, RECEIVE, true);
        return true;
      case RECEIVE:
        return receive(ctx, p, control, s);
      default:
        return turn(ctx, p, control, s);
    }
  }

 private:
  GR_DEVICE static void go_on(State& s, Phase next, bool exchange_due) {
    s.phase = next;
    s.exchange_due = exchange_due;
  }

  GR_DEVICE static weight_t least_of_all(const TeamQueue<weight_t, CloserNote>& received) {
    u64 least = ~u64(0);
    for (i64 device = 0; device < received.peers.devices; ++device) {
      const u64 one = received.note(device).least;
      least = one < least ? one : least;
    }
    return from_key(least);
  }

  // The vertices that got closer on any device are the next frontier; if there are none, counts the edges of
  // settled vertices.
  GR_DEVICE static bool receive(Context& ctx, const Problem& p, Control& control, State& s) {
    const TeamQueue<weight_t, CloserNote> received = closer_of(ctx, p, s);
    u64 count = 0;
    for (i64 device = 0; device < ctx.peers.devices; ++device) count += received.note(device).count;
    ctx.show(RECEIVE, s.iteration, i64(count), 0);
    if (count > 0) {
      received.template receive<V>(ctx, s, ctx.in(s).queue.items, Heard{p.distances});
      go_on(s, s.bounded ? BELOW : RELAX, false);
      return true;
    }
    if (!s.bounded) return false;
    u64 edges = 0;
    for_each_index(ctx, ctx.peers.count(), [&](i64 i) {
      const i64 v = ctx.peers.begin + i;
      if (closer(load_relaxed(&p.distances[v]), s.bound)) edges += u64(ctx.graph.reverse.row(v).length);
    });
    fold_grid<Sum<u64>>(ctx, edges, &CloserExchange::counted(control, s)[CloserExchange::SETTLED]);
    go_on(s, TURN, true);
    return true;
  }

  // Looks back for the rest, or raises the bound.
  GR_DEVICE static bool turn(Context& ctx, const Problem& p, Control& control, State& s) {
    const TeamQueue<weight_t, CloserNote> received = closer_of(ctx, p, s);
    i64 near = 0;
    u64 pruned = 0;
    for (i64 device = 0; device < ctx.peers.devices; ++device) {
      near += i64(received.note(device).settled);
      pruned += received.note(device).least;
    }
    const i64 rest = ctx.graph.m - near;
    ctx.show(TURN, s.iteration, ctx.peers.count(), rest < near ? rest : near);
    const weight_t bound = s.bound;
    if (!pruned) return false;  // everything reachable is settled
    if (rest <= near) {
      const OwnOrListed own{nullptr, ctx.peers.begin, ctx.peers.count()};
      gather<NearestSettled, UsualTiers, Kind::plain>(ctx, s, own, ctx.graph.reverse, LookBack(ctx, p, bound));
      s.bounded = false;
      go_on(s, RECEIVE, true);
      return true;
    }
    filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, Where([&](item_t v) {
                return closer(load_relaxed(&p.distances[v]), bound);
              }));
    s.bounded = ++s.raises < MOST_RAISES;
    if (ctx.rank() == 0) {
      u64* const next = CloserExchange::counted(control, s);
      store_relaxed(&next[CloserExchange::SETTLED], u64(0));
      store_relaxed(&next[CloserExchange::PRUNED], u64(0));
    }
    if (s.raises > EVEN_RAISES) s.raise = longer(s.raise, s.raise);
    s.bound = threshold_after(bound, s.raise);
    go_on(s, s.bounded ? BELOW : RELAX, false);
    return true;
  }
};
