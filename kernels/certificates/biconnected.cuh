// Certificate of biconnected components, by a theorem that the primitive does not use (Tarjan and Vishkin, 1985). A search
// by levels from the roots makes a tree, whose vertices are numbered so that those below a vertex follow it. An edge to a
// parent is linked
//   - with the parent's own, if an edge leads from below the vertex to outside of what is below the parent;
//   - with another, if an edge outside the tree joins their lower ends.
// What is linked, step by step, is a component; any other edge is of that of either end. So components are right if links
// and edges are within them, and a search along links from one vertex of each comes to all. Cut vertices have edges to
// parents of several components, their own or their children's.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* components;  // of entries
  i32* roots;       // a vertex of each vertex's connected component
  u32* cut;         // 1 for cut vertices
  i32* parents;     // NONE before, as are the next five
  i32* names;       // of the edge to the parent: its component
  i32* lowest;      // component of the vertex's own edge and its children's (unsigned: NONE is the greatest)
  i32* highest;
  i32* leaders;     // of components: the least vertex whose edge to its parent is of it
  i32* numbers;     // at first of where the next child's numbers begin
  i32* begins;      // of the numbers of a vertex's children that have none yet
  i32* sizes;       // vertices below, and the vertex; 1 before
  i32* least;       // number of those that an edge outside the tree leads to from below, or itself
  i32* greatest;
  u32* marks;       // Mark bits; zero before
  i32* queue;       // vertices, in the order in which a search comes to them
  i32* starts;      // n + 1: where each level begins there; the first is 0
  u64* found;       // how many a step has put there; a word each for three steps in turn, zero before
  u64* broken;
  i64* first;
};

enum Condition { ROOT, NUMBER, APART, TOGETHER, CUT };
enum Mark : u32 { IN_TREE = 1, LINKED = 2 };
constexpr i32 NONE = -1;

struct Enactor : WholeGridEnactor {
  enum Stage { ROOTS, BEGIN, SEARCH, SIZES, NUMBERS, LOOK_OUT, FOLD, CHECK, LEAD, FOLLOW, JUDGE };
  struct State : LoopState {
    i32 stage = ROOTS;
    i32 level = 0, levels = 0;
    i64 begin = 0, end = 0;  // of the queue's part that this step visits
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (ctx.rank() == 0) store_relaxed(&p.found[(s.step + 1) % 3], u64(0));
    if (s.stage == SEARCH || s.stage == FOLLOW) {
      s.begin = s.end;
      s.end += i64(load_relaxed(&p.found[(s.step + 2) % 3]));
      if (s.begin == s.end) end_search(s);
    }
    switch (s.stage) {
      case ROOTS:
        for_each_vertex(ctx, [&](vertex_t v) {
          const i32 root = p.roots[v];
          tally.require(root >= 0 && root < ctx.graph.n && p.roots[root] == root, ROOT, v);
        });
        s.stage = BEGIN;
        break;
      case BEGIN:
        if (load_relaxed(&p.broken[ROOT]) != 0) return false;
        for_each_vertex(ctx, [&](vertex_t v) {
          if (p.roots[v] == v) come_to(p, s, IN_TREE, v);
        });
        s.stage = SEARCH;
        break;
      case SEARCH: search(ctx, p, tally, s); break;
      case SIZES:
        if (s.level > 0) {
          for_level(ctx, p, s, [&](vertex_t v) { atomic_add(&p.sizes[p.parents[v]], p.sizes[v]); });
          --s.level;
        } else {
          s.stage = NUMBERS;
        }
        break;
      case NUMBERS:
        for_level(ctx, p, s, [&](vertex_t v) {
          const i32 number = p.parents[v] == NONE ? 0 : atomic_add(&p.begins[p.parents[v]], p.sizes[v]);
          p.numbers[v] = p.least[v] = p.greatest[v] = number;
          p.begins[v] = number + 1;
        });
        if (++s.level < s.levels) break;
        s.stage = LOOK_OUT;
        s.level = s.levels - 1;
        break;
      case LOOK_OUT:
        look_out(ctx, p, tally);
        s.stage = FOLD;
        break;
      case FOLD:
        if (s.level > 0) {
          for_level(ctx, p, s, [&](vertex_t v) {
            atomic_min(&p.least[p.parents[v]], p.least[v]);
            atomic_max(&p.greatest[p.parents[v]], p.greatest[v]);
          });
          --s.level;
        } else {
          s.stage = CHECK;
        }
        break;
      case CHECK:
        if (load_relaxed(&p.broken[ROOT]) + load_relaxed(&p.broken[NUMBER]) != 0) return false;
        check(ctx, p, tally);
        s.stage = LEAD;
        break;
      case LEAD:
        s.begin = s.end = 0;
        for_each_vertex(ctx, [&](vertex_t v) {
          if (p.parents[v] != NONE && p.leaders[p.names[v]] == v) come_to(p, s, LINKED, v);
        });
        s.stage = FOLLOW;
        break;
      case FOLLOW: follow(ctx, p, s); break;
      case JUDGE:
        for_each_vertex(ctx, [&](vertex_t v) {
          tally.require(p.parents[v] == NONE || (p.marks[v] & LINKED) != 0, TOGETHER, v);
          tally.require(p.cut[v] == u32(p.lowest[v] != p.highest[v]), CUT, v);
        });
        return false;
    }
    return true;
  }

