// Neighbourhood sampling, as graph learning has it (GraphSAGE, Hamilton and others 2017): of each vertex some edges out
// are drawn, then of each vertex that they newly reach, hop by hop. The sample is a graph of its own, whose vertices are
// numbered in the order in which they are first reached, seeds first.
//
// Whatever reaches a vertex has a slot: the seeds, then the drawn edges in order. A vertex belongs to the least of its
// slots. So numbers do not depend on which thread comes first. The slots of a hop are a layer, which takes two steps of a
// scan: the vertices that belong to its slots are counted, with the edges to be drawn of each, and then numbered, while
// the edges are drawn. A last step gives the ends of all edges by number.
//
// Options: GR_REPLACE, an edge may be drawn again; GR_WEIGHTED, by weight (needs GR_REPLACE).
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/draw.cuh"
#include "operators/scan.cuh"

struct Problem {
  vertex_t* reached;    // of slots: the seeds, then what edges lead to; in the end, of edges, its number
  u32* firsts;          // of each vertex: its least slot; of those that are no seeds NOWHERE before
  vertex_t* numbers;    // of each vertex in the sample
  vertex_t* vertices;   // of the sample, by number
  vertex_t* sources;    // of edges: the number of the vertex that they are drawn of
  edge_t* edges;        // their places in the graph's rows
  i64* vertex_offsets;  // the number of the first vertex of each layer; zero before, as the next one
  i64* edge_offsets;    // the first edge of each hop
  i64* fanouts;         // the edges wanted of each vertex, by hop
  i64 hops;
  i64 seeds;
  u64 key;
  u64* table;           // of the alias method; null without GR_WEIGHTED
  u64* sums;            // of a scan
};

constexpr u32 NOWHERE = ~u32(0);

enum Phase { COUNT, DRAW, NUMBER };

// The slots of a hop's edges, or of the seeds; vertices before them have numbers.
struct Layer {
  i64 hop;  // that is drawn of it
  i64 first;
  i64 slots;
  i64 numbered;

  GR_DEVICE static Layer of(const Problem& p, i64 hop) {
    if (hop == 0) return {0, 0, p.seeds, 0};
    const i64 begin = load_relaxed(&p.edge_offsets[hop - 1]), end = load_relaxed(&p.edge_offsets[hop]);
    return {hop, p.seeds + begin, end - begin, load_relaxed(&p.vertex_offsets[hop])};
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 hop = s.step / 2;
    if (hop <= p.hops) {
      const Layer layer = Layer::of(p, hop);
      ctx.show(s.step % 2 ? DRAW : COUNT, i32(hop), layer.slots, 0);
      if (s.step % 2) draw(ctx, p, layer);
      else sum_chunks(ctx, layer.slots, [&](i64 i) { return found_in(ctx, p, layer, i); }, p.sums);
      return true;
    }
    if (s.step % 2) return false;
    const i64 edges = load_relaxed(&p.edge_offsets[p.hops]);
    ctx.show(NUMBER, i32(p.hops), edges, 0);
    for_each_loaded<4>(ctx, edges, [&](i64 e) { return p.numbers[p.reached[p.seeds + e]]; },
                       [&](i64 e, vertex_t number) { p.reached[p.seeds + e] = number; });
    return true;
  }

 private:
#if GR_WEIGHTED
  GR_DEVICE static auto drawing(Context& ctx, const Problem& p) {
    return Repeated<ByWeight>{{ctx.graph.csr, p.table}, p.key};
  }
#elif GR_REPLACE
  GR_DEVICE static auto drawing(Context& ctx, const Problem& p) { return Repeated<Evenly>{{ctx.graph.csr}, p.key}; }
#else
  GR_DEVICE static auto drawing(Context& ctx, const Problem& p) { return Different{ctx.graph.csr, p.key}; }
#endif

  // What the layer's i-th slot finds: a vertex and the edges to be drawn of it, or nothing new. (A later slot of the
  // same vertex never changes this, so edges may be drawn meanwhile.)
  GR_DEVICE static u64 found_in(Context& ctx, const Problem& p, const Layer& layer, i64 i) {
    const vertex_t v = p.reached[layer.first + i];
    if (load_relaxed(&p.firsts[v]) != u32(layer.first + i)) return 0;
    return pack(1, layer.hop < p.hops ? u64(drawing(ctx, p).count(v, p.fanouts[layer.hop])) : 0);
  }

  GR_DEVICE static void draw(Context& ctx, const Problem& p, const Layer& layer) {
    const i64 first_edge = layer.first + layer.slots - p.seeds;
    const auto end = [&](Size at) {
      p.vertex_offsets[layer.hop + 1] = layer.numbered + at.count;
      if (layer.hop < p.hops) p.edge_offsets[layer.hop + 1] = first_edge + i64(at.edges);
    };
    if (layer.slots == 0 && ctx.rank() == 0) end({0, 0});
    scan_chunks(ctx, layer.slots, [&](i64 i) { return found_in(ctx, p, layer, i); }, p.sums,
                [&](i64 i, u64 before, u64 found) {
                  if (found) enter(ctx, p, p.reached[layer.first + i], layer.numbered + unpack(before).count,
                                   first_edge + i64(unpack(before).edges), i64(unpack(found).edges));
                  if (i == layer.slots - 1) end(unpack(before + found));
                });
  }

  // Numbers a vertex, and draws its edges.
  GR_DEVICE static void enter(Context& ctx, const Problem& p, vertex_t v, i64 number, i64 first_edge, i64 edges) {
    p.vertices[number] = v;
    p.numbers[v] = vertex_t(number);
    if (edges == 0) return;
    drawing(ctx, p).each(v, edges, p.edges + first_edge, [&](i64 place, edge_t, vertex_t u) {
      const i64 slot = p.seeds + first_edge + place;
      p.sources[first_edge + place] = vertex_t(number);
      p.reached[slot] = u;
      atomic_min(&p.firsts[u], u32(slot));
    });
    ctx.count_edges(edges);
  }
};
