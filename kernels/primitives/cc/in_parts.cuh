// Connected components over several devices (core/peers.cuh): afforest.cuh's, and then of forests.
//
// A device has the edges that lead to its own vertices (ctx.graph: rows counted from 0), and a forest over
// the vertices of the whole graph, in which it links the ends of those edges.
//
// 1. The giant, which most edges lie in, is found from a few edges of each vertex: those that are known to
//    be inside are a bitmap, of which each device fills the part of its own and is told the others'. It
//    begins with the neighbours of the vertex of the longest list of all. A vertex that has one of those
//    inside among its first neighbours joins (GROW), and with it its tree, in which GRAFT and COMPRESS have
//    put it by its first neighbour alone (JOIN). So on until few are found [D-peers-2]. The vertices
//    inside need no forest, and their other edges are left out: an edge between one of them and another vertex is seen
//    from that one, by its owner. This needs both directions of every edge: of a directed graph all edges
//    are gone through.
// 2. REST and FINISH link the ends of all other edges, and note which vertices other devices may have in
//    their forests as well: the far ends, and those at which they hang. (Of a directed graph a device
//    cannot know who else has its own vertices: they are all noted.)
// 3. All are told (PAIRS) the root of each noted vertex. Where two trees of different devices share a
//    vertex, both roots come with it, so each device knows of all trees which hang together, and links them
//    in its own forest (UNITE). Roots are the smallest of their trees, and come with the pairs: so all
//    devices name a component by the same vertex.
// Options: GR_RANDOM_LINKS.
#pragma once
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/exchange.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"
#include "operators/sample.cuh"
#include "primitives/cc/forest.cuh"

struct Problem {
  vertex_t* parents;  // the forest: of v, v itself at first
  u32* noted;         // bitmap: vertices that others may have, too; clear at first
  u32* joined;        // bitmap: roots of trees that hang on the giant; clear at first
  u64* pairs;         // of each vertex that is told of: itself and its root
  u32* inside;        // in the heap: two bitmaps in turn, of the giant's vertices; clear at first
  i64 bitmap_stride;  // words from one to the other
  u64* hubs;          // in the heap, of every device: keyed(~length, v) of its longest list, or all ones
  u64* gains;         // the same, twice in turn: how many vertices a round has found
  i64* counts;        // the same: how many pairs it has
  u64* inbox;         // in the heap: two slots in turn of `chunk` pairs from every device
  i64 chunk;
  i64 vertices;       // of the whole graph
  i64 directed;
  i64 sampling;       // not of a directed graph
};

enum Phase { GRAFT, COMPRESS, GROW, JOIN, REST, FINISH, NOTED, PAIRS, UNITE, EXCHANGE };
enum Tells : i32 { NOTHING, HUBS, BALL, GROWN, CHUNK };
constexpr int LOOKS = 4;         // first neighbours that a round looks at: they lie together
constexpr i64 ENOUGH_GAIN = 16;  // as a part of all vertices, what a round must find for another to follow

struct State : LoopState {
  i32 phase = GRAFT;
  i32 tells = NOTHING;
  i32 round = 0;
  i32 told = 0;       // chunks of pairs
  vertex_t hub = -1;  // a vertex of the giant, the same for all
  bool last = false;  // compress, and that is all
};

// --- functors -------------------------------------------------------------------------------------
GR_DEVICE bool cached_test(const u32* bits, vertex_t v) {
  return load_cached(&bits[v / 32]) >> (v % 32) & 1;
}

// What is known of the giant.
struct Giant {
  const Problem& p;
  const Peers& peers;
  vertex_t hub;     // or -1: there is none
  const u32* bits;  // its vertices
  GR_DEVICE Giant(const Problem& problem, const Context& ctx, const State& s)
      : p(problem), peers(ctx.peers), hub(s.hub), bits(at(problem, s.round)) {}
  // In steps that leave the bitmap as it is. Most threads ask for the same few words, which queue up in L2.
  GR_DEVICE bool has(vertex_t v) const { return cached_test(bits, v); }
  GR_DEVICE static u32* at(const Problem& p, i32 round) { return p.inside + round % 2 * p.bitmap_stride; }
};

