// Connected components of a graph that has changed, from the names that its vertices had before.
//
// Edges that are new unite trees, whose roots are the names. A component that has lost an edge is torn up: its
// vertices begin alone again, and all of their edges are united. The component of the longest list, mostly the
// giant, is torn up only where it may be cut (undirected graphs) [D-change-2]:
//   1. MARK notes the components that have lost an edge, and finds the longest list; STAR marks its vertex, the hub,
//      and the hub's neighbours.
//   2. ENDS looks at both ends of each lost edge. An end next to the star, as one of its first neighbours tells, is
//      still connected to the hub. Any other is loose.
//   3. GROW makes loose what is next to loose vertices, except what is next to the star, until nothing is left to
//      grow. Every path to the hub that is now cut was cut at some end, and that end's side of the cut is loose, up to
//      vertices that are connected to the hub in another way. All others are still one component.
//      If this leads too far, the whole component is torn up after all.
//   4. ROOT finds the smallest vertex that is not loose; TEAR puts the others under it, and loose vertices, and
//      those of other components that have lost an edge, under none.
//   5. UNITE unites the ends of new edges and of all edges of what was torn up.
// Roots are hooked only under smaller vertices, as before the change, so there are no cycles, and in the end roots
// are the smallest vertices of their components.
#pragma once
#include "core/enactor.cuh"
#include "operators/advance.cuh"
#include "operators/filter.cuh"
#include "operators/parts_of_lists.cuh"
#include "primitives/cc/forest.cuh"

struct Problem {
  vertex_t* parents;       // the names of before, at first; a new vertex's own number
  vertex_t* names;         // the same, which stays
  vertex_t* added_src;     // edges that are new
  vertex_t* added_dst;
  i64 added;
  vertex_t* removed_src;   // edges that are gone; of an undirected graph, in both directions
  i64 removed;
  u32* lost;               // bitmap of the names of components that have lost an edge
  u32* star;               // bitmap of the hub and its neighbours
  u32* loose;              // bitmap
};

enum Phase { MARK, STAR, ENDS, GROW, ROOT, TEAR, UNITE, COMPRESS };

constexpr i64 FEW = 8;    // growing ends beyond one in this many of the graph's edges
constexpr i32 TURNS = 16; // ... or after so many steps
constexpr edge_t PROBES = 8;  // first neighbours by which a vertex is next to the star

// Vertices that are not known to be connected to the hub.
struct Loosen : EdgeFunctor {
  const Problem& p;
  const Csr& lists;
  vertex_t giant;  // the hub's component, by its name
  GR_DEVICE Loosen(const Problem& problem, const Csr& csr, vertex_t name) : p(problem), lists(csr), giant(name) {}

  GR_DEVICE bool loosens(vertex_t v) const {
    return load_constant(&p.names[v]) == giant && !bitmap_test(p.loose, v) && !is_next_to_star(v) && claims(v);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return load_constant(&p.names[d]) == giant && !bitmap_test(p.loose, d);
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) { return !is_next_to_star(d) && claims(d); }

 private:
  GR_DEVICE bool is_next_to_star(vertex_t v) const {
    return bitmap_holds(p.star, v) ||
           any_of_first<PROBES>(lists, v, [&](vertex_t u) { return bitmap_holds(p.star, u); });
  }
  GR_DEVICE bool claims(vertex_t v) const {
    const u32 bit = 1u << (v % 32);
    return !(atomic_or(&p.loose[v / 32], bit) & bit);
  }
};

struct Link : EdgeFunctor {  // keeps no edge: it makes no frontier
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

// Passes over the whole graph: not for a single block.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = MARK;
    i32 turn = 0;
    i64 grown = 0;         // edges of loose vertices
    vertex_t hub = -1;
    vertex_t giant = -1;   // the name of the component that is torn up only where it may be cut; -1: none
    bool inward = false;   // TEAR and UNITE work on in-edges
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    const i64 n = ctx.graph.n;
    if (s.phase == MARK && p.removed == 0) s.phase = UNITE;
    if (s.phase == GROW && s.in.count == 0) s.phase = ROOT;
    if (s.phase == GROW && gives_up(ctx, s)) {
      s.giant = -1;
      s.phase = TEAR;
    }

