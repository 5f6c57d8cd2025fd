// Connected components by hooking and pointer jumping: the papers' scheme. Soman (2010); Gunrock, section 5.4.
//
// Each edge of a frontier hooks the larger root under the smaller, and in every second round the smaller under
// the larger, by plain stores; the filter drops an edge once its ends agree. An edge that hooked is tested
// again, so the next round repairs a lost store. Between two rounds of hooking a filter on vertices jumps
// pointers: a vertex that is not next to its root gets its grandparent as its parent and stays in the frontier;
// the others leave. Meanwhile the edges wait in their own queue, so the vertices have two arrays of their own.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"

struct Problem {
  vertex_t* parents;  // v's parent, v itself at first
  vertex_t* sources;  // of each edge
  item_t* jumping;    // two arrays of n, in turn
};

// Keeps the vertices that may not be next to their root yet, and puts them under their grandparents. It does
// not matter which other jumps a thread sees: an ancestor stays one, and no root changes.
struct Jump : VertexFunctor {
  vertex_t* parents;
  GR_DEVICE explicit Jump(vertex_t* forest) : parents(forest) {}
  GR_DEVICE bool visit(item_t v) {
    const vertex_t parent = load_relaxed(&parents[v]), above = load_relaxed(&parents[parent]);
    if (parent == above) return false;
    store_relaxed(&parents[v], above);
    return true;
  }
};

// Keeps the edges whose ends have different roots, and hooks one under the other.
struct Hook : VertexFunctor {
  const Problem& p;
  const Csr& csr;
  bool once;  // use only one of the two directions of an undirected edge
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

// Passes over the whole graph, and a queue that outlives a step: not for a single block.
struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // measured in both forms: [D-gate-1]
  struct State : LoopState {
    i32 phase = HOOK;
    i32 round = 0;
    i32 jump = 0;            // of this round
    Size frontier = {0, 0};  // the edges left
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (ctx.graph.m == 0) {
      ctx.show(s.phase, s.round, ctx.graph.n, ctx.graph.m);
      return false;
    }
    if (s.phase == JUMP) {
      if (s.jump == 0) {
        s.frontier = s.in;  // the edges wait in the frontier of this round
        if (s.frontier.count == 0) {
          ctx.show(JUMP, s.round, 0, 0);
          return false;
        }
      }
      if (jump(ctx, p, control, s)) return true;
      s.phase = HOOK;  // all trees are stars
      s.jump = 0;
    }
    const i64 edges = s.round == 0 ? ctx.graph.m : i64(s.frontier.count);
    ctx.show(HOOK, s.round, edges, 0);
    if (ctx.rank() == 0) {
      ctx.count_edges(edges);
      clear(&jump_tails(control)[1]);  // the first queue that the coming jumps fill
    }
    const Csr& csr = ctx.graph.csr;
    const NextFrontier left = ctx.keep(s, s.round + 1);
    Hook hook(p, csr, !ctx.graph.directed(), s.round % 2 == 1);
    if (s.round == 0) filter<Kind::plain>(ctx, Range{ctx.graph.m}, left, csr, hook);
    else filter<Kind::plain>(ctx, members(ctx.kept(s.round, s.frontier)), left, csr, hook);
    ++s.round;
    s.phase = JUMP;
    return true;
  }

 private:
  // The tails of the queues of vertices, used in turn like a frontier's.
  GR_DEVICE static Tail* jump_tails(Control& control) {
    static_assert(TAILS * sizeof(Tail) <= sizeof(control.counters), "there is room for them");
    return (Tail*)control.counters;
  }

  // Jumps once over the vertices that are left; false if there are none.
  GR_DEVICE static bool jump(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    Tail* const tails = jump_tails(control);
    const i64 left = s.jump == 0 ? n : i64(unpack(load_relaxed(&tails[s.jump % 3].size)).count);
    if (left == 0) return false;
    ctx.show(JUMP, s.round, left, 0);
    Tail* const next = &tails[(s.jump + 1) % 3];
    if (ctx.rank() == 0) clear(&tails[(s.jump + 2) % 3]);
    const NextFrontier out{{p.jumping + (s.jump + 1) % 2 * n, nullptr, nullptr, u64(n)}, next};
    const item_t* const here = s.jump == 0 ? nullptr : p.jumping + s.jump % 2 * n;
    Jump functor(p.parents);
    filter<Kind::plain>(ctx, ListedOrRange<item_t>{here, left}, out, ctx.graph.csr, functor);
    ++s.jump;
    return true;
  }
};
