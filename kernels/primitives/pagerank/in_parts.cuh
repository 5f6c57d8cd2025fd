// PageRank over several devices (core/several_devices.cuh), by pull.cuh's iteration.
//
// A device gathers for its own vertices, over their in-edges: ctx.graph has only their rows, counted from 0,
// and ends of edges are numbers of the whole graph. There are two arrays, used in turn, of all vertices'
// shares. An iteration writes the shares of the device's own vertices and adds up their changes; the exchange
// writes the shares into the other devices' copies. All devices add up the changes in the same order, so they
// stop at the same iteration. The first step makes the initial shares.
//
// If vertices are numbered by falling out-degree (GR_DEALT), they are dealt out in groups of that size: ranges
// with equal numbers of edges would leave most vertices, and most of the exchange, to one device. Vertices
// without out-edges come last: nobody gathers from them, and their shares are not sent.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE, GR_DEALT.
#pragma once
#include "core/enactor.cuh"
#include "operators/exchange.cuh"
#include "shares.cuh"

struct Problem {
  rank_t* ranks;     // the answer, of this device's vertices
  rank_t* shares;    // in the symmetric heap: two arrays in turn, of all vertices
  i64 stride;        // from one array to the other
  double* totals;    // in the symmetric heap: three slots in turn of {L1 change, dangling rank} of every device
  edge_t* degrees;   // of this device's vertices: out-degrees
  vertex_t* long_lists;
  i32* long_counts;  // as LongLists has them
  i64 vertices;      // of the whole graph
  i64 passing;       // this device's vertices with out-edges; dealt out, they come first
  double damping;
  double tolerance;
  i64 max_iterations;
};

struct Totals {
  double change, dangling;
};

// Where the shares of this device's vertices lie, from the first on.
struct Places {
  const Peers& peers;
  GR_DEVICE i64 first() const { return GR_DEALT ? 0 : peers.begin; }
  template <class Number>
  GR_DEVICE Number of(Number v) const {
    if constexpr (GR_DEALT) return Number(dealt_place<GR_DEALT>(peers, v));
    else return v;
  }
};

// The results of step `step`; the first step makes what iteration 0 reads.
struct Finding {
  rank_t* shares;
  Totals* totals;  // of every device
  GR_DEVICE Finding(const Problem& p, u32 step)
      : shares(p.shares + step % 2 * p.stride), totals((Totals*)p.totals + step % 3 * MOST_DEVICES) {}

  // The sum over all devices. (Of a multiprocessor's warps, one reads it from L2.)
  GR_DEVICE Totals sum(i64 devices) const {
    Totals all = {0, 0};
    for (i64 d = 0; d < devices; ++d) {
      all.change += load_cached(&totals[d].change);
      all.dangling += load_cached(&totals[d].dangling);
    }
    return all;
  }
};

struct Update : ShareUpdate {
  const edge_t* degrees;
  Places places;
  double base;  // what every vertex gets

  GR_DEVICE Update(Context& ctx, const Problem& p, const Finding& from, const Finding& to,
                   const Places& where, double every)
      : ShareUpdate(ctx, from.shares, p.vertices, from.shares + where.first(), to.shares + where.first(),
                    p.damping),
        degrees(p.degrees), places(where), base(every) {}

  GR_DEVICE Own own(vertex_t v, edge_t) { return {before[places.of(v)], load_constant(&degrees[v])}; }
  GR_DEVICE bool finish(vertex_t v, const Own& own, double sum) {
    set_rank(places.of(v), own, base, sum);
    return false;
  }
};

enum Phase : i32 { ITERATE, BEGIN, EXCHANGE };

struct SharesExchange : SeveralDevices {
  template <class State>
  GR_DEVICE static bool due(const State&) {
    return true;
  }
  template <class State>
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, const State& s) {
    ctx.show(EXCHANGE, s.step > 1 ? i64(s.step) - 2 : 0, ctx.peers.count(), 0);
    const Finding found(p, s.step - 1);
    if constexpr (GR_DEALT) broadcast_dealt<GR_DEALT>(ctx, found.shares, p.passing);
    else broadcast(ctx, found.shares, ctx.peers.begin, ctx.peers.end);
    broadcast(ctx, found.totals, ctx.peers.device, ctx.peers.device + 1);
  }
};

struct Enactor {
  using Team = SharesExchange;
  struct State : LoopState {};

  // All vertices take part in every iteration: not for a single block.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 own = ctx.graph.n, iteration = i64(s.step) - 1;
    const LongLists lists{p.long_lists, p.long_counts};
    const Finding to(p, s.step);
    const Places places{ctx.peers};
    clear_for_next(ctx, p, control, s);
    if (s.step == 0) {
      ctx.show(BEGIN, 0, own, 0);
      begin(ctx, p, to, places);
      find_long_lists<SHAPE>(ctx, ctx.graph.reverse, lists);
      return true;
    }
    const Finding from(p, s.step - 1);
    const Totals before = from.sum(ctx.peers.devices);
    const bool converged = iteration > 0 && before.change < p.tolerance;
    if (converged || iteration >= p.max_iterations) {
      if (!converged) note_limit(ctx, control);
      ctx.show(ITERATE, iteration, own, 0);  // no lists: there is nothing left to do
      make_ranks(ctx, p, from.shares + places.first(), places);
      return false;
    }
    ctx.show(ITERATE, iteration, own, ctx.graph.m);
    const double base = (1 - p.damping + p.damping * before.dangling) / double(p.vertices);
    Update update(ctx, p, from, to, places, base);
    gather<Sum<rank_t>, AllLists<SHAPE>>(ctx, s, Range{own}, ctx.graph.reverse, update,
                                         {&control.counters[s.step % 3], lists});
    add(ctx, to, update.change, update.dangling);
    return true;
  }

 private:
  // The words that the next step adds to; no thread reads or writes them now.
  GR_DEVICE static void clear_for_next(Context& ctx, const Problem& p, Control& control, const State& s) {
    if (ctx.rank() != 0) return;
    Totals* later = &Finding(p, s.step + 1).totals[ctx.peers.device];
    store_relaxed(&later->change, 0.0);
    store_relaxed(&later->dangling, 0.0);
    store_relaxed(&control.counters[(s.step + 1) % 3], u64(0));
  }

  GR_DEVICE static void begin(Context& ctx, const Problem& p, const Finding& to, const Places& places) {
    const rank_t even = rank_t(1 / double(p.vertices));
    double dangling = 0;
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const edge_t degree = p.degrees[v];
      to.shares[places.first() + places.of(v)] = degree > 1 ? even / rank_t(degree) : even;
      if (degree == 0) dangling += double(even);
    });
    add(ctx, to, 0, dangling);
  }

  GR_DEVICE static void add(Context& ctx, const Finding& to, double change, double dangling) {
    fold_grid<Sum<double>>(ctx, change, &to.totals[ctx.peers.device].change);
    fold_grid<Sum<double>>(ctx, dangling, &to.totals[ctx.peers.device].dangling);
  }

  GR_DEVICE static void make_ranks(Context& ctx, const Problem& p, const rank_t* shares,
                                   const Places& places) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      p.ranks[v] = rank_of_share(shares[places.of(v)], p.degrees[v]);
    });
  }
};