    switch (s.phase) {
      case MARK:
        ctx.show(MARK, 0, p.removed, 0);
        for_each_index(ctx, p.removed, [&](i64 i) {
          const vertex_t name = p.names[p.removed_src[i]];
          if (!bitmap_test(p.lost, name)) bitmap_set(p.lost, name);
        });
        if (!ctx.graph.directed()) find_hub(ctx, control);
        s.phase = ctx.graph.directed() ? TEAR : STAR;
        break;
      case STAR:
        s.hub = vertex_t(n - i64(load_relaxed(&control.counters[HUB])));
        ctx.show(STAR, 0, 1, csr.max_degree);
        s.phase = TEAR;
        if (bitmap_test(p.lost, p.names[s.hub])) {
          s.giant = p.names[s.hub];
          s.phase = ENDS;
          for_each_entry(ctx, csr, s.hub, [&](vertex_t u) { bitmap_set(p.star, u); });
          if (ctx.rank() == 0) {
            bitmap_set(p.star, s.hub);
            store_relaxed(&control.counters[SMALLEST], u64(n));
          }
        }
        break;
      case ENDS: {
        ctx.show(ENDS, 0, p.removed, 0);
        const Loosen loosen(p, csr, s.giant);
        filter<V>(ctx, s, Listed<vertex_t>{p.removed_src, p.removed}, csr,
                  Where([&](item_t v) { return loosen.loosens(vertex_t(v)); }));
        s.phase = GROW;
        break;
      }
      case GROW:
        ctx.show(GROW, s.turn++, s.in);
        s.grown += i64(s.in.edges);
        advance<V, V>(ctx, s, Loosen(p, csr, s.giant));
        break;
      case ROOT: {
        ctx.show(ROOT, 0, n, 0);
        u64 smallest = u64(n);
        for_each_index(ctx, n, [&](i64 v) {
          if (smallest == u64(n) && p.names[v] == s.giant && !bitmap_holds(p.loose, vertex_t(v))) smallest = u64(v);
        });
        if (smallest < u64(n)) atomic_min(&control.counters[SMALLEST], smallest);
        s.phase = TEAR;
        break;
      }
      case TEAR: {
        ctx.show(TEAR, s.inward, n, 0);
        const vertex_t root = vertex_t(load_relaxed(&control.counters[SMALLEST]));
        filter<V>(ctx, s, Range{n}, lists(ctx, s), Where([&](item_t v) { return tears(p, s, root, v, lists(ctx, s)); }));
        s.phase = UNITE;
        break;
      }
      case UNITE:
        ctx.show(UNITE, s.inward, p.added, i64(s.in.edges));
        if (!s.inward)
          for_each_index(ctx, p.added, [&](i64 i) { unite(p.parents, p.added_src[i], p.added_dst[i]); });
        if (p.removed > 0) advance<V>(ctx, s, lists(ctx, s), Link(p));
        s.phase = COMPRESS;
        if (p.removed > 0 && ctx.graph.directed() && !s.inward) {
          s.inward = true;
          s.phase = TEAR;
        }
        break;
      case COMPRESS:
        ctx.show(COMPRESS, 0, n, 0);
        compress_range(ctx, p.parents, 0, n);
        return false;
    }
    return true;
  }

 private:
  enum Counter { HUB, SMALLEST };  // what Control::counters hold

  GR_DEVICE static const Csr& lists(const Context& ctx, const State& s) {
    return s.inward ? ctx.graph.reverse : ctx.graph.csr;
  }
  GR_DEVICE static bool gives_up(const Context& ctx, const State& s) {
    return s.turn >= TURNS || (s.grown + i64(s.in.edges)) * FEW > ctx.graph.m;
  }
  // Finds the vertex of the longest list, the first of several.
  GR_DEVICE static void find_hub(Context& ctx, Control& control) {
    for_each_length(ctx, ctx.graph.csr, [&](vertex_t v, edge_t length) {
      if (length == ctx.graph.csr.max_degree) atomic_max(&control.counters[HUB], u64(ctx.graph.n - v));
    });
  }
  // True if the vertex is torn up and has edges. Before its in-edges are united, it already is.
  GR_DEVICE static bool tears(const Problem& p, const State& s, vertex_t root, item_t v, const Csr& lists) {
    const vertex_t name = p.names[v];
    if (!bitmap_holds(p.lost, name)) return false;
    const bool alone = name != s.giant || bitmap_holds(p.loose, vertex_t(v));
    if (!s.inward) store_relaxed(&p.parents[v], alone ? vertex_t(v) : root);
    return alone && lists.row(v).length > 0;
  }
};
