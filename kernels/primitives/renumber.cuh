// A graph's lists after its vertices are renumbered: row i becomes the row of vertex order[i], and neighbours
// get their new numbers. Within a list the entries keep their order.
#pragma once
#include "core/enactor.cuh"
#include "operators/gather.cuh"

struct Problem {
  vertex_t* order;    // of each row: its vertex
  i64 count;          // of rows
  vertex_t* numbers;  // of each vertex: its number as an entry
  edge_t* shifts;     // for each vertex that has a row: by how much its list's begin moves
  vertex_t* columns;  // the entries, in their new places
};

struct Move : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  GR_DEVICE explicit Move(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) {
    p.columns[load_constant(&p.shifts[v]) + e] = load_constant(&p.numbers[u]);
    return false;  // there is nothing to fold
  }
  GR_DEVICE bool finish(vertex_t, i64) { return false; }
};

enum Phase { MOVE };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(MOVE, 0, p.count, ctx.graph.m);
    // By number, which is by length or nearly so: the threads of a warp have equal work.
    gather<Sum<i32>, Tiers<32, 4096, 8, SECTOR>>(ctx, s, Listed<vertex_t>{p.order, p.count},
                                               ctx.graph.reverse, Move(p));
    return false;
  }
};
