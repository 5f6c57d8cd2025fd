// Connected components over several devices (core/peers.cuh): afforest.cuh's, and then of forests.
//
// A device has the edges that lead to its own vertices (ctx.graph: rows counted from 0), and a forest over
// the vertices of the whole graph, in which it links the ends of those edges.
//
// 1. From a few edges of each vertex comes the device's own commonest tree (GRAFT, LINK, COMPRESS). All are
//    told which vertices are in them (a bitmap), look for edges between two such trees (JOIN), and are told
//    of those: the trees that hang together are the giant, and its vertices' other edges are left out. An
//    edge between the giant and another vertex is seen from that one, by its owner. This needs both
//    directions of every edge: of a directed graph all edges are gone through.
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
#include "operators/exchange.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/reduce.cuh"
#include "operators/sample.cuh"
#include "primitives/cc/forest.cuh"
#include "primitives/commonest_root.cuh"

struct Problem {
  vertex_t* parents;  // the forest: of v, v itself at first
  u32* noted;         // bitmap: vertices that others may have, too; clear at first
  u64* pairs;         // of each of those: itself and its root
  i64* bounds;        // where the devices' vertices begin, and the end
  u32* common;        // in the heap, bitmap: vertices in their owner's commonest tree; clear at first
  vertex_t* roots;    // in the heap, of every device: the root of its commonest tree
  u32* links;         // the same: a bit for each device to whose commonest tree an edge leads; zero at first
  i64* counts;        // the same: how many pairs it has
  u64* inbox;         // in the heap: two slots in turn of `chunk` pairs from every device
  i64 chunk;
  i64 vertices;       // of the whole graph
  i64 directed;
  i64 sampling;       // not of a directed graph
};

enum Phase { GRAFT, COMPRESS, LINK, MARK, JOIN, GIANT, REST, FINISH, NOTED, PAIRS, UNITE, EXCHANGE };
enum Tells : i32 { NOTHING, COMMON, LINKS, CHUNK };

struct State : LoopState {
  i32 phase = GRAFT;
  i32 tells = NOTHING;
  i32 compressed = 0;   // how often
  i32 told = 0;         // chunks of pairs
  vertex_t root = -1;   // of the own commonest tree
  u32 giant = 0;        // devices whose commonest trees are the giant
  vertex_t hub = -1;    // a vertex of the giant, the same for all
  bool last = false;    // compress, and that is all
};

GR_DEVICE i64 owner_of(const Problem& p, vertex_t v) {
  i64 owner = 0;
  while (v >= load_constant(&p.bounds[owner + 1])) ++owner;
  return owner;
}

// --- functors -------------------------------------------------------------------------------------
// Whether a vertex is in the giant.
struct Giant {
  const Problem& p;
  const Peers& peers;
  u32 devices;
  vertex_t hub;
  GR_DEVICE bool has(vertex_t v) const {
    return devices && bitmap_test(p.common, v) && devices >> owner_of(p, v) & 1;
  }
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
    if (s.tells == COMMON) {
      tell(ctx, p.common, bitmap_words(peers.begin), bitmap_words(peers.end));
      tell(ctx, p.roots, peers.device, peers.device + 1);
    } else if (s.tells == LINKS) {
      tell(ctx, p.links, peers.device, peers.device + 1);
    } else {
      if (s.told == 0) tell(ctx, p.counts, peers.device, peers.device + 1);
      tell_pairs(ctx, p, s.told++);
    }
    s.tells = NOTHING;
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
    const Giant giant{p, ctx.peers, s.giant, s.hub};
    ctx.show(s.phase, s.told, own, ctx.graph.m);

