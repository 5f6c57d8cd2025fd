// Trussness of edges: the greatest k such that an edge belongs to a subgraph in which every edge is in k - 2 triangles.
// Undirected graphs; loops and repetitions of an edge do not count.
//
// By peeling (Wang and Cheng 2012; Kabir and Madduri 2017): every edge's triangles are counted; then, for k = 0, 1, ...,
// the edges that have k triangles left are removed, round by round, and with them those that fall to k thereby. Edges
// that are removed in one round may share a triangle: the first of them takes it from the third edge.
//
// A level begins with a look at a list of the edges that are left, which is shortened when half of it is gone. If none
// has k triangles, the look tells the least that any has.
//
// Edges are known by entries (operators/triangles_at.cuh).
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/reduce.cuh"
#include "operators/triangles_at.cuh"

struct Problem {
  edge_t* twins;
  i32* left;       // of an edge that is not removed yet: triangles of such edges; zero before
  i32* rounds;     // of both entries, in the end of all: in which edges were removed; LATER before
  i32* trussness;  // zero before; in the end, of all entries
  edge_t* lists;   // two lists of `most` edges
  i64 most;
  i32* least;      // triangles of any edge that a step left; a word each for three steps in turn, LATER before
};

constexpr i32 LATER = 0x7fffffff;

struct CountTriangles : TriangleFunctor {
  static constexpr bool ONCE = true;
  const Problem& p;
  const TwinEdges edges;
  GR_DEVICE CountTriangles(const Problem& problem, const TwinEdges& all) : p(problem), edges(all) {}
  template <class C>
  GR_DEVICE void visit(edge_t e, edge_t a, edge_t b, C&) {
    atomic_add(&p.left[e], 1);
    atomic_add(&p.left[edges.of(a)], 1);
    atomic_add(&p.left[edges.of(b)], 1);
  }
};

GR_DEVICE void take_out(const Problem& p, edge_t e, i32 k, i32 round) {
  store_relaxed(&p.rounds[e], round);
  store_relaxed(&p.rounds[p.twins[e]], round);
  p.trussness[e] = k + 2;
}

// Finds the edges with at most k triangles, which are removed in this round, and the least that others have.
struct Collect {
  const Problem& p;
  i32 k, round;
  i32 least = LATER;
  GR_DEVICE bool visit(item_t e) {
    if (p.rounds[e] != LATER) return false;
    const i32 left = p.left[e];
    if (left > k && left < least) least = left;
    return left <= k;
  }
  GR_DEVICE void apply(item_t e) { take_out(p, edge_t(e), k, round); }
};

// Takes the triangles of the edges of this round from others, which are removed in the next round if they fall to k.
struct Peel : TriangleFunctor {
  const Problem& p;
  const TwinEdges edges;
  i32 k, round;
  GR_DEVICE Peel(const Problem& problem, const TwinEdges& all, i32 level, i32 now)
      : p(problem), edges(all), k(level), round(now) {}
  GR_DEVICE bool peek(edge_t a) { return load_relaxed(&p.rounds[a]) >= round; }
  template <class C>
  GR_DEVICE void visit(edge_t e, edge_t a, edge_t b, C& collect) {
    const i32 of_x = load_relaxed(&p.rounds[a]), of_y = load_relaxed(&p.rounds[b]);
    if (of_y < round) return;
    const edge_t x = edges.of(a), y = edges.of(b);
    // Of two edges that go in this round the smaller takes the triangle.
    if (of_x > round && (of_y > round || e < y)) take(x, collect);
    if (of_y > round && (of_x > round || e < x)) take(y, collect);
  }
  template <class C>
  GR_DEVICE void take(edge_t x, C& collect) {
    if (load_relaxed(&p.left[x]) <= k || atomic_add(&p.left[x], -1) != k + 1) return;
    take_out(p, x, k, round + 1);
    collect.push(item_t(x));
  }
};

