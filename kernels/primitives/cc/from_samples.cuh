// The steps that find connected components from samples, of the whole graph or of a part of it. Afforest (Sutton,
// 2018); ECL-CC (Jaiganesh, 2018). Gunrock, section 5.4. Included by afforest.cuh and afforest_in_parts.cuh.
//
// Two vertices whose trees have the same root are known to be connected (forest.cuh). Roots are hooked onto other
// roots along edges, and trees are compressed: every vertex walks to its root. Most edges of most graphs lie within
// one component, which a few edges per vertex suffice to find:
//   1. GRAFT: each vertex hooks itself under its first neighbour, if that is smaller. It writes its own cell only,
//      so no atomic is needed. If numbers follow space, such links make long paths: a block follows them within a
//      run of vertices (GR_RUNS), so that less is left to be compressed [D-graft-1].
//   2. LINK, until nearly all ends of sampled edges are in one component: links the roots of every vertex and of
//      its next neighbour, one under the other.
//   3. REST filters out the vertices of the commonest component, FINISH advances from the other vertices. An edge
//      between two components has an end outside the commonest, and is seen from there: along out-edges, then, if
//      directed, along in-edges.
// Roots are hooked only under roots of smaller rank, so there are no cycles. Ranks are the vertices' numbers (in many
// graphs hubs come first, and make trees flat), or scattered (GR_RANDOM_LINKS): numbers that follow the paths of a
// mesh turn its trees into paths, while scattered ones keep them short (randomized linking; Goel and others, 2014).
// Without sampling every vertex hooks itself under its neighbour of smallest rank, and UNITE goes through all edges,
// or FINISH does if lists are long.
//
// If one list is very long, most vertices have a neighbour in it. HUB finds the vertex with the longest list, STAR
// puts its neighbours under it, and JOIN adds every vertex that has one of these among its first neighbours. FINISH
// goes on from the other vertices, and no samples are needed. If less than half of the edges lead into the star,
// GRAFT starts from the beginning instead [D-cc-6].
//
// The unit must first declare Problem (with parents and others) and Phase. After the last step every vertex is a
// child of its root.
// Options: GR_RANDOM_LINKS, GR_SAMPLING, GR_RUNS (hooks along paths within runs of vertices; on a GPU).
#pragma once
#include "core/enactor.cuh"
#include "operators/chosen.cuh"
#include "operators/filter.cuh"
#include "operators/follow_in_runs.cuh"
#include "operators/gather.cuh"
#include "operators/parts_of_lists.cuh"
#include "operators/reduce.cuh"
#include "primitives/cc/forest.cuh"
#include "primitives/commonest_root.cuh"

enum Sampling { OFF, ON, FROM_HUB };
constexpr Sampling SAMPLING = Sampling(GR_SAMPLING);

// --- functors -------------------------------------------------------------------------------------
// The neighbour of smallest rank; -1 if there is no neighbour.
struct LeastRank : Plain<LeastRank, vertex_t> {
  GR_DEVICE static vertex_t zero() { return -1; }
  GR_DEVICE static void join(vertex_t& a, vertex_t b) {
    if (a < 0 || (b >= 0 && comes_before(b, a))) a = b;
  }
};

// Puts every vertex under its neighbour of smallest rank, if that is smaller than its own.
struct Hook : GatherFunctor {
  static constexpr bool PEEKS = true;
  vertex_t* parents;
  GR_DEVICE explicit Hook(vertex_t* forest) : parents(forest) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t) { return comes_before(u, v); }
  GR_DEVICE vertex_t value(vertex_t u, edge_t) { return u; }
  GR_DEVICE bool finish(vertex_t v, vertex_t least) {
    if (least >= 0) store_relaxed(&parents[v], least);
    return false;
  }
};

// Keeps the vertices outside the component of `common` that have a list.
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

struct Link : EdgeFunctor {  // keeps no edge: it makes no frontier
  static constexpr bool FEW_LONG = true;  // hubs are in the commonest component, which is left out
  const Problem& p;
  vertex_t first;  // of least rank
  GR_DEVICE Link(const Problem& problem, vertex_t least) : p(problem), first(least) {}
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t) {
    return load_relaxed(&p.parents[s]) != load_relaxed(&p.parents[d]);
  }
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    unite(p.parents, s, d, ByRank{first});
    return false;
  }
};

