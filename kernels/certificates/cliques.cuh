// Certificate of a number of cliques: another count. Each clique is met at its first vertex by degree, in whose row the
// others stand one after the other. From each entry of a row a thread goes on to further ones that are neighbours of all
// that it has chosen, found by binary search, and back again.
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
    for_each_edge(ctx, lists, [&](vertex_t u, vertex_t, edge_t e) {
      if (!goes_on(lists, u, nullptr, 0, e)) return;
      const u64 count = cliques_from(lists, int(p.size) - 1, u, e);
      if (count) atomic_add(p.found, count);
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    if (ctx.rank() == 0) tally.require(u64(*p.total) == *p.found, COUNT, 0);
  }

 private:
  // The cliques of u and `size` vertices of its row, of which entry e is the first.
  GR_DEVICE static u64 cliques_from(const Csr& lists, int size, vertex_t u, edge_t e) {
    const edge_t end = lists.row(u).end();
    vertex_t chosen[MOST] = {lists.neighbor(e)};
    edge_t at[MOST];  // where the search for each vertex goes on
    at[1] = e + 1;
    u64 count = 0;
    for (int depth = 1; depth > 0;) {
      if (at[depth] == end) {
        --depth;
        continue;
      }
      const edge_t next = at[depth]++;
      if (!goes_on(lists, u, chosen, depth, next)) continue;
      if (depth + 1 == size) {
        ++count;
      } else {
        chosen[depth++] = lists.neighbor(next);
        at[depth] = next + 1;
      }
    }
    return count;
  }

  // True if the entry of u's row is no repetition, comes after u, and is a neighbour of all that are chosen.
  GR_DEVICE static bool goes_on(const Csr& lists, vertex_t u, const vertex_t* chosen, int depth, edge_t e) {
    const vertex_t w = lists.neighbor(e);
    if (e > lists.row_begin(u) && lists.neighbor(e - 1) == w) return false;
    if (!is_before(lists, u, w)) return false;
    for (int i = 0; i < depth; ++i)
      if (!is_neighbor(lists, chosen[i], w)) return false;
    return true;
  }
};
