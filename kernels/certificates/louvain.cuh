// Certificate of communities: they are as reported if each level's are numbered from 0 without gaps and are
// unions of the previous level's, the last level's are the answer, and modularity (or CPM), computed again from the
// edges, is the reported one for each level, and rises (the host compares). That it is the highest possible
// cannot be proved. Leiden's are also connected: the smallest number that spreads along edges within a community from
// each of its vertices is that of one vertex. A loop counts as both directions of an edge. All sums are in 64-bit floats.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  vertex_t* levels;       // of every vertex, one level after the other
  i64 count;              // of levels
  vertex_t* communities;  // the answer
  double* strengths;      // of vertices: the weights over their edges' ends; zero before. Or, by size, 1 each
  i64 by_size;            // true for CPM
  double* totals;         // of communities: the sum of their vertices' strengths; zero before
  vertex_t* above;        // of a community: its community in the next level
  u32* there;             // true if a community has a vertex
  double* within;         // SLOTS for each level and the vertices by themselves: the weight of edges that have
                          //   their ends together from that level on; zero before
  double* squares;        // SLOTS for each: the sum of totals squared; zero before
  double* whole;          // SLOTS: the weight of all edges; zero before
  vertex_t* roots;        // of vertices, each itself before; null if communities need not be connected
  u32* flags;             // three words, zero before
  u64* broken;
  i64* first;
};

enum Condition { NUMBER, GAP, SPLIT, ANSWER, APART };

struct Enactor : WholeGridEnactor {
  enum { WALK, SQUARE, CLEAR, ADD, FINISH, CONNECT };
  struct State : LoopState {
    i32 phase = WALK;
    i64 level = 0;  // 0: every vertex by itself
  };

  GR_DEVICE static vertex_t label(const Context& ctx, const Problem& p, i64 level, vertex_t v) {
    return level == 0 ? v : p.levels[(level - 1) * ctx.graph.n + v];
  }

  // Adds up a thread's consecutive edges that contribute to the same word.
  struct Sum {
    const Context& ctx;
    double* target = nullptr;
    double held = 0;
    GR_DEVICE explicit Sum(const Context& context) : ctx(context) {}
    GR_DEVICE void add(double* to, double x) {
      if (to != target) flush();
      target = to;
      held += x;
    }
    GR_DEVICE void flush() {
      if (held != 0) atomic_add(target, held);
      held = 0;
    }
  };

  GR_DEVICE static void walk(const Context& ctx, const Problem& p) {
    const weight_t* const values = ctx.graph.csr.values;
    const i64 slot = ctx.rank() % SLOTS;
    Sum strength(ctx), within(ctx), whole(ctx);
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const double x = (values ? double(values[e]) : 1.0) * (u == v ? 2 : 1);
      if (!p.by_size) strength.add(&p.strengths[u], x);
      whole.add(&p.whole[slot], x);
      i64 level = 0;
      while (level <= p.count && label(ctx, p, level, u) != label(ctx, p, level, v)) ++level;
      if (level <= p.count) within.add(&p.within[level * SLOTS + slot], x);
    });
    strength.flush();
    within.flush();
    whole.flush();
  }

  // Passes on what is known to be the smallest number, and what that vertex knows.
  GR_DEVICE static void connect(const Context& ctx, const Problem& p, const Flag& changed) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (label(ctx, p, p.count, u) != label(ctx, p, p.count, v)) return;
      const vertex_t root = load_relaxed(&p.roots[load_relaxed(&p.roots[u])]);
      if (root >= load_relaxed(&p.roots[v])) return;
      atomic_min(&p.roots[v], root);
      changed.raise();
    });
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    const i64 n = ctx.graph.n, level = s.level;
    double* const squares = p.squares + level * SLOTS;
    switch (s.phase) {
      case WALK:
        walk(ctx, p);
        s.phase = SQUARE;
        break;
      case SQUARE: {
        const double* const totals = level == 0 ? p.strengths : p.totals;
        double mine = 0;
        for_each_vertex(ctx, [&](vertex_t c) {
          const double total = load_relaxed(&totals[c]);
          mine += total * total;
          if (level > 0 && c > 0)
            tally.require(!load_relaxed(&p.there[c]) || load_relaxed(&p.there[c - 1]), GAP, c);
          if (level > 0 && c == 0) tally.require(load_relaxed(&p.there[0]), GAP, 0);
        });
        add_to_slots(ctx, squares, mine);
        s.phase = level == p.count ? FINISH : CLEAR;
        ++s.level;
        break;
      }
      case CLEAR:
        for_each_vertex(ctx, [&](vertex_t c) {
          p.totals[c] = 0;
          p.above[c] = -1;
          p.there[c] = 0;
        });
        s.phase = ADD;
        break;
      case ADD:
        for_each_vertex(ctx, [&](vertex_t v) {
          const vertex_t community = label(ctx, p, level, v), before = label(ctx, p, level - 1, v);
          const bool is_number = community >= 0 && community < n;
          tally.require(is_number, NUMBER, v);
          if (!is_number || before < 0 || before >= n) return;
          atomic_add(&p.totals[community], p.strengths[v]);
          store_relaxed(&p.there[community], 1u);
          const vertex_t above = atomic_cas(&p.above[before], -1, community);
          tally.require(above == -1 || above == community, SPLIT, v);
        });
        s.phase = SQUARE;
        break;
      case FINISH:
        for_each_vertex(ctx, [&](vertex_t v) {
          tally.require(p.communities[v] == label(ctx, p, p.count, v), ANSWER, v);
          p.above[v] = -1;
        });
        if (!p.roots || load_relaxed(&p.broken[NUMBER]) != 0) return false;
        s.phase = CONNECT;
        break;
      case CONNECT: {
        const Flag changed{p.flags, s.step};
        if (s.level++ > p.count + 1 && !changed.was_raised()) {
          for_each_vertex(ctx, [&](vertex_t v) {
            if (p.roots[v] != v) return;
            tally.require(atomic_cas(&p.above[label(ctx, p, p.count, v)], -1, v) == -1, APART, v);
          });
          return false;
        }
        changed.clear_next(ctx);
        connect(ctx, p, changed);
        break;
      }
    }
    return true;
  }
};
