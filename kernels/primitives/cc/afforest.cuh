// Connected components, weakly connected for a directed graph. Gunrock, section 5.4; Soman (2010);
// Afforest (Sutton, 2018); ECL-CC (Jaiganesh, 2018).
//
// `parents` is a forest; two vertices whose trees have one root are known to be connected. Both
// variants hook roots onto others along edges, and compress: every vertex walks to its root.
//
// afforest   Most edges of most graphs lie within one component, found from a few edges a vertex:
//            1. GRAFT: each vertex hangs itself under its first neighbour, if that is smaller. It
//               writes its own cell only, so no atomic is needed.
//            2. LINK, while the sampled edges' ends are not nearly all in one component: hang the
//               root of every vertex and that of its next neighbour under one another.
//            3. REST filters out the vertices of the commonest component, FINISH advances from those
//               that are left. An edge between two components has an end outside the commonest, and
//               is seen from there: along out-edges, then, if directed, along in-edges.
//            Roots go under those of smaller rank only: no cycles. Ranks are the vertices' numbers
//            (hubs come first in many graphs, and make trees flat), or scattered (GR_RANDOM_LINKS):
//            numbers that follow the paths of a mesh make paths of its trees, scattered ones keep
//            them short (randomized linking; Goel and others, 2014).
//            Without sampling every vertex grafts itself under its neighbour of smallest rank, and
//            UNITE goes through all edges, a list by a thread, or FINISH where lists are long.
// hook-jump  The papers' scheme: a frontier of edges; each hooks the larger root under the smaller,
//            in even rounds the smaller under the larger, by plain stores; the filter drops an edge
//            once its ends agree. An edge that hooked is looked at again, so a lost store is made
//            good in the next round.
// Options: GR_HOOK_JUMP, GR_RANDOM_LINKS.
#pragma once
#include "core/enactor.cuh"
#include "operators/filter.cuh"

struct Problem {
  vertex_t* parents;  // of v: v itself, at first
  vertex_t* sources;  // of each edge (hook-jump only)
  i64 sampling;
};

// --- the forest ---------------------------------------------------------------------------------
constexpr int AT_ONCE = 4;  // vertices whose loads a thread has under way

GR_DEVICE u32 rank_of(vertex_t v) { return GR_RANDOM_LINKS ? u32(v) * 0x9e3779b1u : u32(v); }
GR_DEVICE bool comes_before(vertex_t a, vertex_t b) { return rank_of(a) < rank_of(b); }

// Bring every vertex to depth 1. A thread writes to its own vertex's cell only: another's might
// already be at its root, and would be thrown back. No root changes meanwhile, so the last one found
// need not be looked at again; most vertices share it.
GR_DEVICE void compress_all(Context& ctx, vertex_t* parents) {
  const i64 n = ctx.graph.n, stride = ctx.threads();
  vertex_t root = -1;
  for (i64 first = ctx.rank(); first < n; first += AT_ONCE * stride) {
    vertex_t at[AT_ONCE], next[AT_ONCE];
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      at[k] = load_cached(&parents[first + k * stride < n ? first + k * stride : n - 1]);
    for (bool more = true; more;) {  // all of them a hop at a time: their loads overlap
      more = false;
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k)
        next[k] = at[k] == root ? root : load_cached(&parents[at[k]]);
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k) {
        if (next[k] == at[k]) {
          root = at[k];
        } else {
          if (first + k * stride < n) store_relaxed(&parents[first + k * stride], next[k]);
          at[k] = next[k];
          more = true;
        }
      }
    }
  }
}

// Hook what looked like a root under `low`; returns what it is under by now. Walks read parents from
// the multiprocessor's cache: what was an ancestor stays one, and thousands of threads look at the
// same few vertices near the root. Only whether it still is one must be asked where all agree.
GR_DEVICE vertex_t hook(vertex_t* parents, vertex_t high, vertex_t low) {
  const vertex_t above = load_relaxed(&parents[high]);
  if (above != high) return above;
  const vertex_t before = atomic_cas(&parents[high], high, low);
  return before == high ? low : before;
}

