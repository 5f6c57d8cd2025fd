// Certificate of random walks: each is walked again, by the same random words and without operators, and compared with
// its path, or counted as visits. A walk is a function of its seed, so there is one right answer.
#pragma once
#include "certificates/proof.cuh"
#include "math/random.cuh"

struct Problem {
  vertex_t* starts;
  i64 walks;
  i64 each;
  i64 length;
  u64 key;
  u64 restart_key;
  u64 restart;
  u64 back;
  u64 near;
  u64 far;
  u64* table;       // null if weights do not count
  vertex_t* paths;  // or null, and
  u64* visits;
  u64* counted;  // zero before
  u64* broken;
  i64* first;
};

enum Condition { STEP, VISITS };
constexpr u64 ALL = u64(1) << 32;

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (s.step == 0) {
      for (i64 walk = ctx.rank(); walk < p.walks; walk += ctx.threads()) walk_again(ctx.graph.csr, p, walk, tally);
      return true;
    }
    if (s.step == 1 && p.visits) {
      for_each_vertex(ctx, [&](vertex_t v) { tally.require(p.visits[v] == p.counted[v], VISITS, v); });
      return true;
    }
    return false;
  }

  GR_DEVICE static void walk_again(const Csr& lists, const Problem& p, i64 walk, const Tally& tally) {
    const vertex_t start = p.starts ? p.starts[walk / p.each] : vertex_t(walk / p.each);
    vertex_t here = start, before = -1;
    see(p, walk, 0, here, start, tally);
    for (i64 t = 0; t < p.length; ++t) {
      const u64 number = u64(walk) * u64(p.length) + u64(t);
      vertex_t after = here < 0 ? vertex_t(-1) : taken(lists, p, here, before, random_word(p.key, number));
      before = here;
      if (p.restart && (after < 0 || happens(p.restart, random_word(p.restart_key, number)))) {
        after = start;
        before = -1;
      }
      here = after;
      see(p, walk, t + 1, here, start, tally);
    }
  }

  GR_DEVICE static void see(const Problem& p, i64 walk, i64 t, vertex_t v, vertex_t start, const Tally& tally) {
    if (p.paths) tally.require(p.paths[walk * (p.length + 1) + t] == v, STEP, v >= 0 ? v : start);
    else if (v >= 0) atomic_add(&p.counted[v], u64(1));
  }

  GR_DEVICE static vertex_t taken(const Csr& lists, const Problem& p, vertex_t here, vertex_t before, u64 word) {
    const Row row = lists.row(here);
    for (u64 turn = 0;; turn += 2) {
      const edge_t e = picked(p, row, word_after(word, turn));
      if (e < 0) return -1;
      const vertex_t u = lists.neighbor(e);
      if (before < 0 || row.length == 1 || p.back + p.near + p.far == 3 * ALL) return u;
      const u64 chance = u == before ? p.back : is_neighbor(lists, before, u) ? p.near : p.far;
      if (happens(chance, word_after(word, turn + 1))) return u;
    }
  }

  GR_DEVICE static edge_t picked(const Problem& p, const Row& row, u64 word) {
    if (row.length == 0) return -1;
    const edge_t e = row.begin + edge_t(below(u64(row.length), word));
    if (!p.table) return e;
    const u64 turn = p.table[e];
    if (turn == ~u64(0)) return -1;
    return (mixed(word) >> 32) < (turn & 0xffffffffu) ? e : row.begin + edge_t(turn >> 32);
  }
};