struct LinkAll : EdgeFunctor {  // keeps no edge: no frontier comes of it
  const Giant& giant;
  GR_DEVICE explicit LinkAll(const Giant& known) : giant(known) {}
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    const vertex_t v = vertex_t(giant.peers.begin + s);
    const bool inside = giant.has(d);
    unite(giant.p.parents, v, inside ? giant.hub : d);
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

// --- what is told ---------------------------------------------------------------------------------
struct TellTrees : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.tells != NOTHING; }

  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, State& s) {
    const Peers& peers = ctx.peers;
    ctx.show(EXCHANGE, s.told, peers.count(), 0);
    if (s.tells == HUBS) {
      tell(ctx, p.hubs, peers.device, peers.device + 1);
    } else if (s.tells == BALL) {
      if (peers.owns(s.hub)) tell(ctx, Giant::at(p, 0), 0, bitmap_words(p.vertices));
    } else if (s.tells == GROWN) {
      tell(ctx, Giant::at(p, s.round), bitmap_words(peers.begin), bitmap_words(peers.end));
      tell(ctx, gain(p, s.round, peers.device), 0, 1);
    } else {
      if (s.told == 0) tell(ctx, p.counts, peers.device, peers.device + 1);
      tell_pairs(ctx, p, s.told++);
    }
    s.tells = NOTHING;
  }

  // How many vertices of a device's the round before `round` has found.
  GR_DEVICE static u64* gain(const Problem& p, i32 round, i64 device) {
    return p.gains + round % 2 * MOST_DEVICES + device;
  }
  // Where a device's pairs of a chunk lie. One that is a chunk ahead does not write where others still read.
  GR_DEVICE static u64* slot(const Context& ctx, const Problem& p, i64 chunk, i64 device) {
    return p.inbox + (chunk % 2 * ctx.peers.devices + device) * p.chunk;
  }
  // How many of a device there are in a chunk.
  GR_DEVICE static i64 in_chunk(const Problem& p, i64 chunk, i64 pairs) {
    const i64 left = pairs - chunk * p.chunk;
    return left < p.chunk ? left : p.chunk;
  }

 private:
  GR_DEVICE static void tell_pairs(Context& ctx, const Problem& p, i64 chunk) {
    const i64 device = ctx.peers.device;
    tell_elsewhere(ctx, p.pairs + chunk * p.chunk, slot(ctx, p, chunk, device),
                   in_chunk(p, chunk, load_cached(&p.counts[device])));
  }
};

// --- the enactor ----------------------------------------------------------------------------------
struct Enactor {
  using Team = TellTrees;
  using State = ::State;

  // Passes over a whole part, and queues that outlive a step: nothing for one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    const i64 begin = ctx.peers.begin, own = ctx.graph.n;
    if (s.phase == GROW && !pays(ctx, p, s)) s.phase = REST;
    const Giant giant(p, ctx, s);
    ctx.show(s.phase, s.phase == UNITE ? s.told : s.round, own, ctx.graph.m);