// Make u and v have one root. Many vertices want to hook the same root under the same other at once,
// and what goes to one address queues up: of a warp's threads with the same wish one acts. (Halving
// the paths on the way costs more than it saves: measured.)
GR_DEVICE void unite(vertex_t* parents, vertex_t u, vertex_t v) {
  vertex_t a = load_cached(&parents[u]), b = load_cached(&parents[v]);
  if (a == b || (!GR_RANDOM_LINKS && !is_first_with(u64(u32(a)) << 32 | u32(b)))) return;
  while (a != b) {
    const bool ordered = comes_before(a, b);
    const vertex_t high = ordered ? b : a, low = ordered ? a : b;
    vertex_t above = load_cached(&parents[high]);
    if (above == high) above = hook(parents, high, low);
    if (above == low) return;
    a = load_cached(&parents[above]);
    b = load_cached(&parents[low]);
  }
}

// Where both trees are stars: hang the larger root under the smaller, without waiting to hear what
// became of it. Another may hang it elsewhere, and one of the two wishes is lost: enough where edges
// are only sampled, and many times faster than to insist while thousands pull at one root.
GR_DEVICE void hang(vertex_t* parents, vertex_t u, vertex_t v) {
  const vertex_t a = load_cached(&parents[u]), b = load_cached(&parents[v]);
  const bool ordered = comes_before(a, b);
  const vertex_t high = ordered ? b : a, low = ordered ? a : b;
#if GR_RANDOM_LINKS
  if (a != b && load_relaxed(&parents[high]) == high) atomic_cas(&parents[high], high, low);
#else
  if (low < load_relaxed(&parents[high])) atomic_min(&parents[high], low);
#endif
}

// f(v, u) for every vertex v that has a neighbour u at this place of its list.
template <class F>
GR_DEVICE void for_each_neighbour(Context& ctx, i32 place, F f) {
  const Csr& csr = ctx.graph.csr;
  const i64 n = ctx.graph.n, stride = ctx.threads();
  for (i64 first = ctx.rank(); first < n; first += AT_ONCE * stride) {
    edge_t at[AT_ONCE], end[AT_ONCE];
    vertex_t neighbour[AT_ONCE];
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k) {
      const i64 v = first + k * stride < n ? first + k * stride : n - 1;
      at[k] = load_constant(&csr.row_offsets[v]) + place;
      end[k] = load_constant(&csr.row_offsets[v + 1]);
    }
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      neighbour[k] = at[k] < end[k] ? load_constant(&csr.column_indices[at[k]]) : 0;
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      if (at[k] < end[k] && first + k * stride < n) f(vertex_t(first + k * stride), neighbour[k]);
  }
}

// Every vertex goes under its neighbour of smallest rank, or stays.
GR_DEVICE void graft_all(Context& ctx, vertex_t* parents) {
  const Csr& csr = ctx.graph.csr;
  for (i64 v = ctx.rank(); v < ctx.graph.n; v += ctx.threads()) {
    const edge_t end = load_constant(&csr.row_offsets[v + 1]);
    vertex_t best = vertex_t(v);
    for (edge_t e = load_constant(&csr.row_offsets[v]); e < end; e += AT_ONCE) {
      vertex_t u[AT_ONCE];
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k)
        u[k] = e + k < end ? load_constant(&csr.column_indices[e + k]) : vertex_t(v);
      GR_UNROLL
      for (int k = 0; k < AT_ONCE; ++k)
        if (comes_before(u[k], best)) best = u[k];
    }
    if (best != v) store_relaxed(&parents[v], best);
  }
}

// The ends of all edges, a list by a thread. Of the two directions of an undirected edge that to the
// smaller end is taken: lists are sorted. (Several edges at once in a thread is slower: measured.)
GR_DEVICE void unite_all(Context& ctx, vertex_t* parents, bool directed) {
  const Csr& csr = ctx.graph.csr;
  for (i64 v = ctx.rank(); v < ctx.graph.n; v += ctx.threads()) {
    const edge_t end = load_constant(&csr.row_offsets[v + 1]);
    for (edge_t e = load_constant(&csr.row_offsets[v]); e < end; ++e) {
      const vertex_t u = load_constant(&csr.column_indices[e]);
      if (!directed && u >= v) break;
      unite(parents, u, vertex_t(v));
    }
  }
}