enum Phase { LINK, LIST, COUNT, COLLECT, PEEL, FILL };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {  // the same in every thread
    i32 phase = LINK;
    i32 k = 0;
    i32 round = 0;
    u32 lists_made = 0;
    i64 listed = 0;
    i64 there = 0;  // edges that are not removed yet
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 m = ctx.graph.m;
    const TwinEdges edges = {ctx.graph.csr, p.twins};
    if (ctx.rank() == 0) store_relaxed(least(p, s.step + 1), LATER);
    switch (s.phase = next(p, s)) {
      case LINK:
        ctx.show(LINK, 0, ctx.graph.n, m);
        gather<Sum<i32>>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, FindTwins(ctx.graph.csr, p.twins));
        break;
      case LIST:
        ctx.show(LIST, s.k, s.lists_made == 0 ? m : s.listed, 0);
        list_edges(ctx, p, s, edges);
        break;
      case COUNT: {
        ctx.show(COUNT, 0, s.listed, 0);
        CountTriangles count(p, edges);
        triangles_at(ctx, s, listed(p, s), edges, count);
        break;
      }
      case COLLECT: {
        ctx.show(COLLECT, s.k, s.listed, 0);
        Collect collect{p, s.k, s.round};
        filter<Kind::plain>(ctx, s, listed(p, s), ctx.graph.csr, collect);
        fold_grid<Least<i32>>(ctx, collect.least, least(p, s.step));
        break;
      }
      case PEEL: {
        ctx.show(PEEL, s.k, s.in);
        Peel peel(p, edges, s.k, s.round++);
        triangles_at(ctx, s, members(ctx.in(s)), edges, peel);
        break;
      }
      case FILL:
        ctx.show(FILL, 0, m, 0);
        for_each_index(ctx, m, [&](i64 e) { fill(p, edges, edge_t(e)); });
        break;
      default:
        return false;
    }
    return true;
  }

 private:
  GR_DEVICE static i32* least(const Problem& p, u32 step) { return &p.least[step % 3]; }
  GR_DEVICE static Listed<edge_t> listed(const Problem& p, const State& s) {
    return {p.lists + s.lists_made % 2 * p.most, s.listed};
  }

  // What this step does, from what the previous step did and found.
  GR_DEVICE static i32 next(const Problem& p, State& s) {
    if (s.step == 0) return LINK;
    switch (s.phase) {
      case LINK:
        return LIST;
      case LIST: {
        const bool first = s.lists_made++ == 0;
        s.there = s.listed = i64(s.in.count);
        return s.there == 0 ? FILL : first ? COUNT : COLLECT;
      }
      case COUNT:
        return COLLECT;
      case COLLECT:
      case PEEL:
        s.there -= i64(s.in.count);
        if (s.in.count > 0) return PEEL;
        if (s.there == 0) return FILL;
        s.k = s.phase == PEEL ? s.k + 1 : load_relaxed(least(p, s.step + 2));
        return 2 * s.there < s.listed ? LIST : COLLECT;
      default:
        return FILL + 1;
    }
  }

  // Lists what is left, in the list whose turn it is; its length arrives as that of a frontier does.
  GR_DEVICE static void list_edges(Context& ctx, const Problem& p, const State& s, const TwinEdges& edges) {
    const Queue made = {(item_t*)p.lists + (s.lists_made + 1) % 2 * p.most, nullptr, nullptr, u64(p.most)};
    const NextFrontier out = {made, ctx.tail(s.step + 1)};
    const bool all = s.lists_made == 0;
    const ListedOrRange<edge_t> who = {all ? nullptr : listed(p, s).items, all ? ctx.graph.m : s.listed};
    auto is_left = Where([&](item_t e) { return all ? edges.is_edge(edge_t(e)) : p.rounds[e] == LATER; });
    filter<Kind::plain>(ctx, who, out, ctx.graph.csr, is_left);
  }

  GR_DEVICE static void fill(const Problem& p, const TwinEdges& edges, edge_t e) {
    const edge_t edge = edges.of_any(e);
    if (edge < 0 || edge == e) return;
    p.trussness[e] = p.trussness[edge];
    p.rounds[e] = p.rounds[edge];
  }
};
