// Components, named by their smallest vertices, are right if and only if they are what another way
// finds: minimum labels along the edges and pointer jumping, until nothing changes (Shiloach and Vishkin
// 1982, without its care for a bound on the rounds). Roots only ever get smaller, and the smallest vertex
// of a component stays its own root, so what is left is its name.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* components;
  i32* roots;  // each vertex itself before
  u32* flags;  // three words, zero before
  u64* broken;
  i64* first;
};

enum Condition { SPLIT, NAME };

struct Enactor {
  enum Stage { HOOK, JUMP, JUDGE, DONE };
  struct State : LoopState {
    i32 stage = HOOK;
    bool first = true;   // the first pass over the edges
    bool jumped = false;  // since the last one
    bool hooked = false;  // in the last one
  };

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    const Flag changed{p.flags, s.step};
    if (s.stage == JUMP) {
      if (!s.jumped) s.hooked = changed.was_raised();
      if (s.jumped && !changed.was_raised()) s.stage = s.hooked ? HOOK : JUDGE;
    }
    changed.clear_next(ctx);
    if (s.stage == HOOK) {
      hook(ctx, p, s.first, changed, tally);
      s.first = s.jumped = false;
      s.stage = JUMP;
    } else if (s.stage == JUMP) {
      jump(ctx, p, changed);
      s.jumped = true;
    } else if (s.stage == JUDGE) {
      for_each_vertex(ctx, [&](vertex_t v) { tally.require(p.components[v] == p.roots[v], NAME, v); });
      s.stage = DONE;
    } else {
      return false;
    }
    return true;
  }

 private:
  static constexpr int HOPS = 32;  // of one thread in one pass: a chain may be as long as the graph

  // The larger of two roots goes under the smaller.
  GR_DEVICE static void hook(const Context& ctx, const Problem& p, bool first, const Flag& changed,
                             const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (first) tally.require(p.components[u] == p.components[v], SPLIT, v);
      const i32 a = load_relaxed(&p.roots[u]), b = load_relaxed(&p.roots[v]);
      if (a == b) return;
      atomic_min(&p.roots[a < b ? b : a], a < b ? a : b);
      changed.raise();
    });
  }

  // Every vertex towards the root of its tree; raised where that may not be reached yet.
  GR_DEVICE static void jump(const Context& ctx, const Problem& p, const Flag& changed) {
    for_each_vertex(ctx, [&](vertex_t v) {
      i32 root = load_relaxed(&p.roots[v]), above = root;
      for (int hop = 0; hop < HOPS; ++hop) {
        above = load_relaxed(&p.roots[root]);
        if (above == root) break;
        root = above;
      }
      atomic_min(&p.roots[v], root);
      if (load_relaxed(&p.roots[root]) != root) changed.raise();
    });
  }
};
