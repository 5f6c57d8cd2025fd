// Connected components over several devices (core/several_devices.cuh): each device finds those of its own edges, as
// afforest.cuh does, then the devices join their forests.
//
// A device has the edges that lead to its own vertices (ctx.graph: rows counted from 0), and a forest over the
// vertices of the whole graph, in which it links the ends of those edges.
//
// 1. The giant, the component of most edges, is found as by a breadth-first search, but from a few edges of each
//    vertex. The vertices known to be inside are a bitmap; each device fills its own vertices' part and receives
//    the other parts. It begins with the neighbours of the vertex whose list is the longest of all (HUB, BALL). A
//    vertex with a member among its first few neighbours joins (GROW); other vertices go into a queue and test
//    their next few in another round, until few are left or few join [D-peers-2].
//    The vertices inside go under the hub, and their other edges are left out: the owner of the other end sees an
//    edge that leads outside. This needs both directions of every edge; on a directed graph all edges are used.
// 2. REST and FINISH link the ends of all other edges, and note which vertices other devices may also have in their
//    forests: the far ends, and the own ends that they hang on. (On a directed graph a device cannot know which
//    other devices have its own vertices: all are noted.)
// 3. All devices receive (PAIRS) the root of each noted vertex. If two trees of different devices share a vertex,
//    both roots come with it, so each device knows which of all the trees are connected, and links them in its own
//    forest (UNITE). A root comes first in its tree, the hub before all, and roots come with the pairs, so all
//    devices name a component by the same vertex.
// Options: GR_RANDOM_LINKS.
#pragma once
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/exchange.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/parts_of_lists.cuh"
#include "operators/reduce.cuh"
#include "operators/team_chunks.cuh"
#include "primitives/cc/forest.cuh"

struct Problem {
  vertex_t* parents;  // the forest: v's parent, v itself at first
  u32* noted;         // bitmap: vertices that other devices may also have; clear at first
  u64* pairs;         // for each vertex to be sent: itself and its root
  u32* inside;        // in the symmetric heap: bitmap of the giant's vertices; clear at first
  u64* hubs;          // in the symmetric heap, of every device: keyed(~length, v) of its longest list, or all ones
  // in the symmetric heap, of every device, two in turn: vertices that a round has not found to be inside
  u64* left;
  i64* counts;        // in the symmetric heap, of every device: its number of pairs
  u64* inbox;         // in the symmetric heap: two slots in turn of `chunk` pairs from every device
  i64 chunk;
  i64 vertices;       // of the whole graph
  i64 directed;
  i64 sampling;       // false for a directed graph
};

enum Phase { HUB, BALL, GROW, GRAFT, REST, FINISH, NOTED, PAIRS, UNITE, COMPRESS, EXCHANGE };
enum Exchanged : i32 { NOTHING, HUBS, NEIGHBORS, GROWN, CHUNK };
constexpr int PROBES = 4;        // neighbours tested in a round; they lie together
constexpr i64 FEW = 1024;       // one vertex in so many may be left to the forests
constexpr i64 LEAST_GAIN = 4;   // another round needs one find in so many of the vertices that were left

struct State : LoopState {
  i32 phase = HUB;
  i32 to_exchange = NOTHING;
  i32 round = 0;
  i32 exchanges = 0;       // chunks of pairs
  vertex_t hub = -1;  // a vertex of the giant, the same for all
  i64 left = 0;       // vertices not known to be inside, of all devices
};

// --- functors -------------------------------------------------------------------------------------
// What is known of the giant component.
struct Giant {
  const Problem& p;
  const Peers& peers;
  vertex_t hub;  // or -1: no hub
  GR_DEVICE Giant(const Problem& problem, const Context& ctx, const State& s)
      : p(problem), peers(ctx.peers), hub(s.hub) {}
  // Bits are set and never cleared, so cached copies of the words suffice: most threads read the same few, and
  // would queue up in L2.
  GR_DEVICE bool has(vertex_t v) const { return load_cached(&p.inside[v / 32]) >> (v % 32) & 1; }
  // The hub stays the root of its tree, so vertices under it need no second test.
  GR_DEVICE void unite_with(vertex_t u, vertex_t v) const {
    const vertex_t first = hub;
    unite(p.parents, u, v, [=](vertex_t a, vertex_t b) {
      return a == first || (b != first && comes_before(a, b));
    });
  }
};

struct LinkAll : EdgeFunctor {  // keeps no edge: it makes no frontier
  const Giant& giant;
  GR_DEVICE explicit LinkAll(const Giant& known) : giant(known) {}
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    const vertex_t v = vertex_t(giant.peers.begin + s);
    const bool inside = giant.has(d);
    giant.unite_with(v, inside ? giant.hub : d);
    if (!inside && !giant.peers.owns(d)) {
      note(d);
      note(v);
    }
    return false;
  }

 private:
  GR_DEVICE void note(vertex_t v) const {
    if (!bitmap_test(giant.p.noted, v)) bitmap_set(giant.p.noted, v);
  }
};

