// Certificate of a number of cliques: another count. From each edge a thread goes on to later vertices of the first
// end's row that are neighbours of all that it has chosen, found by binary search, one after the other and back again.
// Later is by degree, then by number, so each clique is met once.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i64 size;    // vertices of a clique, 3 to MOST
  i64* total;  // the claim
  u64* found;  // zero before
  u64* broken;
  i64* first;
};

enum Condition { COUNT };

constexpr int MOST = 8;

GR_DEVICE bool is_before(const Csr& lists, vertex_t u, vertex_t v) {
  const edge_t own = lists.row(u).length, other = lists.row(v).length;
  return own < other || (own == other && u < v);
}

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally&) {
    const Csr& lists = ctx.graph.csr;
    for_each_edge(ctx, lists, [&](vertex_t u, vertex_t v, edge_t e) {
      const bool again = e > lists.row_begin(u) && lists.neighbor(e - 1) == v;
      if (again || u == v || !is_before(lists, u, v)) return;
      const u64 count = cliques_from(lists, int(p.size), u, v);
      if (count) atomic_add(p.found, count);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    if (ctx.rank() == 0) tally.require(u64(*p.total) == *p.found, COUNT, 0);
  }

 private:
  // The cliques whose first two vertices are these.
  GR_DEVICE static u64 cliques_from(const Csr& lists, int size, vertex_t u, vertex_t v) {
    const Row row = lists.row(u);
    vertex_t chosen[MOST] = {u, v};
    edge_t at[MOST];  // where the search for each vertex goes on
    u64 count = 0;
    int depth = 2;
    at[2] = row.begin;
    while (depth >= 2) {
      if (at[depth] == row.end()) {
        --depth;
        continue;
      }
      const edge_t e = at[depth]++;
      if (!goes_on(lists, row, chosen, depth, e)) continue;
      if (depth + 1 == size) {
        ++count;
      } else {
        chosen[depth++] = lists.neighbor(e);
        at[depth] = row.begin;
      }
    }
    return count;
  }

  GR_DEVICE static bool goes_on(const Csr& lists, const Row& row, const vertex_t (&chosen)[MOST], int depth, edge_t e) {
    const vertex_t w = lists.neighbor(e);
    if (e > row.begin && lists.neighbor(e - 1) == w) return false;
    if (!is_before(lists, chosen[depth - 1], w)) return false;
    for (int i = 1; i < depth; ++i)
      if (!is_neighbor(lists, chosen[i], w)) return false;
    return true;
  }
};