// --- sampling -----------------------------------------------------------------------------------
constexpr int SAMPLES = 32;
constexpr int ENOUGH = 30;      // samples of one component: the rest may be visited edge by edge
constexpr int LINK_ROUNDS = 2;  // at most

struct Sample {
  vertex_t root;
  int count;
};

// The commonest root among the ends of some edges. Every thread of the grid gets the same answer
// while roots stay what they are, as they do in a step that only compresses.
GR_DEVICE Sample commonest(Context& ctx, const vertex_t* parents) {
  constexpr int EACH = SAMPLES / WARP;
  vertex_t mine[EACH];
  Sample best = {-1, 0};
  if (warp_id() == 0) {
    for (int k = 0; k < EACH; ++k) {
      const u64 random = u64(lane_id() * EACH + k + 1) * 0x9e3779b97f4a7c15ull;
      const i64 e = i64((random >> 11) % u64(ctx.graph.m));
      vertex_t at = load_constant(&ctx.graph.csr.column_indices[e]);
      while ((mine[k] = load_relaxed(&parents[at])) != at) at = mine[k];
    }
    for (int i = 0; i < SAMPLES; ++i) {
      const vertex_t root = warp_broadcast(mine[i % EACH], i / EACH);
      int count = 0;
      for (int k = 0; k < EACH; ++k) count += popcount(warp_ballot(mine[k] == root));
      if (count > best.count) best = {root, count};
    }
    if (thread_id() == 0) ctx.shared.broadcast = u64(best.root) << 32 | u64(best.count);
  }
  block_sync();
  const u64 found = ctx.shared.broadcast;
  block_sync();
  return {vertex_t(found >> 32), int(found & 0xffffffffu)};
}

// --- functors -----------------------------------------------------------------------------------
struct Outside {  // keeps the vertices of other components than `common` that have a list
  const Problem& p;
  const Csr& lists;
  vertex_t common;
  GR_DEVICE bool cond_vertex(item_t v) {
    return load_relaxed(&p.parents[v]) != common &&
           load_constant(&lists.row_offsets[v]) < load_constant(&lists.row_offsets[v + 1]);
  }
  GR_DEVICE void apply_vertex(item_t) {}
};

struct Link : EdgeFunctor {  // accepts no edge: there is no frontier to gather
  const Problem& p;
  GR_DEVICE explicit Link(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t) {
    return load_relaxed(&p.parents[s]) != load_relaxed(&p.parents[d]);
  }
  GR_DEVICE bool cond_edge(vertex_t s, vertex_t d, edge_t) {
    unite(p.parents, s, d);
    return false;
  }
};

struct Hook {  // keeps the edges whose ends have different roots, and hooks one under the other
  const Problem& p;
  const Csr& csr;
  bool once;  // of the two directions of an undirected edge take one
  bool up;    // the smaller root under the larger

  GR_DEVICE bool cond_vertex(item_t e) {
    const vertex_t s = load_constant(&p.sources[e]), d = load_constant(&csr.column_indices[e]);
    if (once && s > d) return false;
    const vertex_t a = load_relaxed(&p.parents[s]), b = load_relaxed(&p.parents[d]);
    if (a == b) return false;
    const vertex_t high = a < b ? b : a, low = a < b ? a : b;
    store_relaxed(&p.parents[up ? low : high], up ? high : low);
    return true;
  }
  GR_DEVICE void apply_vertex(item_t) {}
};

// --- the enactor --------------------------------------------------------------------------------
constexpr i64 LONG_LIST = 64;

enum Phase { GRAFT, COMPRESS, LINK_NEXT, REST, FINISH, HOOK, JUMP, UNITE };

struct Enactor {
  struct State : LoopState {
    i32 phase = GR_HOOK_JUMP ? HOOK : GRAFT;
    i32 round = 0;
    vertex_t common = -1;    // root of the component that REST leaves out
    bool inward = false;     // REST and FINISH are about in-edges
    bool last = false;       // compress, and that is all
    Size frontier = {0, 0};  // hook-jump: the edges left
  };

