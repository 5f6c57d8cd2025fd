// Certificate of components, which are named by their smallest vertices. If no edge joins two of them, each is
// a union of components. That each is a single one is shown by trees that grow along edges: the larger of two
// roots is hooked under the smaller, and every vertex is led to its root (Shiloach and Vishkin 1982, without
// the care that bounds the rounds). Roots only get smaller: if a vertex's root is its component's name, edges
// lead there, and no vertex of the component is smaller. It does not matter which edges did it. A few edges of
// each vertex suffice for most; then come all edges of the vertices not yet led to their names, until nothing
// changes. Any vertex that is still elsewhere has a wrong name.
//
// Several devices do this one after the other, each with the trees of the previous device and the edges of its
// own vertices; the last device judges. A vertex that is not led to its name in the end never was, so its owner
// has joined all of its edges.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* components;
  i32* roots;  // each vertex itself before; or the previous device's
  u32* flags;  // three words, zero before
  i64 directed;  // true if an edge may be listed at only one of its ends
  u64* broken;
  i64* first;
};

enum Condition { SPLIT, NAME };

struct Enactor : WholeGridEnactor {
  enum Stage { AGREE, HOOK, JUMP, JUDGE, DONE };
  struct State : LoopState {
    i32 stage = AGREE;
    i32 hooks = 0;        // passes so far
    bool jumped = false;  // since the last pass
    bool hooked = false;  // in the last pass
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    const Flag changed{p.flags, s.step};
    if (s.stage == JUMP) {
      if (!s.jumped) s.hooked = changed.was_raised() || s.hooks <= FEW;
      if (s.jumped && !changed.was_raised()) s.stage = s.hooked ? HOOK : JUDGE;
    }
    changed.clear_next(ctx);
    if (s.stage == AGREE) {
      for_each_link(ctx, [&](vertex_t u, vertex_t v, edge_t) {
        tally.require(p.components[u] == p.components[v], SPLIT, v);
      });
      s.stage = HOOK;
    } else if (s.stage == HOOK) {
      if (s.hooks < FEW) hook_one(ctx, p, s.hooks, changed);
      else hook_open(ctx, p, changed);
      ++s.hooks;
      s.jumped = false;
      s.stage = JUMP;
    } else if (s.stage == JUMP) {
      jump(ctx, p, changed);
      s.jumped = true;
    } else if (s.stage == JUDGE) {
      if (ctx.peers.device + 1 == ctx.peers.devices)
        for_each_vertex(ctx, [&](vertex_t v) { tally.require(p.components[v] == p.roots[v], NAME, v); });
      s.stage = DONE;
    } else {
      return false;
    }
    return true;
  }

 private:
  static constexpr int FEW = 2;    // edges of each vertex in the first passes
  static constexpr int HOPS = 32;  // hops of a thread in one pass: a chain may be as long as the graph

  // Hooks the larger of two roots under the smaller.
  GR_DEVICE static void join(const Problem& p, vertex_t u, vertex_t v, const Flag& changed) {
    const i32 a = load_relaxed(&p.roots[u]), b = load_relaxed(&p.roots[v]);
    if (a == b) return;
    atomic_min(&p.roots[a < b ? b : a], a < b ? a : b);
    changed.raise();
  }
  // Joins along one edge of every vertex, its `number`-th.
  GR_DEVICE static void hook_one(const Context& ctx, const Problem& p, i32 number, const Flag& changed) {
    const Csr& lists = ctx.graph.csr;
    for_each_own(ctx, [&](vertex_t u) {
      const Row row = lists.row(u);
      if (number < row.length) join(p, u, lists.neighbor(row.begin + number), changed);
    });
  }
  GR_DEVICE static bool is_open(const Problem& p, vertex_t v) {
    return load_relaxed(&p.roots[v]) != p.components[v];
  }
  // Joins along all edges of the vertices that are not led to their names yet.
  GR_DEVICE static void hook_open(const Context& ctx, const Problem& p, const Flag& changed) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
      if (is_open(p, u) || (p.directed && is_open(p, v))) join(p, u, v, changed);
    });
  }

  // Moves every vertex towards its tree's root; raises the flag if a vertex may not be there yet.
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