    switch (s.phase) {
      case GRAFT:
        graft(ctx, p);
        s.phase = REST;
        if (p.sampling) tell_after(s, HUBS, COMPRESS);
        break;
      case COMPRESS:
        if (s.last) {
          compress_range(ctx, p.parents, begin, own);
          return false;
        }
        // Others' vertices have no parents yet.
        compress_range(ctx, p.parents, begin, own, [&](vertex_t v) { return !ctx.peers.owns(v); });
        s.hub = longest(p, ctx.peers.devices);
        s.phase = REST;
        if (s.hub >= 0) {
          if (ctx.peers.owns(s.hub)) mark_ball(ctx, p, s.hub);
          tell_after(s, BALL, GROW);
        }
        break;
      case GROW:
        grow(ctx, p, giant, Giant::at(p, s.round + 1));
        if (ctx.rank() == 0) store_relaxed(TellTrees::gain(p, s.round + 1, ctx.peers.device), u64(0));
        s.phase = JOIN;
        break;
      case JOIN:
        join(ctx, p, giant, ++s.round);
        tell_after(s, GROWN, GROW);
        break;
      case REST:
        if (ctx.rank() == 0 && s.hub >= 0) bitmap_set(p.noted, s.hub);
        if (p.directed) note_own(ctx, p);
        filter<V>(ctx, s, Range{own}, csr, Where([&](item_t v) {
          return csr.row(v).length > 0 && !put_under_hub(giant, vertex_t(begin + v));
        }));
        s.phase = FINISH;
        break;
      case FINISH:
        ctx.show(FINISH, 0, s.in);
        advance<V>(ctx, s, LinkAll(giant));
        s.phase = NOTED;
        break;
      case NOTED:
        bitmap_to_queue<Kind::plain>(ctx, s, p.noted, bitmap_words(p.vertices), [&](item_t v) {
          return load_relaxed(&p.parents[v]) != v;  // of a root there is nothing to tell
        });
        s.phase = PAIRS;
        break;
      case PAIRS:
        compute_pairs(ctx, p, s);
        tell_after(s, CHUNK, UNITE);
        break;
      case UNITE:
        if (unite_pairs(ctx, p, s.told - 1)) {
          tell_after(s, CHUNK, UNITE);
        } else {
          s.last = true;
          s.phase = COMPRESS;
        }
        break;
    }
    return true;
  }

 private:
  GR_DEVICE static void tell_after(State& s, Tells what, Phase next) {
    s.tells = what;
    s.phase = next;
  }

  // Each vertex under its first neighbour; meanwhile whose list is the longest.
  GR_DEVICE static void graft(Context& ctx, const Problem& p) {
    const i64 begin = ctx.peers.begin;
    u64 longest = ArgMin::zero();
    for_each_neighbor_at(ctx, ctx.graph.csr, 0, [&](vertex_t v, vertex_t u) {
      const vertex_t mine = vertex_t(begin + v);
      if (comes_before(u, mine)) store_relaxed(&p.parents[mine], u);
      ArgMin::join(longest, keyed(~u32(ctx.graph.csr.row(v).length), u32(mine)));
    });
    fold_grid<ArgMin>(ctx, longest, &p.hubs[ctx.peers.device]);
  }

  // Of all devices; -1 where there are no edges.
  GR_DEVICE static vertex_t longest(const Problem& p, i64 devices) {
    u64 best = ArgMin::zero();
    for (i64 d = 0; d < devices; ++d) ArgMin::join(best, load_cached(&p.hubs[d]));
    return best == ArgMin::zero() ? -1 : vertex_t(best & 0xffffffffu);
  }

  // The hub and its neighbours, whoever owns them.
  GR_DEVICE static void mark_ball(Context& ctx, const Problem& p, vertex_t hub) {
    u32* const bits = Giant::at(p, 0);
    const vertex_t row = hub - vertex_t(ctx.peers.begin);
    for_each_entry(ctx, ctx.graph.csr, row, [&](vertex_t u) { bitmap_set(bits, u); });
    if (ctx.rank() == 0) bitmap_set(bits, hub);
  }

  // Whether another round is worth its while. All say the same.
  GR_DEVICE static bool pays(const Context& ctx, const Problem& p, const State& s) {
    if (s.round == 0) return true;
    u64 gained = 0;
    for (i64 d = 0; d < ctx.peers.devices; ++d)
      gained += load_cached(TellTrees::gain(p, s.round, d));
    return i64(gained) * ENOUGH_GAIN >= p.vertices;
  }

  // The own vertices that are in the giant by what is known of it, into the next bitmap; and their roots.
  struct Grow {
    struct Own {
      vertex_t root;
      bool inside;
    };
    const Problem& p;
    const Giant& giant;
    u32* next;
    i64 begin, own_vertices;
    vertex_t marked = -1;  // a root that need not be marked again: many share one
    GR_DEVICE Grow(Context& ctx, const Problem& problem, const Giant& known, u32* bits)
        : p(problem), giant(known), next(bits), begin(ctx.peers.begin), own_vertices(ctx.graph.n) {}

    GR_DEVICE Own own(vertex_t v) {
      const vertex_t mine = vertex_t(begin + v);
      return {load_relaxed(&p.parents[mine]), giant.has(mine)};
    }
    GR_DEVICE bool passes(vertex_t, const Own& own) { return own.inside || giant.has(own.root); }
    GR_DEVICE bool passes_by(vertex_t u) { return giant.has(u); }
    GR_DEVICE void found(vertex_t, const Own& own) {
      if (own.root == marked) return;
      marked = own.root;
      if (!bitmap_test(p.joined, marked)) bitmap_set(p.joined, marked);
    }
    GR_DEVICE void settle(i64 first, bool mine) { set_word(next, begin, first, own_vertices, mine); }
  };
  GR_DEVICE static void grow(Context& ctx, const Problem& p, const Giant& giant, u32* next) {
    Grow functor(ctx, p, giant, next);
    test_first_neighbors<LOOKS>(ctx, ctx.graph.csr, functor);
  }

  // And the others of their trees; how many are new.
  GR_DEVICE static void join(Context& ctx, const Problem& p, const Giant& before, i32 round) {
    const i64 begin = ctx.peers.begin, own = ctx.graph.n;
    u32* const bits = Giant::at(p, round);
    u64 gained = 0;
    for (i64 base = ctx.rank() - lane_id(); base < own; base += ctx.threads()) {
      const i64 v = base + lane_id();
      bool inside = false;
      if (v < own) {
        const vertex_t mine = vertex_t(begin + v);
        inside = bitmap_test(bits, mine) || cached_test(p.joined, load_relaxed(&p.parents[mine]));
        gained += inside && !before.has(mine);
      }
      set_word(bits, begin, base, own, inside);
    }
    fold_grid<Sum<u64>>(ctx, gained, TellTrees::gain(p, round, ctx.peers.device));
  }

  // The whole warp: its vertices' bits, from `base` on; a word of the bitmap, or a bit by each core.
  GR_DEVICE static void set_word(u32* bits, i64 begin, i64 base, i64 own, bool mine) {
    const u32 word = warp_ballot(mine);
    if constexpr (WARP == 32) {
      if (lane_id() == 0 && base < own) store_relaxed(&bits[(begin + base) / 32], word);
    } else if (word) {
      bitmap_set(bits, vertex_t(begin + base));
    }
  }

  // Of a directed graph.
  GR_DEVICE static void note_own(Context& ctx, const Problem& p) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) { bitmap_set(p.noted, vertex_t(ctx.peers.begin + v)); });
  }

  // Whether v is in the giant. Then, or if its tree is, it goes under the hub: of the giant's vertices
  // forests have this one alone, so that devices that tell each other of theirs miss none.
  GR_DEVICE static bool put_under_hub(const Giant& giant, vertex_t v) {
    if (giant.hub < 0) return false;
    vertex_t* const parent = &giant.p.parents[v];
    const bool inside = giant.has(v);
    if (inside || giant.has(load_relaxed(parent))) store_relaxed(parent, giant.hub);
    return inside;
  }

  // All of them before any tree is linked by others' pairs.
  GR_DEVICE static void compute_pairs(Context& ctx, const Problem& p, const State& s) {
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t v) {
      vertex_t root = vertex_t(v);
      for (vertex_t above; (above = load_cached(&p.parents[root])) != root;) root = above;
      p.pairs[i] = u64(u32(v)) << 32 | u64(u32(root));
    });
    if (ctx.rank() == 0) p.counts[ctx.peers.device] = i64(s.in.count);
  }

  // Those of a chunk from all others; whether there are more chunks.
  GR_DEVICE static bool unite_pairs(Context& ctx, const Problem& p, i64 chunk) {
    bool more = false;
    for (i64 d = 0; d < ctx.peers.devices; ++d) {
      const i64 pairs = load_cached(&p.counts[d]);
      more = more || pairs > (chunk + 1) * p.chunk;
      if (d == ctx.peers.device) continue;
      const u64* const told = TellTrees::slot(ctx, p, chunk, d);
      for_each_index(ctx, TellTrees::in_chunk(p, chunk, pairs), [&](i64 i) {
        const u64 pair = load_relaxed(&told[i]);
        unite(p.parents, vertex_t(pair >> 32), vertex_t(pair & 0xffffffffu));
      });
    }
    return more;
  }
};
