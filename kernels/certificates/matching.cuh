// Certificate of a matching: it is the greedy walk's through all edges in their order if and only if mates are
// each other's and have an edge between them, and each edge outside the matching has an end whose own edge
// comes before it. (By induction along the order: the walk takes an edge exactly if it has taken none at its
// ends.) Loops do not count; of parallel edges the first in the order counts.
#pragma once
#include "certificates/proof.cuh"
#include "math/edge_order.cuh"

struct Problem {
  vertex_t* mates;
  u64* keys;      // of a matched vertex: its edge's place in the order, except for ties; NONE before
  i64 by_weight;  // true: heaviest first; false: at random
  i64 seed;
  u64* broken;
  i64* first;
};

enum Condition { APART, UNLINKED, LATE };

constexpr u64 NONE = ~u64(0);

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const vertex_t mate = p.mates[v];
      tally.require(mate == -1 || (mate >= 0 && mate < ctx.graph.n && mate != v && p.mates[mate] == v),
                    APART, v);
    });
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (u != v && p.mates[u] == v) atomic_min(&p.keys[u], key(ctx, p, u, v, e));
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      tally.require(p.mates[v] < 0 || load_relaxed(&p.keys[v]) != NONE, UNLINKED, v);
    });
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (u == v || p.mates[u] == v) return;
      const u64 mine = key(ctx, p, u, v, e), ends = ends_of(u, v);
      tally.require(is_earlier(p, u, mine, ends) || is_earlier(p, v, mine, ends), LATE, u);
    });
  }

 private:
  GR_DEVICE static u64 key(const Context& ctx, const Problem& p, vertex_t u, vertex_t v, edge_t e) {
    const u64 rank = random_rank(ends_of(u, v), u32(p.seed));
    return p.by_weight ? u64(~weight_order(ctx.graph.csr.values[e])) << 32 | rank : rank;
  }

  // True if v has an edge in the matching that comes before the edge with this key and these ends.
  GR_DEVICE static bool is_earlier(const Problem& p, vertex_t v, u64 key, u64 ends) {
    const vertex_t mate = p.mates[v];
    const u64 own = load_relaxed(&p.keys[v]);
    return mate >= 0 && (own < key || (own == key && ends_of(v, mate) < ends));
  }
};
