// Connected components, weakly connected for a directed graph, from samples. Afforest (Sutton, 2018);
// ECL-CC (Jaiganesh, 2018). Gunrock, section 5.4.
//
// Two vertices whose trees have one root are known to be connected (forest.cuh). Roots are hooked onto
// others along edges, and trees compressed: every vertex walks to its root. Most edges of most graphs lie
// within one component, found from a few edges per vertex:
//   1. GRAFT: each vertex links itself under its first neighbour, if that is smaller. It writes its own
//      cell only, so no atomic is needed.
//   2. LINK, while the sampled edges' ends are not nearly all in one component: link the root of
//      every vertex and that of its next neighbour under one another.
//   3. REST filters out the vertices of the commonest component, FINISH advances from those that are
//      left. An edge between two components has an end outside the commonest, and is seen from there:
//      along out-edges, then, if directed, along in-edges.
// Roots go under those of smaller rank only: no cycles. Ranks are the vertices' numbers (hubs come first
// in many graphs, and make trees flat), or scattered (GR_RANDOM_LINKS): numbers that follow the paths of
// a mesh make paths of its trees, scattered ones keep them short (randomized linking; Goel and others,
// 2014).
// Without sampling every vertex grafts itself under its neighbour of smallest rank, and UNITE goes
// through all edges, a list by a thread, or FINISH where lists are long.
// Options: GR_RANDOM_LINKS.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/sample.cuh"
#include "primitives/cc/forest.cuh"
#include "primitives/commonest_root.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first
  i64 sampling;
};

// --- functors -------------------------------------------------------------------------------------
// The neighbour of smallest rank; -1 where there is none.
struct LeastRank : Plain<LeastRank, vertex_t> {
  GR_DEVICE static vertex_t zero() { return -1; }
  GR_DEVICE static void join(vertex_t& a, vertex_t b) {
    if (a < 0 || (b >= 0 && comes_before(b, a))) a = b;
  }
};

// Every vertex goes under its neighbour of smallest rank, or stays.
struct Graft : GatherFunctor {
  static constexpr bool PEEKS = true;
  vertex_t* parents;
  GR_DEVICE explicit Graft(vertex_t* forest) : parents(forest) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return comes_before(u, v); }
  GR_DEVICE vertex_t value(vertex_t u, edge_t) { return u; }
  GR_DEVICE bool finish(vertex_t v, vertex_t least) {
    if (least >= 0) store_relaxed(&parents[v], least);
    return false;
  }
};

// The ends of all edges. Of the two directions of an undirected edge that to the smaller end is taken:
// lists are sorted, and the first larger neighbour ends the search.
struct Unite : GatherFunctor {
  static constexpr bool PEEKS = true;
  vertex_t* parents;
  bool directed;
  GR_DEVICE Unite(vertex_t* forest, bool both) : parents(forest), directed(both) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) {
    if (!directed && u >= v) return true;
    unite(parents, u, v);
    return false;
  }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t, const Entry&) { return false; }
};

// Keeps the vertices of other components than `common` that have a list.
struct OutsideCommon : VertexFunctor {
  const Problem& p;
  const Csr& lists;
  vertex_t common;
  GR_DEVICE OutsideCommon(const Problem& problem, const Csr& csr, vertex_t root)
      : p(problem), lists(csr), common(root) {}
  GR_DEVICE bool visit(item_t v) {
    return load_relaxed(&p.parents[v]) != common && lists.row(v).length > 0;
  }
};

struct Link : EdgeFunctor {  // keeps no edge: no frontier comes of it
  const Problem& p;
  GR_DEVICE explicit Link(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t) {
    return load_relaxed(&p.parents[s]) != load_relaxed(&p.parents[d]);
  }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    unite(p.parents, s, d);
    return false;
  }
};

// The same without a frontier in between, of a core: in order, each list as it is come to.
struct LinkOutsideCommon : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  vertex_t* parents;
  vertex_t common;
  bool found = false;  // any that are outside
  GR_DEVICE LinkOutsideCommon(vertex_t* forest, vertex_t root) : parents(forest), common(root) {}
  GR_DEVICE bool wants(vertex_t v) { return load_relaxed(&parents[v]) != common; }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) {
    unite(parents, u, v);
    return false;
  }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t, const Entry&) {
    found = true;
    return false;
  }
};

