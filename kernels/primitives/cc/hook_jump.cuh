// Connected components by hooking and pointer jumping: the papers' scheme. Soman (2010); Gunrock, section
// 5.4. A frontier of edges; each hooks the larger root under the smaller, in even rounds the smaller under
// the larger, by plain stores; the filter drops an edge once its ends agree. An edge that hooked is looked
// at again, so a lost store is made good in the next round.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "primitives/cc/forest.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first
  vertex_t* sources;  // of each edge
};

// Keeps the edges whose ends have different roots, and hooks one under the other.
struct Hook : VertexFunctor {
  const Problem& p;
  const Csr& csr;
  bool once;  // of the two directions of an undirected edge take one
  bool up;    // the smaller root under the larger

  GR_DEVICE Hook(const Problem& problem, const Csr& lists, bool undirected, bool upwards)
      : p(problem), csr(lists), once(undirected), up(upwards) {}
  GR_DEVICE bool visit(item_t e) {
    const vertex_t s = load_constant(&p.sources[e]), d = csr.neighbor(e);
    if (once && s > d) return false;
    const vertex_t a = load_relaxed(&p.parents[s]), b = load_relaxed(&p.parents[d]);
    if (a == b) return false;
    const vertex_t high = a < b ? b : a, low = a < b ? a : b;
    store_relaxed(&p.parents[up ? low : high], up ? high : low);
    return true;
  }
};

enum Phase { JUMP, HOOK };

struct Enactor {
  struct State : LoopState {
    i32 phase = HOOK;
    i32 round = 0;
    Size frontier = {0, 0};  // the edges left
  };

  // Passes over the whole graph, and a queue that outlives a step: nothing for one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (ctx.graph.m == 0) {
      ctx.show(s.phase, s.round, ctx.graph.n, ctx.graph.m);
      return false;
    }
    if (s.phase == JUMP) {  // all trees become stars; the edges wait in the frontier of this round
      s.frontier = s.in;
      ctx.show(JUMP, s.round, s.frontier.count ? ctx.graph.n : 0, 0);
      if (s.frontier.count == 0) return false;
      compress_all(ctx, p.parents);
      s.phase = HOOK;
      return true;
    }
    const i64 edges = s.round == 0 ? ctx.graph.m : i64(s.frontier.count);
    ctx.show(HOOK, s.round, edges, 0);
    if (ctx.rank() == 0) ctx.count_edges(edges);
    const Csr& csr = ctx.graph.csr;
    const NextFrontier left = ctx.keep(s, s.round + 1);
    Hook hook(p, csr, !ctx.graph.directed(), s.round % 2 == 1);
    if (s.round == 0) filter<Kind::plain>(ctx, Everyone{ctx.graph.m}, left, csr, hook);
    else filter<Kind::plain>(ctx, members(ctx.kept(s.round, s.frontier)), left, csr, hook);
    ++s.round;
    s.phase = JUMP;
    return true;
  }
};