    switch (s.phase) {
      case GRAFT:
        for_each_neighbor_at(ctx, csr, 0, [&](vertex_t v, vertex_t u) {
          if (comes_before(u, vertex_t(begin + v))) store_relaxed(&p.parents[begin + v], u);
        });
        s.phase = p.sampling ? COMPRESS : REST;
        break;
      case LINK:
        for_each_neighbor_at(ctx, csr, 1, [&](vertex_t v, vertex_t u) {
          link_stars(p.parents, vertex_t(begin + v), u);
        });
        s.phase = COMPRESS;
        break;
      case COMPRESS:
        compress_range(ctx, p.parents, begin, own);
        if (s.last) return false;
        s.root = ctx.graph.m > 0 ? commonest(ctx, p.parents).root : -1;
        s.phase = s.compressed++ == 0 ? LINK : MARK;
        break;
      case MARK:
        mark(ctx, p, s.root);
        tell_after(s, COMMON, JOIN);
        break;
      case JOIN:
        join(ctx, p);
        tell_after(s, LINKS, GIANT);
        break;
      case GIANT:
        if (ctx.rank() == 0) control.counters[0] = largest(p, ctx.peers.devices);
        s.phase = REST;
        break;
      case REST: {
        if (p.sampling) choose_giant(ctx, p, control, s);
        const Giant chosen{p, ctx.peers, s.giant, s.hub};
        filter<V>(ctx, s, Range{own}, csr, Where([&](item_t v) {
          return csr.row(v).length > 0 && !chosen.has(vertex_t(begin + v));
        }));
        s.phase = FINISH;
        break;
      }
      case FINISH:
        ctx.show(FINISH, 0, s.in);
        advance<V>(ctx, s, LinkAll(giant));
        s.phase = NOTED;
        break;
      case NOTED:
        filter<Kind::plain>(ctx, s, Range{p.vertices}, csr, Where([&](item_t v) {
          const bool told = bitmap_test(p.noted, v) || (p.directed && ctx.peers.owns(v));
          return told && load_relaxed(&p.parents[v]) != v;  // of a root there is nothing to tell
        }));
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

  // The own vertices in the own commonest tree: a word of the bitmap by each warp, or a bit by each core.
  GR_DEVICE static void mark(Context& ctx, const Problem& p, vertex_t root) {
    const i64 begin = ctx.peers.begin, own = ctx.graph.n;
    for (i64 base = ctx.rank() - lane_id(); base < own; base += ctx.threads()) {
      const i64 v = base + lane_id();
      const bool inside = v < own && load_relaxed(&p.parents[begin + v]) == root;
      const u32 word = warp_ballot(inside);
      if constexpr (WARP == 32) {
        if (lane_id() == 0) p.common[(begin + base) / 32] = word;
      } else if (word) {
        bitmap_set(p.common, vertex_t(begin + v));
      }
    }
    if (ctx.rank() == 0) p.roots[ctx.peers.device] = root;
  }

  // To whose commonest trees an edge leads from the own one. First neighbours are enough to look at.
  GR_DEVICE static void join(Context& ctx, const Problem& p) {
    const Peers& peers = ctx.peers;
    u32 found = 0;
    for (i32 place = 0; place < 2; ++place)
      for_each_neighbor_at(ctx, ctx.graph.csr, place, [&](vertex_t v, vertex_t u) {
        if (!peers.owns(u) && bitmap_test(p.common, u) &&
            bitmap_test(p.common, vertex_t(peers.begin + v)))
          found |= 1u << owner_of(p, u);
      });
    fold_grid<Or>(ctx, found, &p.links[peers.device]);
  }

  // One thread: the most devices whose commonest trees hang together.
  GR_DEVICE static u32 largest(const Problem& p, i64 devices) {
    u32 best = 0;
    for (i64 first = 0; first < devices; ++first) {
      u32 reached = 1u << first;
      for (i64 times = 0; times < devices; ++times)
        for (i64 d = 0; d < devices; ++d) {
          const u32 links = load_relaxed(&p.links[d]);
          if (reached >> d & 1) reached |= links;
          else if (links & reached) reached |= 1u << d;
        }
      if (load_relaxed(&p.roots[first]) >= 0 && popcount(reached) > popcount(best)) best = reached;
    }
    return best;
  }

  // What the step before found, and the giant's trees linked in the own forest.
  GR_DEVICE static void choose_giant(Context& ctx, const Problem& p, const Control& control, State& s) {
    s.giant = u32(load_cached(&control.counters[0]));
    if (!s.giant) return;
    s.hub = load_cached(&p.roots[lowest_bit(s.giant)]);
    if (ctx.rank() != 0) return;
    if (s.giant >> ctx.peers.device & 1) unite(p.parents, s.root, s.hub);
    bitmap_set(p.noted, s.hub);
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