// --- sampling -----------------------------------------------------------------------------------
constexpr int ENOUGH = 30;      // samples of one component: the rest may be visited edge by edge
constexpr int LINK_ROUNDS = 2;  // at most

// --- the enactor --------------------------------------------------------------------------------
constexpr i64 THREAD_MAX = 64;  // longest list of a graph whose lists are left to threads

enum Phase { GRAFT, COMPRESS, LINK, REST, FINISH, UNITE };

struct Enactor {
  struct State : LoopState {
    i32 phase = GRAFT;
    i32 round = 0;
    vertex_t common = -1;    // root of the component that REST leaves out
    bool inward = false;     // REST and FINISH are about in-edges
    bool last = false;       // compress, and that is all
  };

  // Passes over the whole graph, and a queue that outlives a step: nothing for one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(s.phase, s.round, ctx.graph.n, ctx.graph.m);
    if (ctx.graph.m == 0) return false;
    const Csr& csr = ctx.graph.csr;
    const bool directed = ctx.graph.directed();
    const Csr& lists = s.inward ? ctx.graph.reverse : csr;
    Sample sample;

    switch (s.phase) {
      case GRAFT:
        if (!p.sampling && csr.max_degree <= THREAD_MAX) {
          gather<LeastRank, ByThread<4>>(ctx, s, Range{ctx.graph.n}, csr, Graft(p.parents));
          s.phase = UNITE;
          break;
        }
        for_each_neighbor_at(ctx, csr, 0, [&](vertex_t v, vertex_t u) {
          if (comes_before(u, v)) store_relaxed(&p.parents[v], graft_at(p.parents, u));
        });
        s.phase = p.sampling ? COMPRESS : REST;  // of no component, so the rest is everything
        break;
      case UNITE:
        // One entry at a time: several edges at once in a thread are slower [D-cc-4].
        gather<First, ByThread<1>>(ctx, s, Range{ctx.graph.n}, csr, Unite(p.parents, directed));
        s.last = true;
        s.phase = COMPRESS;
        break;
      case COMPRESS:
        ctx.show(COMPRESS, s.round, ctx.graph.n, 0);
        if constexpr (WARP == 1) {  // nothing was outside: all are compressed
          if (s.last && p.sampling && !load_relaxed(&control.counters[0])) return false;
        }
        compress_all(ctx, p.parents);
        if (s.last) return false;
        sample = commonest(ctx, p.parents);
        s.common = sample.root;
        s.phase = sample.count >= ENOUGH || ++s.round > LINK_ROUNDS ? REST : LINK;
        break;
      case LINK:
        for_each_neighbor_at(ctx, csr, s.round,
                             [&](vertex_t v, vertex_t u) { link_stars(p.parents, v, u); });
        s.phase = COMPRESS;
        break;
      case REST: {
        ctx.show(REST, s.round, ctx.graph.n, 0);
        if constexpr (WARP == 1) {
          if (p.sampling) {
            link_rest(ctx, p, control, s, lists);
            break;
          }
        }
        filter<V>(ctx, s, Range{ctx.graph.n}, lists, OutsideCommon(p, lists, s.common));
        s.phase = FINISH;
        break;
      }
      case FINISH: {
        ctx.show(FINISH, s.round, s.in);
        if (s.in.count == 0 && !directed) return false;
        advance<V>(ctx, s, lists, Link(p));
        s.last = s.inward || !directed;
        s.inward = true;
        s.phase = s.last ? COMPRESS : REST;
        break;
      }
    }
    return true;
  }

 private:
  GR_DEVICE static void link_rest(Context& ctx, const Problem& p, Control& control, State& s,
                                  const Csr& lists) {
    LinkOutsideCommon rest(p.parents, s.common);
    gather<First, ByThread<1>>(ctx, s, Range{ctx.graph.n}, lists, rest);
    if (rest.found) store_relaxed(&control.counters[0], u64(1));
    s.last = s.inward || !ctx.graph.directed();
    s.inward = true;
    s.phase = s.last ? COMPRESS : REST;
  }
};