// --- exchanges -----------------------------------------------------------------------------------
struct TreesExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.to_exchange != NOTHING; }

  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, State& s) {
    const Peers& peers = ctx.peers;
    ctx.show(EXCHANGE, s.exchanges, peers.count(), 0);
    if (s.to_exchange == HUBS) {
      broadcast(ctx, p.hubs, peers.device, peers.device + 1);
    } else if (s.to_exchange == NEIGHBORS) {
      if (peers.owns(s.hub)) broadcast_bits(ctx, p.inside, 0, bitmap_words(p.vertices));
    } else if (s.to_exchange == GROWN) {
      broadcast_bits(ctx, p.inside, bitmap_words(peers.begin), bitmap_words(peers.end));
      broadcast_one(ctx, left(p, s.round), u64(unpack(load_relaxed(&ctx.tail(s.step)->size)).count));
    } else {
      if (s.exchanges == 0) broadcast(ctx, p.counts, peers.device, peers.device + 1);
      pairs(ctx, p).broadcast(ctx, s.exchanges++, load_cached(&p.counts[peers.device]), [&](i64 i) { return p.pairs[i]; });
    }
    s.to_exchange = NOTHING;
  }

  // The number of vertices that a round has left, on every device.
  GR_DEVICE static u64* left(const Problem& p, i32 round) { return p.left + round % 2 * MOST_DEVICES; }
  GR_DEVICE static TeamChunks pairs(const Context& ctx, const Problem& p) {
    return {ctx.peers, p.counts, p.inbox, p.chunk};
  }
};

// --- the enactor ----------------------------------------------------------------------------------
struct Enactor {
  using Team = TreesExchange;
  using State = ::State;

  // Passes over a whole part, and queues that outlive a step: not for a single block.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    const i64 begin = ctx.peers.begin, own = ctx.graph.n;
    if (s.phase == HUB && !p.sampling) s.phase = GRAFT;
    if (s.phase == GROW && !pays(ctx, p, s)) s.phase = REST;
    const Giant giant(p, ctx, s);
    ctx.show(s.phase, s.phase == UNITE ? s.exchanges : s.round, own, ctx.graph.m);

