// Connected components of meshes over several devices: each device finds its own part's components
// from samples, as one device does, and the devices exchange what leads from part to part [D-within-1].
//
// ctx.graph has only the edges within the part, whose vertices count from 0. Edges that cross are kept apart: for
// each, the end that is a device's own and, for both devices, its lesser end, the key.
// 1. The trees of the part (GRAFT to UNITE). They are not exchanged, and devices may take different numbers of
//    steps.
// 2. CROSS: a device's trees at the same key are linked, in a forest of roots over the whole graph's vertices.
// 3. All devices receive the root at each key of every device. A device that has trees of two devices at one key
//    links their roots (TOLD). So all have the same forest of exchanged roots, and the same root for each
//    component: the one that comes first.
// 4. NAME: every vertex is put under that root.
// Options: GR_RANDOM_LINKS, GR_SAMPLING.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/team_chunks.cuh"

struct Problem {
  vertex_t* parents;    // trees of the part, in its own numbers: v's parent, v itself at first
  vertex_t* others;     // as from_samples.cuh has them
  vertex_t* forest;     // of the whole graph's vertices: v's parent, v itself at first
  vertex_t* roots;      // at each key, the root of a tree there, as a vertex of the whole graph; -1 at first
  const u64* crossing;  // edges that cross: this device's end, counted from 0, above the key
  i64 crossing_edges;
  const vertex_t* keys;
  i64 key_count;
  u64* later;   // the words for keys after the first chunk
  i64* counts;  // in the symmetric heap: the number of keys of each device; -1 until it has sent some
  u64* inbox;   // in the symmetric heap, for TeamChunks: keys above roots
  i64 chunk;
};

enum Phase { GRAFT, COMPRESS, LINK, REST, FINISH, UNITE, HUB, STAR, JOIN, CROSS, TOLD, NAME, EXCHANGE };

#include "primitives/cc/from_samples.cuh"

struct State : FromSamples::State {
  bool within = true;  // still working on the trees of the part
  bool exchange_due = false;
  i32 exchanges = 0;        // chunks
};

struct RootsExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.exchange_due; }

  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(EXCHANGE, s.exchanges, p.key_count, 0);
    if (s.exchanges == 0) {
      broadcast_one(ctx, p.counts, p.key_count);
      chunks(ctx, p).broadcast(ctx, 0, p.key_count, [&](i64 i) { return root_at(p, i); });
      for_each_index(ctx, p.key_count - p.chunk, [&](i64 i) { p.later[i] = root_at(p, p.chunk + i); });
    } else {
      chunks(ctx, p).broadcast(ctx, s.exchanges, p.key_count, [&](i64 i) { return p.later[i - p.chunk]; });
    }
    ++s.exchanges;
    s.exchange_due = false;
  }

  GR_DEVICE static TeamChunks chunks(const Context& ctx, const Problem& p) {
    return {ctx.peers, p.counts, p.inbox, p.chunk};
  }

 private:
  // The i-th key above its root. The root is found before this device links any tree because of received words,
  // as the other devices must receive those links, too.
  GR_DEVICE static u64 root_at(const Problem& p, i64 i) {
    const vertex_t key = p.keys[i];
    vertex_t root = load_cached(&p.roots[key]);
    for (vertex_t above; (above = load_cached(&p.forest[root])) != root;) root = above;
    return u64(u32(key)) << 32 | u32(root);
  }
};

struct Enactor {
  using Team = RootsExchange;
  using State = ::State;

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.within) {
      if (!FromSamples::step(ctx, p, control, s)) {
        s.within = false;
        s.phase = CROSS;
      }
      return true;
    }
    ctx.show(s.phase, s.exchanges, ctx.graph.n, 0);
    switch (s.phase) {
      case CROSS:
        cross(ctx, p);
        s.exchange_due = true;
        s.phase = TOLD;
        break;
      case TOLD:
        if (!all_have_sent(ctx, p)) {
          s.exchanges = 0;
          s.exchange_due = true;
        } else if (unite_received(ctx, p, s.exchanges - 1)) {
          s.exchange_due = true;
        } else {
          s.phase = NAME;
        }
        break;
      case NAME:
        compress_range(ctx, p.forest, ctx.peers.begin, ctx.graph.n);
        return false;
    }
    return true;
  }

 private:
  // Puts this device's vertices under their roots, which form the forest, and links trees at the same key.
  GR_DEVICE static void cross(Context& ctx, const Problem& p) {
    const vertex_t begin = vertex_t(ctx.peers.begin);
    for_each_loaded(ctx, ctx.graph.n, p.parents, [&](i64 v, vertex_t root) {
      if (root != v) store_relaxed(&p.forest[begin + v], begin + root);
    });
    for_each_index(ctx, p.crossing_edges, [&](i64 i) {
      const u64 edge = p.crossing[i];
      link_at(p, vertex_t(edge & 0xffffffffu), begin + load_relaxed(&p.parents[edge >> 32]));
    });
  }

  // A tree has an end at this key, so it is connected with the other trees there.
  GR_DEVICE static void link_at(const Problem& p, vertex_t key, vertex_t root) {
    vertex_t known = load_relaxed(&p.roots[key]);
    if (known < 0) known = atomic_cas(&p.roots[key], vertex_t(-1), root);
    if (known >= 0 && known != root) unite(p.forest, known, root);
  }

  // True if all devices have sent. They meet before this, except in the host loop, in which some may still be
  // within.
  GR_DEVICE static bool all_have_sent(const Context& ctx, const Problem& p) {
    bool all = true;
    for (i64 d = 0; d < ctx.peers.devices; ++d) all = all && load_cached(&p.counts[d]) >= 0;
    return all;
  }

  // Unites the pairs of a chunk. True if there are more chunks.
  GR_DEVICE static bool unite_received(Context& ctx, const Problem& p, i64 chunk) {
    return RootsExchange::chunks(ctx, p).hear(ctx, chunk, [&](u64 word) {
      link_at(p, vertex_t(word >> 32), vertex_t(word & 0xffffffffu));
    });
  }
};
