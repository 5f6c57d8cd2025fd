// Certificate of neighbourhood samples: edges are drawn again, by the same random words and without operators, and
// vertices have to be numbered in the order of the edges that first reach them. So there is one right answer.
#pragma once
#include "certificates/proof.cuh"
#include "math/random.cuh"

struct Problem {
  vertex_t* seeds;
  i64 seed_count;
  vertex_t* vertices;  // the answer: of the sample
  i64 count;
  vertex_t* sources;
  vertex_t* targets;
  i64* edges;
  i64 edge_count;
  i64* vertex_offsets;
  i64* edge_offsets;
  i64* fanouts;
  i64 hops;
  u64 key;
  u64* table;       // null if weights do not count
  i64 replace;
  i64* numbers;     // of the graph's vertices; -1 before
  i64* counted;     // edges of each vertex of the sample; zero before
  i64* reached_by;  // its first edge; the greatest number before
  u64* broken;
  i64* first;
};

enum Condition { VERTEX, OFFSETS, EDGE, COUNT, DRAW, ORDER };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    const Csr& lists = ctx.graph.csr;
    if (s.step == 0) {
      for (i64 i = ctx.rank(); i < p.count; i += ctx.threads()) look_at_vertex(ctx, p, i, tally);
      for (i64 e = ctx.rank(); e < p.edge_count; e += ctx.threads()) look_at_edge(ctx, p, e, tally);
      if (ctx.rank() == 0) look_at_offsets(p, tally);
      return true;
    }
    if (s.step == 1) {
      for (i64 i = ctx.rank(); i < p.count; i += ctx.threads()) judge(ctx, p, i, tally);
      for (i64 e = ctx.rank(); e < p.edge_count; e += ctx.threads())
        if (is_known(ctx, p, e) && (e == 0 || p.sources[e - 1] != p.sources[e])) draw_again(lists, p, e, tally);
      return true;
    }
    return false;
  }

 private:
  GR_DEVICE static bool is_vertex(const Context& ctx, i64 v) { return v >= 0 && v < ctx.graph.n; }
  // True if an edge's ends are vertices of the sample, and of the graph.
  GR_DEVICE static bool is_known(const Context& ctx, const Problem& p, i64 e) {
    const i64 source = p.sources[e], target = p.targets[e];
    return source >= 0 && source < p.count && target >= 0 && target < p.count && is_vertex(ctx, p.vertices[source]) &&
           is_vertex(ctx, p.vertices[target]);
  }
  // The part that an index is in, of those that begin at offsets[0], offsets[1], ...
  GR_DEVICE static i64 part_of(const i64* offsets, i64 parts, i64 index) {
    i64 part = 0;
    while (part + 1 < parts && index >= offsets[part + 1]) ++part;
    return part;
  }

  GR_DEVICE static void look_at_offsets(const Problem& p, const Tally& tally) {
    bool right = p.vertex_offsets[0] == 0 && p.vertex_offsets[1] == p.seed_count && p.edge_offsets[0] == 0 &&
                 p.vertex_offsets[p.hops + 1] == p.count && p.edge_offsets[p.hops] == p.edge_count;
    for (i64 hop = 0; hop < p.hops; ++hop)
      right &= p.edge_offsets[hop] <= p.edge_offsets[hop + 1] && p.vertex_offsets[hop + 1] <= p.vertex_offsets[hop + 2];
    tally.require(right, OFFSETS, 0);
  }

  GR_DEVICE static void look_at_vertex(const Context& ctx, const Problem& p, i64 i, const Tally& tally) {
    const vertex_t v = p.vertices[i];
    const bool is_new = is_vertex(ctx, v) && atomic_exchange((u64*)&p.numbers[v], u64(i)) == ~u64(0);
    tally.require(is_new && (i >= p.seed_count || v == p.seeds[i]), VERTEX, is_vertex(ctx, v) ? v : 0);
  }

  GR_DEVICE static void look_at_edge(const Context& ctx, const Problem& p, i64 e, const Tally& tally) {
    if (!is_known(ctx, p, e)) return tally.require(false, EDGE, 0);
    const vertex_t v = p.vertices[p.sources[e]];
    const Row row = ctx.graph.csr.row(v);
    const i64 entry = p.edges[e];
    const bool is_of_v = entry >= i64(row.begin) && entry < i64(row.end());
    tally.require(is_of_v && ctx.graph.csr.neighbor(edge_t(entry)) == p.vertices[p.targets[e]], EDGE, v);
    tally.require(e == 0 || p.sources[e - 1] <= p.sources[e], DRAW, v);
    const i64 hop = part_of(p.edge_offsets, p.hops, e);
    tally.require(hop == part_of(p.vertex_offsets, p.hops + 1, p.sources[e]), OFFSETS, v);
    atomic_add((u64*)&p.counted[p.sources[e]], u64(1));
    atomic_min((u64*)&p.reached_by[p.targets[e]], u64(e));
  }

  // Vertices have the edges that they should, and their place.
  GR_DEVICE static void judge(const Context& ctx, const Problem& p, i64 i, const Tally& tally) {
    const vertex_t v = p.vertices[i];
    if (!is_vertex(ctx, v)) return;
    const i64 layer = part_of(p.vertex_offsets, p.hops + 1, i);
    tally.require(p.counted[i] == (layer < p.hops ? wanted(ctx.graph.csr, p, v, p.fanouts[layer]) : 0), COUNT, v);
    if (i < p.seed_count) return;
    const i64 by = p.reached_by[i];
    const bool is_later = i == p.seed_count || p.reached_by[i - 1] < by;
    tally.require(by < p.edge_count && is_later && part_of(p.edge_offsets, p.hops, by) + 1 == layer, ORDER, v);
  }

  GR_DEVICE static i64 wanted(const Csr& lists, const Problem& p, vertex_t v, i64 fanout) {
    const Row row = lists.row(v);
    if (row.length == 0 || (p.table && p.table[row.begin] == ~u64(0))) return 0;
    return p.replace || fanout < i64(row.length) ? fanout : i64(row.length);
  }

  // All edges of the vertex that edge `begin` is the first of.
  GR_DEVICE static void draw_again(const Csr& lists, const Problem& p, i64 begin, const Tally& tally) {
    const vertex_t number = p.sources[begin], v = p.vertices[number];
    const i64 count = p.counted[number];
    for (i64 j = 0; j < count && begin + j < p.edge_count; ++j) {
      const u64 word = random_word(p.key, u64(v) << 32 | u64(j));
      const edge_t e = p.replace ? picked(p, lists.row(v), word) : added(p, lists.row(v), begin, j, count, word);
      tally.require(p.edges[begin + j] == i64(e), DRAW, v);
    }
  }

  GR_DEVICE static edge_t added(const Problem& p, const Row& row, i64 begin, i64 j, i64 count, u64 word) {
    const i64 last = i64(row.length) - count + j;
    if (i64(row.length) <= count) return row.begin + edge_t(j);
    const i64 entry = i64(row.begin) + i64(below(u64(last) + 1, word));
    for (i64 i = 0; i < j; ++i)
      if (p.edges[begin + i] == entry) return row.begin + edge_t(last);
    return edge_t(entry);
  }

  GR_DEVICE static edge_t picked(const Problem& p, const Row& row, u64 word) {
    const edge_t e = row.begin + edge_t(below(u64(row.length), word));
    if (!p.table) return e;
    const u64 turn = p.table[e];
    return (mixed(word) >> 32) < (turn & 0xffffffffu) ? e : row.begin + edge_t(turn >> 32);
  }
};
