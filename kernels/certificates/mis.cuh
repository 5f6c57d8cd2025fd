// A set of vertices is independent and maximal if and only if no edge has both ends in it and every vertex
// outside has a neighbour in it. Loops do not count. (Which of these sets it is does not matter.)
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* members;   // 1 in the set, 0 outside
  u32* adjacent;  // to a member; zero before
  u64* broken;
  i64* first;
};

enum Condition { MEMBER, CLASH, ROOM };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (s.step == 0) {
      for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t) {
        if (u == v || p.members[u] != 1) return;
        tally.require(p.members[v] != 1, CLASH, v);
        store_relaxed(&p.adjacent[v], 1u);
      });
      return true;
    }
    if (s.step == 1) {
      for_each_vertex(ctx, [&](vertex_t v) {
        const i32 member = p.members[v];
        tally.require(member == 0 || member == 1, MEMBER, v);
        tally.require(member == 1 || p.adjacent[v] != 0, ROOM, v);
      });
      return true;
    }
    return false;
  }
};
