// Certificate of strongly connected components, which are named by their smallest vertices. They are right if
//   - every vertex is reached from the one that names its component along edges within the component, and reaches it,
//     so that each component is a part of one;
//   - the components can be put in an order in which no edge leads back, so that no two are parts of the same.
// The names are where searches begin, along edges and against them. The trees that the first search leaves serve the
// order: a component has its turn once no edge enters it from components that have not had theirs; then its vertices
// follow each other down the tree. Whatever is on a cycle of components never has a turn.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* components;
  i32* parents;   // in the trees that lead from the names
  u32* marks;     // Mark bits; zero before
  u64* entering;  // of each name: the edges into its component whose tails have not had their turn; zero before
  i32* queue;     // vertices, in the order in which a search comes to them
  u64* found;     // how many a step has put there; a word each for three steps in turn, zero before
  u64* broken;
  i64* first;
};

enum Condition { NAME, UNREACHED, UNREACHING, CYCLE };
enum Mark : u32 { FROM_NAME = 1, TO_NAME = 2, HAD_TURN = 4 };

struct Enactor : WholeGridEnactor {
  enum Stage { CHECK_NAMES, BEGIN, SEARCH, COUNT, JUDGE };
  struct State : LoopState {
    i32 stage = CHECK_NAMES;
    u32 mark = FROM_NAME;  // what the search gives to those that it comes to
    i64 begin = 0, end = 0;  // of the queue's part that this step visits
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (ctx.rank() == 0) store_relaxed(&p.found[(s.step + 1) % 3], u64(0));
    if (s.stage == SEARCH) {
      s.begin = s.end;
      s.end += i64(load_relaxed(&p.found[(s.step + 2) % 3]));
      if (s.begin == s.end) end_search(s);
    }
    switch (s.stage) {
      case CHECK_NAMES:
        for_each_vertex(ctx, [&](vertex_t v) {
          const i32 name = p.components[v];
          tally.require(name >= 0 && name <= v && p.components[name] == name, NAME, v);
        });
        s.stage = BEGIN;
        break;
      case BEGIN:
        if (load_relaxed(&p.broken[NAME]) != 0) return false;  // names are indices from here on
        begin(ctx, p, s);
        break;
      case SEARCH: search(ctx, p, s); break;
      case COUNT:
        for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
          const i32 name = p.components[v];
          if (p.components[u] != name) atomic_add(&p.entering[name], u64(1));
        });
        s.stage = BEGIN;
        break;
      case JUDGE: {
        for_each_vertex(ctx, [&](vertex_t v) {
          tally.require((p.marks[v] & FROM_NAME) != 0, UNREACHED, v);
          tally.require((p.marks[v] & TO_NAME) != 0, UNREACHING, v);
          tally.require((p.marks[p.components[v]] & HAD_TURN) != 0, CYCLE, v);
        });
        return false;
      }
    }
    return true;
  }

 private:
  // Marks v, which must not have the mark, and puts it in the queue; false if another thread does.
  GR_DEVICE static bool come_to(const Problem& p, const State& s, vertex_t v) {
    if (load_relaxed(&p.marks[v]) & s.mark || atomic_or(&p.marks[v], s.mark) & s.mark) return false;
    store_relaxed(&p.queue[s.end + i64(atomic_add(&p.found[s.step % 3], u64(1)))], i32(v));
    return true;
  }

  // Begins a search, at names.
  GR_DEVICE static void begin(const Context& ctx, const Problem& p, State& s) {
    s.begin = s.end = 0;
    for_each_vertex(ctx, [&](vertex_t v) {
      if (p.components[v] == v && (s.mark != HAD_TURN || p.entering[v] == 0)) come_to(p, s, v);
    });
    s.stage = SEARCH;
  }

  GR_DEVICE static void end_search(State& s) {
    s.stage = s.mark == FROM_NAME ? BEGIN : s.mark == TO_NAME ? COUNT : JUDGE;
    s.mark = s.mark == FROM_NAME ? TO_NAME : HAD_TURN;
  }

  GR_DEVICE static void search(const Context& ctx, const Problem& p, const State& s) {
    const Csr& lists = s.mark == TO_NAME ? ctx.graph.reverse : ctx.graph.csr;
    for (i64 i = s.begin + ctx.rank() / WARP; i < s.end; i += ctx.threads() / WARP) {
      const vertex_t v = load_relaxed(&p.queue[i]);
      for_each_entry_of_warp(lists, v, [&](vertex_t u) {
        const bool inside = p.components[u] == p.components[v];
        if (s.mark == HAD_TURN) {
          const i32 name = p.components[u];
          if (inside ? p.parents[u] == v : atomic_add(&p.entering[name], ~u64(0)) == 1) come_to(p, s, inside ? u : name);
        } else if (inside && come_to(p, s, u) && s.mark == FROM_NAME) {
          p.parents[u] = v;
        }
      });
    }
  }
};
