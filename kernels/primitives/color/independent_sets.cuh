// Vertex coloring by independent sets, two per round. Of the vertices without a color, those whose random
// number is greater than all their uncolored neighbours' get one color, those whose number is smaller get
// another. Naumov and others (2015), csrcolor; Gunrock (Osama and others 2019). Fast if colors are few, but
// uses more of them than a greedy choice.
//
// Numbers are computed rather than stored. A round reads colors while it writes them: colors given in the same
// round count as none.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"

struct Problem {
  i32* colors;  // -1 at first
  i64 seed;
};

enum Seen : u32 { GREATER = 1, SMALLER = 2 };

struct Compare : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  i32 first;  // this round's colors are this and the next
  vertex_t reader = -1;
  u32 number = 0;
  GR_DEVICE Compare(const Problem& problem, i32 round) : p(problem), first(2 * round) {}

  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) {
    if (v != reader) {
      reader = v;
      number = random_number(v, u32(p.seed));
    }
    const i32 color = load_relaxed(&p.colors[u]);
    return u != v && (color < 0 || color >= first);
  }
  GR_DEVICE u32 value(vertex_t u, edge_t) {
    return random_number(u, u32(p.seed)) > number ? GREATER : SMALLER;
  }
  // Keeps the vertices that get neither color.
  GR_DEVICE bool finish(vertex_t v, u32 seen) {
    if (seen == (GREATER | SMALLER)) return true;
    store_relaxed(&p.colors[v], seen == GREATER ? first + 1 : first);
    return false;
  }
};

enum Phase { COLOR };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State& s) { return s.step > 0 && s.in.count > 0; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const bool all = s.step == 0;
    const Size size = all ? Size{u32(ctx.graph.n), u64(ctx.graph.m)} : s.in;
    ctx.show(COLOR, s.step, size);
    if (size.count == 0) return false;
    gather<Or, UsualTiers, V>(ctx, s, candidates(ctx, s, all), ctx.graph.csr,
                              Compare(p, i32(s.step)));
    return true;
  }
};