// --- sampling -----------------------------------------------------------------------------------
constexpr int ENOUGH = 30;      // samples in one component at which the rest is visited edge by edge
constexpr int LINK_ROUNDS = 2;  // at most
// on a core, a second round takes longer than the lists it saves [D-cc-5]
constexpr int ROUNDS = WARP > 1 ? LINK_ROUNDS : 1;
constexpr int LINKS = 4;        // edges that a thread links at once [D-link-1]
constexpr int PROBES = 4;        // first neighbours by which a vertex joins; they lie together

// --- the enactor --------------------------------------------------------------------------------
constexpr i64 THREAD_MAX = 64;  // the longest list in a graph whose lists are each walked by a thread

// Passes over the whole graph, and a queue that outlives a step: not for a single block.
struct FromSamples : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = GRAFT;
    i32 round = 0;
    vertex_t common = -1;    // root of the component that REST leaves out
    vertex_t first = 0;      // vertex of least rank
    bool inward = false;     // REST and FINISH work on in-edges
    bool last = false;       // compress, then stop
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if constexpr (SAMPLING == FROM_HUB) {
      if (ctx.graph.m > 0 && begins_at_hub(ctx, p, control, s)) return true;
    }
    ctx.show(s.phase, s.round, ctx.graph.n, ctx.graph.m);
    if (ctx.graph.m == 0) return false;
    if constexpr (WARP == 1) clear_ticket(ctx, control, s);
    const bool directed = ctx.graph.directed();
    const Csr& lists = s.inward ? ctx.graph.reverse : ctx.graph.csr;

    switch (s.phase) {
      case GRAFT:
        s.phase = hook(ctx, p, control, s);
        break;
      case UNITE:
        if constexpr (SAMPLING == OFF) unite_all(ctx, p, directed);
        s.last = true;
        s.phase = COMPRESS;
        break;
      case COMPRESS:
        ctx.show(COMPRESS, s.round, ctx.graph.n, 0);
        return compress(ctx, p, control, s);
      case LINK:
        if constexpr (SAMPLING != OFF) link(ctx, p, s.round, ticket(control, s));
        s.phase = COMPRESS;
        break;
      case REST:
        ctx.show(REST, s.round, ctx.graph.n, 0);
        if constexpr (WARP == 1 && SAMPLING != OFF) {
          link_rest(ctx, p, control, s, lists);
          break;
        }
        filter<V>(ctx, s, Range{ctx.graph.n}, lists, OutsideCommon(p, lists, s.common));
        s.phase = FINISH;
        break;
      case FINISH:
        ctx.show(FINISH, s.round, s.in);
        if (s.in.count == 0 && !directed) return false;
        advance<V>(ctx, s, lists, Link(p, s.first));
        s.last = s.inward || !directed;
        s.inward = true;
        s.phase = s.last ? COMPRESS : REST;
        break;
    }
    return true;
  }

 private:
  enum Counter { OUTSIDE, HUB_KEY, STAR_EDGES, TICKETS };  // what Control::counters count

  // --- from the longest list
  // False once the star is finished or given up.
  GR_DEVICE static bool begins_at_hub(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.step == 0) {
      ctx.show(HUB, s.round, ctx.graph.n, 0);
      find_hub(ctx, control);
      s.phase = STAR;
    } else if (s.phase == STAR) {
      ctx.show(STAR, s.round, 1, ctx.graph.csr.max_degree);
      s.common = s.first = hub_of(ctx, control);
      put_star(ctx, p, control, s.common);
      s.phase = JOIN;
    } else if (s.phase != JOIN) {
      return false;
    } else if (2 * load_relaxed(&control.counters[STAR_EDGES]) < u64(ctx.graph.m)) {
      s.first = 0;
      s.phase = GRAFT;  // this overwrites the star
      return false;
    } else {
      ctx.show(JOIN, s.round, ctx.graph.n, ctx.graph.m);
      join(ctx, p, s);
      s.phase = WARP == 1 ? REST : FINISH;
    }
    return true;
  }

  // Finds the vertex of the longest list, the first of several.
  GR_DEVICE static void find_hub(Context& ctx, Control& control) {
    for_each_length(ctx, ctx.graph.csr, [&](vertex_t v, edge_t length) {
      if (length == ctx.graph.csr.max_degree)
        atomic_max(&control.counters[HUB_KEY], u64(ctx.graph.n - v));
    });
  }
  GR_DEVICE static vertex_t hub_of(const Context& ctx, const Control& control) {
    return vertex_t(ctx.graph.n - i64(load_relaxed(&control.counters[HUB_KEY])));
  }

  // Puts the hub's neighbours under it, and counts the edges out of them.
  GR_DEVICE static void put_star(Context& ctx, const Problem& p, Control& control, vertex_t hub) {
    u64 edges = 0;
    for_each_entry(ctx, ctx.graph.csr, hub, [&](vertex_t u) {
      store_relaxed(&p.parents[u], hub);
      edges += u64(ctx.graph.csr.row(u).length);
    });
    fold_grid<Sum<u64>>(ctx, edges, &control.counters[STAR_EDGES]);
  }

  // Also puts every vertex that has a neighbour in the star under the hub. FINISH, or REST on a core, begins
  // with all others that have neighbours. Overlooking a vertex that has only just joined does no harm.
  GR_DEVICE static void join(Context& ctx, const Problem& p, const State& s) {
    const vertex_t hub = s.common;
    auto inside = [&](vertex_t v) { return load_cached(&p.parents[v]) == hub; };
    for_each_next_to<WARP == 1 ? Kind::none : V, PROBES>(
        ctx, ctx.graph.csr, ctx.out(s), inside, inside, [&](vertex_t v) { store_relaxed(&p.parents[v], hub); });
  }

  // --- from samples
  // Puts every vertex that has neighbours under one of them, or under none; returns the next phase.
  GR_DEVICE static i32 hook(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    if constexpr (SAMPLING == OFF) {
      if (csr.max_degree <= THREAD_MAX) {
        gather<LeastRank, ByThread<4>>(ctx, s, Range{ctx.graph.n}, csr, Hook(p.parents));
        return UNITE;
      }
    }
    auto put = [&](vertex_t v, vertex_t u) {
      store_relaxed(&p.parents[v], comes_before(u, v) ? hook_at(p.parents, u) : v);
    };
    if (p.others) {
      for_each_first_neighbors<1 + LINK_ROUNDS>(
          ctx, csr, [&](vertex_t v, const vertex_t (&neighbors)[1 + LINK_ROUNDS]) {
            if (neighbors[0] >= 0) put(v, neighbors[0]);
            GR_UNROLL
            for (int k = 0; k < LINK_ROUNDS; ++k)
              store_relaxed(&p.others[k * ctx.graph.n + v], neighbors[1 + k]);
          });
    } else if constexpr (GR_RUNS) {
      hook_in_runs(ctx, p);
    } else {
      for_each_at(ctx, 0, ticket(control, s), put);
    }
    return SAMPLING != OFF ? COMPRESS : REST;  // without a component to leave out, the rest is everything
  }

  // Hooks along paths of such links, out of a run of vertices that a block holds.
  GR_DEVICE static void hook_in_runs(Context& ctx, const Problem& p) {
    follow_in_runs<LINKS>(ctx, p.parents, [&](const i64 (&v)[LINKS], i64 end, vertex_t (&to)[LINKS]) {
      neighbors_at(ctx, ctx.graph.csr, 0, v, end, to);
      GR_UNROLL
      for (int k = 0; k < LINKS; ++k)
        if (to[k] < 0 || !comes_before(to[k], vertex_t(v[k]))) to[k] = vertex_t(v[k]);
    });
  }

  // Compresses all trees; false after the last step.
  GR_DEVICE static bool compress(Context& ctx, const Problem& p, Control& control, State& s) {
    if constexpr (WARP == 1 && SAMPLING != OFF) {  // nothing was outside: all is compressed
      if (s.last && !load_relaxed(&control.counters[OUTSIDE])) return false;
    }
    if (SAMPLING == OFF || s.last) {
      compress_all(ctx, p.parents, ticket(control, s));
      return false;
    }
    SampledEnds ends(ctx);  // their loads are in flight meanwhile
    compress_all(ctx, p.parents, ticket(control, s));
    const Sample sample = ends.commonest(ctx, p.parents);
    s.common = sample.root;
    s.phase = sample.count >= ENOUGH || ++s.round > ROUNDS ? REST : LINK;
    return true;
  }

  // Links every vertex with its neighbour at this place.
  GR_DEVICE static void link(Context& ctx, const Problem& p, i32 place, u64* ticket) {
    if constexpr (WARP == 1) {  // cores, which are few, retry: a lost link leaves a list for later [D-cc-5]
      for_each_at(ctx, place, ticket, [&](vertex_t v, vertex_t u) { unite(p.parents, v, u); });
    } else if (p.others) {
      const vertex_t* const neighbors = p.others + (place - 1) * ctx.graph.n;
      for_each_vertex_loaded<LINKS>(
          ctx, neighbors, vertex_t(-1),
          [&](const vertex_t (&v)[LINKS], const vertex_t (&u)[LINKS]) { link_stars(p.parents, v, u); });
    } else {
      for_each_neighbors_at<LINKS>(
          ctx, ctx.graph.csr, place,
          [&](const vertex_t (&v)[LINKS], const vertex_t (&u)[LINKS]) { link_stars(p.parents, v, u); });
    }
  }

  // Unites the ends of all edges, one walk at a time per thread [D-cc-4]. Only one of the two directions of an
  // undirected edge is used.
  GR_DEVICE static void unite_all(Context& ctx, const Problem& p, bool directed) {
    for_each_chosen(
        ctx, ctx.graph.csr,
        [&](vertex_t v, vertex_t u, u64& pair) {
          if (!directed && u >= v) return false;
          const vertex_t a = load_cached(&p.parents[u]), b = load_cached(&p.parents[v]);
          pair = u64(u32(a)) << 32 | u32(b);
          return a != b && a != v && b != u;  // half of the edges of a road network are in the forest
        },
        [&](u64 pair) { unite_trees(p.parents, vertex_t(pair >> 32), vertex_t(u32(pair))); });
  }

  // On cores: REST and FINISH without a frontier in between, list by list, in order.
  GR_DEVICE static void link_rest(Context& ctx, const Problem& p, Control& control, State& s,
                                  const Csr& lists) {
    const bool found = for_each_entry_dynamic(
        ctx, lists, ticket(control, s), [&](vertex_t v) { return load_relaxed(&p.parents[v]) != s.common; },
        [&](vertex_t v, vertex_t u) { unite(p.parents, u, v, ByRank{s.first}); });
    if (found) store_relaxed(&control.counters[OUTSIDE], u64(1));
    s.last = s.inward || !ctx.graph.directed();
    s.inward = true;
    s.phase = s.last ? COMPRESS : REST;
  }

  // --- on cores: vertices go to whichever core is free [D-cores-6]
  // The step's own ticket, zero when the step begins.
  GR_DEVICE static u64* ticket(Control& control, const State& s) { return &control.counters[TICKETS + s.step % 3]; }
  // Clears the next step's ticket, which the previous step used.
  GR_DEVICE static void clear_ticket(const Context& ctx, Control& control, const State& s) {
    if (ctx.rank() == 0) store_relaxed(&control.counters[TICKETS + (s.step + 1) % 3], u64(0));
  }
  // f(v, u) for every vertex v that has a neighbour u at this place of its list.
  template <class F>
  GR_DEVICE static void for_each_at(Context& ctx, i32 place, u64* ticket, F f) {
    if constexpr (WARP > 1) for_each_neighbor_at(ctx, ctx.graph.csr, place, f);
    else for_each_neighbor_dynamic(ctx, ctx.graph.csr, place, ticket, f);
  }
};