  // Passes over the whole graph, and a queue that outlives a step: nothing for one block alone.
  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.phase, s.round, ctx.graph.n, ctx.graph.m);
    if (ctx.graph.m == 0) return false;
    return GR_HOOK_JUMP ? hook_jump(ctx, p, s) : afforest(ctx, p, s);
  }

 private:
  GR_DEVICE static bool afforest(Context& ctx, const Problem& p, State& s) {
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    const Csr& csr = ctx.graph.csr;
    const bool directed = ctx.graph.reverse.row_offsets != csr.row_offsets;
    const Csr& lists = s.inward ? ctx.graph.reverse : csr;
    Sample sample;

    switch (s.phase) {
      case GRAFT:
        if (!p.sampling && csr.max_degree <= LONG_LIST) {
          graft_all(ctx, p.parents);
          s.phase = UNITE;
          break;
        }
        for_each_neighbour(ctx, 0, [&](vertex_t v, vertex_t u) {
          if (comes_before(u, v)) store_relaxed(&p.parents[v], u);
        });
        s.phase = p.sampling ? COMPRESS : REST;  // of no component, so the rest is everything
        break;
      case UNITE:
        unite_all(ctx, p.parents, directed);
        s.last = true;
        s.phase = COMPRESS;
        break;
      case COMPRESS:
        ctx.show(COMPRESS, s.round, ctx.graph.n, 0);
        compress_all(ctx, p.parents);
        if (s.last) return false;
        sample = commonest(ctx, p.parents);
        s.common = sample.root;
        s.phase = sample.count >= ENOUGH || ++s.round > LINK_ROUNDS ? REST : LINK_NEXT;
        break;
      case LINK_NEXT:
        for_each_neighbour(ctx, s.round, [&](vertex_t v, vertex_t u) {
          hang(p.parents, v, u);
        });
        s.phase = COMPRESS;
        break;
      case REST: {
        ctx.show(REST, s.round, ctx.graph.n, 0);
        Outside outside{p, lists, s.common};
        filter_range<Kind::vertex>(ctx, ctx.graph.n, out, ctx.tail(s.step + 1), lists, outside);
        s.phase = FINISH;
        break;
      }
      case FINISH: {
        ctx.show(FINISH, s.round, s.in);
        if (s.in.count == 0 && !directed) return false;
        Link link_ends(p);
        advance<Kind::vertex, Kind::none>(ctx, lists, in, s.in, out, ctx.tail(s.step + 1), lists,
                                          link_ends);
        s.last = s.inward || !directed;
        s.inward = true;
        s.phase = s.last ? COMPRESS : REST;
        break;
      }
    }
    return true;
  }

  GR_DEVICE static bool hook_jump(Context& ctx, const Problem& p, State& s) {
    if (s.phase == JUMP) {  // all trees become stars; the edges wait in the queue of this round
      s.frontier = s.in;
      ctx.show(JUMP, s.round, s.frontier.count ? ctx.graph.n : 0, 0);
      if (s.frontier.count == 0) return false;
      compress_all(ctx, p.parents);
      s.phase = HOOK;
      return true;
    }
    ctx.show(HOOK, s.round, s.round == 0 ? ctx.graph.m : i64(s.frontier.count), 0);
    const Csr& csr = ctx.graph.csr;
    const bool undirected = ctx.graph.reverse.row_offsets == csr.row_offsets;
    const Queue in = ctx.queue(s.round), out = ctx.queue(s.round + 1);
    u64* tail = ctx.tail(s.step + 1);
    Hook hook{p, csr, undirected, s.round % 2 == 1};
    if (s.round == 0) filter_range<Kind::plain>(ctx, ctx.graph.m, out, tail, csr, hook);
    else filter<Kind::plain, Culling::none>(ctx, in, s.frontier, out, tail, csr, hook);
    ++s.round;
    s.phase = JUMP;
    return true;
  }
};
