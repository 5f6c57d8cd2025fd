// Random walks: each follows out-edges at random, step by step. A thread takes one walk after the other, and many
// threads hide the time that it waits for a list.
//
// node2vec (Grover, Leskovec 2016) weighs an edge from v to u by the vertex before v: 1/p if it is u, 1 if it has an
// edge to u, otherwise 1/q. An edge is picked without regard to this and then accepted by chance, as often as it takes
// (KnightKing, SOSP'19): no table of pairs of edges is needed.
//
// Options: GR_WEIGHTED, picks by weight; GR_SECOND_ORDER, node2vec; GR_VISITS, counts visits and keeps no paths.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/find_entry.cuh"
#include "operators/pick.cuh"

struct Problem {
  vertex_t* starts;  // of consecutive walks, `each` from each; null: from every vertex
  i64 walks;
  i64 each;
  i64 length;
  u64 key;          // of the words that pick edges
  u64 restart_key;  // of the words that end a trip
  u64 restart;      // chances of 2^32: to go back to the start,
  u64 back;         // and to accept an edge to the vertex before,
  u64 near;         // to a neighbour of it,
  u64 far;          // or to any other
  u64* table;       // of the alias method; null without GR_WEIGHTED
  vertex_t* paths;  // length + 1 for each walk, -1 before: they stay after its end
  u64* visits;      // of vertices, zero before
};

enum Phase { WALK };

struct Walker {
  const Csr& lists;
  const Problem& p;

  // The vertex after v, which was reached from `before` (-1 at the start); -1 if no edge leads on.
  GR_DEVICE vertex_t next(vertex_t v, vertex_t before, u64 word) const {
#if GR_WEIGHTED
    const ByWeight pick{lists, p.table};
#else
    const Evenly pick{lists};
#endif
    for (u64 turn = 0;; turn += 2) {
      const edge_t e = pick(v, word_after(word, turn));
      if (e < 0) return -1;
      const vertex_t u = lists.neighbor(e);
#if GR_SECOND_ORDER
      if (before >= 0 && lists.row(v).length > 1 && !accepts(before, u, word_after(word, turn + 1))) continue;
#endif
      return u;
    }
  }

 private:
  GR_DEVICE bool accepts(vertex_t before, vertex_t u, u64 word) const {
    if (u == before) return happens(p.back, word);
    const bool if_near = happens(p.near, word), if_far = happens(p.far, word);
    return if_near == if_far || !is_entry_of(lists, before, u) ? if_far : if_near;  // mostly without a look at the list
  }
};

#if GR_VISITS
struct Path {
  const Problem& p;
  GR_DEVICE Path(const Problem& problem, i64) : p(problem) {}
  GR_DEVICE void add(vertex_t v) {
    if (v >= 0) atomic_add(&p.visits[v], u64(1));
  }
  GR_DEVICE void flush() {}
};
#else
// A walk's row. Vertices are written a few at a time, as a sector that waits for more of them is often written to
// memory in between.
struct Path {
  static constexpr int AT_ONCE = WARP > 1 ? 8 : 1;
  vertex_t* next;
  vertex_t kept[AT_ONCE];
  int count = 0;
  GR_DEVICE Path(const Problem& p, i64 walk) : next(p.paths + walk * (p.length + 1)) {}
  GR_DEVICE void add(vertex_t v) {
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)  // which stay in registers
      if (k == count) kept[k] = v;
    if (++count == AT_ONCE) flush();
  }
  GR_DEVICE void flush() {
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      if (k < count) next[k] = kept[k];
    next += count;
    count = 0;
  }
};
#endif

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(WALK, 0, p.walks, p.walks * p.length);
    const Walker walker{ctx.graph.csr, p};
    for_each_index(ctx, p.walks, [&](i64 walk) { follow(ctx.graph.csr, p, walk); });
    return true;
  }

 private:
  GR_DEVICE static void follow(const Csr& lists, const Problem& p, i64 walk) {
    const Walker walker{lists, p};
    const vertex_t start = p.starts ? p.starts[walk / p.each] : vertex_t(walk / p.each);
    Path path(p, walk);
    path.add(start);
    vertex_t v = start, before = -1;
    for (i64 t = 0; t < p.length && v >= 0; ++t) {
      const u64 number = u64(walk) * u64(p.length) + u64(t);
      vertex_t u = -1;
      const bool again = p.restart && happens(p.restart, random_word(p.restart_key, number));
      if (!again) u = walker.next(v, before, random_word(p.key, number));
      const bool returns = again || (u < 0 && p.restart);
      before = returns ? vertex_t(-1) : v;
      v = returns ? start : u;
      path.add(v);
    }
    path.flush();
  }
};