    switch (s.phase) {
      case HUB:
        fold_grid<ArgMin>(ctx, longest_list(ctx, csr, begin), &p.hubs[ctx.peers.device]);
        exchange_after(s, HUBS, BALL);
        break;
      case BALL:
        s.hub = longest(p, ctx.peers.devices);
        s.left = p.vertices;
        s.phase = REST;
        if (s.hub >= 0) {
          if (ctx.peers.owns(s.hub)) mark_ball(ctx, p, s.hub);
          exchange_after(s, NEIGHBORS, GROW);
        }
        break;
      case GROW:
        grow(ctx, s, giant);
        ++s.round;
        exchange_after(s, GROWN, GROW);
        break;
      case GRAFT:
        hook(ctx, p);
        s.phase = REST;
        break;
      case REST: {
        if (p.directed) note_own(ctx, p);
        auto has_edges = Where([&](item_t v) { return csr.row(v).length > 0; });
        if (s.round > 0) filter<V>(ctx, s, members(ctx.in(s)), csr, has_edges);
        else filter<V>(ctx, s, Range{own}, csr, has_edges);
        s.phase = FINISH;
        break;
      }
      case FINISH:
        ctx.show(FINISH, 0, s.in);
        advance<V>(ctx, s, LinkAll(giant));
        s.phase = NOTED;
        break;
      case NOTED:
        bitmap_to_queue<Kind::plain>(ctx, s, p.noted, bitmap_words(p.vertices), [&](item_t v) {
          return load_relaxed(&p.parents[v]) != v;  // a root's own pair would say nothing
        });
        s.phase = PAIRS;
        break;
      case PAIRS:
        compute_pairs(ctx, p, s);
        exchange_after(s, CHUNK, UNITE);
        break;
      case UNITE:
        if (unite_pairs(ctx, giant, s.exchanges - 1)) {
          exchange_after(s, CHUNK, UNITE);
        } else {
          s.phase = COMPRESS;
        }
        break;
      case COMPRESS:
        compress_range(ctx, p.parents, begin, own, [hub = s.hub](vertex_t v) { return v == hub; });
        return false;
    }
    return true;
  }

 private:
  GR_DEVICE static void exchange_after(State& s, Exchanged what, Phase next) {
    s.to_exchange = what;
    s.phase = next;
  }

  // Puts each vertex under its first neighbour.
  GR_DEVICE static void hook(Context& ctx, const Problem& p) {
    const i64 begin = ctx.peers.begin;
    for_each_neighbor_at(ctx, ctx.graph.csr, 0, [&](vertex_t v, vertex_t u) {
      const vertex_t mine = vertex_t(begin + v);
      if (comes_before(u, mine)) store_relaxed(&p.parents[mine], u);
    });
  }

  // The vertex of the longest list on any device; -1 if there are no edges.
  GR_DEVICE static vertex_t longest(const Problem& p, i64 devices) {
    u64 best = ArgMin::zero();
    for (i64 d = 0; d < devices; ++d) ArgMin::join(best, load_cached(&p.hubs[d]));
    return best == ArgMin::zero() ? -1 : vertex_t(best & 0xffffffffu);
  }

  // Marks the hub and its neighbours, whichever device owns them.
  GR_DEVICE static void mark_ball(Context& ctx, const Problem& p, vertex_t hub) {
    const vertex_t row = hub - vertex_t(ctx.peers.begin);
    for_each_entry(ctx, ctx.graph.csr, row, [&](vertex_t u) { bitmap_set(p.inside, u); });
    if (ctx.rank() == 0) bitmap_set(p.inside, hub);
  }

  // True if another round is worth it. All devices answer alike.
  GR_DEVICE static bool pays(const Context& ctx, const Problem& p, State& s) {
    if (s.round == 0) return true;
    const i64 before = s.left;
    s.left = 0;
    for (i64 d = 0; d < ctx.peers.devices; ++d) s.left += i64(load_cached(TreesExchange::left(p, s.round) + d));
    return s.left * FEW > p.vertices && (before - s.left) * LEAST_GAIN >= before;
  }

  // A device's own vertices that join the giant, in the first round and in later ones.
  struct Grow {
    const Giant& giant;
    i64 begin;
    GR_DEVICE explicit Grow(const Giant& known) : giant(known), begin(known.peers.begin) {}
    GR_DEVICE bool passes_by(vertex_t u) { return giant.has(u); }

   protected:
    GR_DEVICE void put_under_hub(vertex_t mine) { store_relaxed(&giant.p.parents[mine], giant.hub); }
  };
  struct GrowFromAll : Grow {
    using Grow::Grow;
    GR_DEVICE bool passes(vertex_t v) { return this->giant.has(vertex_t(this->begin + v)); }
    // A warp has the vertices of one word.
    GR_DEVICE void finalize(vertex_t v, bool mine) {
      const vertex_t vertex = vertex_t(this->begin + v);
      const u32 word = warp_ballot(mine);
      if (mine) this->put_under_hub(vertex);
      if constexpr (WARP == 32) {
        if (word && lane_id() == 0) store_relaxed(&this->giant.p.inside[vertex / 32], word);
      } else {
        if (mine) bitmap_set(this->giant.p.inside, vertex);
      }
    }
  };
  struct GrowFromRest : Grow {
    using Grow::Grow;
    GR_DEVICE bool passes(vertex_t) { return false; }
    GR_DEVICE void finalize(vertex_t v, bool mine) {
      if (!mine) return;
      const vertex_t vertex = vertex_t(this->begin + v);
      this->put_under_hub(vertex);
      bitmap_set(this->giant.p.inside, vertex);
    }
  };
  GR_DEVICE static void grow(Context& ctx, const State& s, const Giant& giant) {
    const Csr& csr = ctx.graph.csr;
    Collector<Kind::plain> rest(ctx, ctx.out(s), csr);
    if (s.round == 0) {
      GrowFromAll all(giant);
      test_some_neighbors<PROBES>(ctx, Range{ctx.graph.n}, csr, 0, all, rest);
    } else {
      GrowFromRest some(giant);
      test_some_neighbors<PROBES>(ctx, members(ctx.in(s)), csr, edge_t(s.round * PROBES), some, rest);
    }
    rest.flush();
  }

  // Notes all own vertices, on a directed graph.
  GR_DEVICE static void note_own(Context& ctx, const Problem& p) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) { bitmap_set(p.noted, vertex_t(ctx.peers.begin + v)); });
  }

  // Computes all pairs, before any tree is linked because of received pairs.
  GR_DEVICE static void compute_pairs(Context& ctx, const Problem& p, const State& s) {
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t v) {
      vertex_t root = vertex_t(v);
      for (vertex_t above; (above = load_cached(&p.parents[root])) != root;) root = above;
      p.pairs[i] = u64(u32(v)) << 32 | u64(u32(root));
    });
    if (ctx.rank() == 0) p.counts[ctx.peers.device] = i64(s.in.count);
  }

  // Unites by the pairs of a chunk from all other devices. True if there are more chunks.
  GR_DEVICE static bool unite_pairs(Context& ctx, const Giant& giant, i64 chunk) {
    return TreesExchange::pairs(ctx, giant.p).hear(ctx, chunk, [&](u64 pair) {
      giant.unite_with(vertex_t(pair >> 32), vertex_t(pair & 0xffffffffu));
    });
  }
};
