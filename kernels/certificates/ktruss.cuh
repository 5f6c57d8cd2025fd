// Certificate of trussness, from the rounds in which edges were removed. It is right if, for every edge,
//   - as many triangles as its trussness less two consist of edges of no smaller trussness, so that these form a
//     subgraph that shows it is no smaller;
//   - no more triangles than that consist of it and two later edges. Edges are in the order of their trussness; those
//     of equal trussness in that of their rounds, and then of their ends. Of any subgraph the first edge has all its
//     triangles with later ones, so that no trussness is greater.
// Whatever the rounds are, that is an order, if both entries of an edge have the same.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* trussness;  // of entries
  i32* rounds;
  u64* broken;
  i64* first;
};

enum Condition { LOOP, SIDES, FEW, MANY };

// An edge's place in the order, from one of its entries, which is in u's row and leads to v.
struct Place {
  i32 trussness, round;
  vertex_t low, high;
  GR_DEVICE Place(const Problem& p, vertex_t u, vertex_t v, edge_t e)
      : trussness(p.trussness[e]), round(p.rounds[e]), low(u < v ? u : v), high(u < v ? v : u) {}
  GR_DEVICE bool is_after(const Place& other) const {
    if (trussness != other.trussness) return trussness > other.trussness;
    if (round != other.round) return round > other.round;
    return low != other.low ? low > other.low : high > other.high;
  }
};

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    const Csr& lists = ctx.graph.csr;
    for_each_edge(ctx, lists, [&](vertex_t u, vertex_t v, edge_t e) {
      if (u == v) {
        tally.require(p.trussness[e] == 0, LOOP, u);
        return;
      }
      const edge_t own = entry_of(lists, u, v), other = entry_of(lists, v, u);
      tally.require(is_same(p, e, own) && other >= 0 && is_same(p, e, other), SIDES, u);
      if (u < v && e == own) count(lists, p, tally, u, v, e);
    });
  }

  GR_DEVICE static void judge(const Context&, const Problem&, const Tally&) {}

 private:
  GR_DEVICE static bool is_same(const Problem& p, edge_t one, edge_t other) {
    return p.trussness[one] == p.trussness[other] && p.rounds[one] == p.rounds[other];
  }

  GR_DEVICE static void count(const Csr& lists, const Problem& p, const Tally& tally, vertex_t u, vertex_t v,
                              edge_t e) {
    const Place place(p, u, v, e);
    const bool swap = lists.row(u).length > lists.row(v).length;
    const vertex_t from = swap ? v : u, to = swap ? u : v;
    i64 inner = 0, later = 0;
    for_each_first_entry(lists, from, [&](vertex_t w, edge_t a) {
      const edge_t b = w == to ? edge_t(-1) : entry_of(lists, to, w);
      if (b < 0) return;
      const Place one(p, from, w, a), two(p, to, w, b);
      inner += one.trussness >= place.trussness && two.trussness >= place.trussness;
      later += one.is_after(place) && two.is_after(place);
    });
    tally.require(inner >= i64(place.trussness) - 2, FEW, u);
    tally.require(later <= i64(place.trussness) - 2, MANY, u);
  }
};