 private:
  // Marks v, and puts it in the queue, if no other thread has; true then.
  GR_DEVICE static bool come_to(const Problem& p, const State& s, u32 mark, vertex_t v) {
    if (load_relaxed(&p.marks[v]) & mark || atomic_or(&p.marks[v], mark) & mark) return false;
    store_relaxed(&p.queue[s.end + i64(atomic_add(&p.found[s.step % 3], u64(1)))], i32(v));
    return true;
  }

  GR_DEVICE static void end_search(State& s) {
    if (s.stage == SEARCH) s.levels = s.level;
    s.level = s.levels - 1;
    s.stage = s.stage == FOLLOW ? JUDGE : s.levels > 0 ? SIZES : CHECK;
  }

  // f(v, u) for the entries of the vertices that the search has just come to.
  template <class F>
  GR_DEVICE static void for_each_entry_ahead(const Context& ctx, const Problem& p, const State& s, F f) {
    for (i64 i = s.begin + ctx.rank() / WARP; i < s.end; i += ctx.threads() / WARP) {
      const vertex_t v = load_relaxed(&p.queue[i]);
      for_each_entry_of_warp(ctx.graph.csr, v, [&](vertex_t u) { f(v, u); });
    }
  }

  GR_DEVICE static void search(const Context& ctx, const Problem& p, const Tally& tally, State& s) {
    ++s.level;
    if (ctx.rank() == 0) store_relaxed(&p.starts[s.level], i32(s.end));
    for_each_entry_ahead(ctx, p, s, [&](vertex_t v, vertex_t u) {
      tally.require(p.roots[u] == p.roots[v], ROOT, v);
      if (come_to(p, s, IN_TREE, u)) p.parents[u] = v;
    });
  }

  template <class F>
  GR_DEVICE static void for_level(const Context& ctx, const Problem& p, const State& s, F f) {
    const i64 begin = load_relaxed(&p.starts[s.level]), end = load_relaxed(&p.starts[s.level + 1]);
    for (i64 i = begin + ctx.rank(); i < end; i += ctx.threads()) f(vertex_t(load_relaxed(&p.queue[i])));
  }

  GR_DEVICE static bool is_beside_tree(const Problem& p, vertex_t u, vertex_t v) {
    return u != v && p.parents[u] != v && p.parents[v] != u;
  }
  // True if an edge leads from below v to outside of what is below its parent.
  GR_DEVICE static bool is_linked_up(const Problem& p, vertex_t v) {
    const vertex_t parent = p.parents[v];
    const i32 first = p.numbers[parent];
    return p.least[v] < first || p.greatest[v] >= first + p.sizes[parent];
  }

  // Looks at the ends of edges outside the tree, and at the components of the tree's edges.
  GR_DEVICE static void look_out(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const i32 component = p.components[e];
      const bool fits = u == v ? component == NONE : component >= 0 && component < ctx.graph.n;
      tally.require(fits, NUMBER, u);
      if (!fits) return;
      if (is_beside_tree(p, u, v)) {
        atomic_min(&p.least[u], p.numbers[v]);
        atomic_max(&p.greatest[u], p.numbers[v]);
      } else if (u != v && p.parents[v] == u) {
        store_relaxed(&p.names[v], component);
      }
    });
    for_each_vertex(ctx, [&](vertex_t v) { tally.require((p.marks[v] & IN_TREE) != 0, ROOT, v); });
  }

  // Checks that what is linked is of one component; finds the components' leaders, and those next to a vertex.
  GR_DEVICE static void check(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (u == v) return;
      const i32 component = p.components[e];
      tally.require(p.parents[u] == v || component == p.names[v], APART, u);
      tally.require(p.parents[v] == u || component == p.names[u], APART, u);
    });
    for_each_vertex(ctx, [&](vertex_t v) {
      const vertex_t parent = p.parents[v];
      if (parent == NONE) return;
      const i32 name = p.names[v];
      if (is_linked_up(p, v)) tally.require(name == p.names[parent], APART, v);
      atomic_min((u32*)&p.leaders[name], u32(v));
      note(p, v, name);
      note(p, parent, name);
    });
  }

  // Notes a component that v has edges of.
  GR_DEVICE static void note(const Problem& p, vertex_t v, i32 component) {
    atomic_min((u32*)&p.lowest[v], u32(component));
    atomic_max(&p.highest[v], component);
  }

  GR_DEVICE static void follow(const Context& ctx, const Problem& p, const State& s) {
    for_each_entry_ahead(ctx, p, s, [&](vertex_t v, vertex_t u) {
      if (u == v) return;
      const bool linked = is_beside_tree(p, u, v) || is_linked_up(p, p.parents[v] == u ? v : u);
      if (linked) come_to(p, s, LINKED, u);
    });
  }
};
