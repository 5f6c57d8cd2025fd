// Betweenness centrality from one source. Brandes (2001); Gunrock, section 5.3.
//
// Forward: BFS by push. Each level's frontier is kept (`order`), and the shortest paths to its
// vertices are counted one step after their discovery, in pull form: a vertex sums the counts of
// its in-neighbours one level up. That sum reads only what was final at the last barrier, so it
// shares the step with the advance that discovers the next level: one barrier a level.
// Backward: the kept levels in reverse, also in pull form: a vertex sums over its out-neighbours
// one level down. No atomics but those that claim vertices and fill the queue.
//
// Counts of paths grow exponentially with the depth (10^1200 on a lattice of 2000 x 2000) and
// differ by hundreds of orders of magnitude within a level: each has an exponent of its own.
#pragma once
#include "../enactor.cuh"
#include "wide_number.cuh"

struct Problem {
  i32* labels;          // depth, -1 while unvisited
  double* mantissas;    // of the path counts, in [1, 2)
  i32* exponents;       // of the path counts
  float* scores;        // dependencies, zero at first
  vertex_t* order;      // vertices by level
  i32* level_starts;    // where in `order` each level begins
  i64* level_edges;     // out of each level
  i64 source;
};

// --- sums over neighbour lists ----------------------------------------------------------------
constexpr edge_t THREAD_EDGES = GR_CUDA ? 32 : edge_t(1) << 30;  // longer lists go to the warp

// For each vertex in items[0, count): sum its list, a thread or a warp a list. A part of a step.
//
// A functor has
//   Sum                       with add_lanes(); starts empty
//   void add(sum, u)          what neighbour u contributes
//   void finish(v, sum)       asked of one thread
template <class F, class Item>
GR_DEVICE void sum_lists(Context& ctx, const Csr& csr, const Item* items, i64 count, const F& f) {
  for (i64 base = i64(ctx.block) * BLOCK; base < count; base += ctx.threads()) {
    const i64 i = base + thread_id();
    vertex_t v = 0;
    edge_t first = 0, end = 0;
    if (i < count) {
      v = vertex_t(items[i]);
      first = load_constant(&csr.row_offsets[v]);
      end = load_constant(&csr.row_offsets[v + 1]);
    }
    const bool wide = WARP > 1 && end - first > THREAD_EDGES;
    if (i < count && !wide) {
      typename F::Sum sum;
      for (edge_t e = first; e < end; ++e) f.add(sum, load_constant(&csr.column_indices[e]));
      f.finish(v, sum);
    }
    if constexpr (WARP > 1) {
      for (u32 left = warp_ballot(wide); left; left &= left - 1) {
        const int lane = lowest_bit(left);
        const edge_t from = warp_broadcast(first, lane), to = warp_broadcast(end, lane);
        typename F::Sum sum;
        for (edge_t e = from + lane_id(); e < to; e += WARP)
          f.add(sum, load_constant(&csr.column_indices[e]));
        sum.add_lanes(WARP);
        if (lane == lane_id()) f.finish(v, sum);
      }
    }
  }
}

// Shortest paths to a vertex: those to its in-neighbours one level up.
struct CountPaths {
  using Sum = Wide;
  const Problem& p;
  i32 above;  // level of the in-neighbours that count

  GR_DEVICE void add(Sum& sum, vertex_t u) const {
    // The advance of this step is writing labels, but none that is or becomes `above`.
    if (load_relaxed(&p.labels[u]) == above) sum.add(p.mantissas[u], p.exponents[u]);
  }
  GR_DEVICE void finish(vertex_t v, Sum& sum) const {
    sum.normalize();
    p.mantissas[v] = sum.mantissa;
    p.exponents[v] = sum.exponent;
  }
};

// The dependency of the source on v: sum over w one level down of sigma(v)/sigma(w) (1 + delta(w)).
// A path to v goes on to w, so sigma(v) <= sigma(w) and a ratio never overflows. What v itself
// contributes to the ratio is left to the end: the sum is of (1 + delta(w)) / sigma(w).
struct Dependency {
  using Sum = Wide;
  const Problem& p;
  i32 below;

  GR_DEVICE void add(Sum& sum, vertex_t w) const {
    if (p.labels[w] == below)
      sum.add((1.0 + double(p.scores[w])) / p.mantissas[w], -p.exponents[w]);
  }
  GR_DEVICE void finish(vertex_t v, const Sum& sum) const {
    if (sum.mantissa == 0) return;  // no one below: the score stays zero
    const i32 shift = p.exponents[v] + sum.exponent;
    p.scores[v] = float(p.mantissas[v] * sum.mantissa * power_of_two(shift));
  }
};

// --- the enactor --------------------------------------------------------------------------------
struct Discover : EdgeFunctor {
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  bool direct;  // few edges: latency counts, not traffic, so straight to the atomic
  GR_DEVICE Discover(const Context& ctx, const Problem& problem, i32 d, u64 edges)
      : p(problem), depth(d), direct(GR_CUDA && edges < 128 + 64 * u64(ctx.blocks)) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return direct || load_relaxed(&p.labels[d]) == -1;
  }
  GR_DEVICE bool cond_edge(vertex_t, vertex_t d, edge_t) {
    return atomic_cas(&p.labels[d], -1, depth) == -1;
  }
};

enum Phase { BEGIN, FORWARD, BACKWARD };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 level = 0;         // that the next step works on
    i32 seen = 0;          // vertices in the levels above
    Size last = {0, 0};    // forward: the level before `level`
    Size coming = {0, 0};  // the level that the backward pass would work on next
  };

  // Asked about small in-frontiers only. The backward pass has none: its levels are slices of
  // `order`, and the first of them may be reached from a frontier that is empty.
  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase != BACKWARD && s.in.count > 0) return true;
    return s.coming.edges <= u64(SOLO_EDGES) && s.coming.count <= u32(SOLO_EDGES);
  }

  GR_DEVICE static TraceRow trace(const State& s) {
    const bool backward = s.phase == BACKWARD;
    const Size size = backward ? s.coming : s.in;
    return {0, s.phase, s.level, size.count, i64(size.edges), 0};
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Queue in = ctx.queue(s.step), out = ctx.queue(s.step + 1);
    u64* tail = ctx.tail(s.step + 1);
    const Csr& csr = ctx.graph.csr;

    if (s.phase == BEGIN) {
      if (ctx.block == 0) seed<Kind::vertex>(ctx, out, tail, csr, item_t(p.source));
      s.phase = FORWARD;
      return true;
    }
    if (s.phase == FORWARD) {
      if (s.in.count > 0) {
        forward(ctx, p, in, out, tail, s);
        return true;
      }
      // This level is empty, and no one depends on the vertices of the last.
      s.phase = BACKWARD;
      s.level -= 2;
    }
    if (s.level <= 0) return false;  // the source's own score is zero
    const i32 start = load_relaxed(&p.level_starts[s.level]);
    const i32 end = load_relaxed(&p.level_starts[s.level + 1]);
    sum_lists(ctx, csr, p.order + start, end - start, Dependency{p, s.level + 1});
    --s.level;
    s.coming = {u32(start - load_relaxed(&p.level_starts[s.level])),
                u64(load_relaxed(&p.level_edges[s.level]))};
    return true;
  }

 private:
  GR_DEVICE static void forward(Context& ctx, const Problem& p, const Queue& in, const Queue& out,
                                u64* tail, State& s) {
    for (i64 i = ctx.rank(); i < i64(s.in.count); i += ctx.threads())
      p.order[s.seen + i] = vertex_t(in.items[i]);
    if (ctx.rank() == 0) {
      store_relaxed(&p.level_starts[s.level], s.seen);
      store_relaxed(&p.level_edges[s.level], i64(s.in.edges));
    }
    if (s.level > 0)  // above the source there is no level: -1 says unvisited
      sum_lists(ctx, ctx.graph.reverse, in.items, s.in.count, CountPaths{p, s.level - 1});
    Discover discover(ctx, p, s.level + 1, s.in.edges);
    advance<Kind::vertex, Kind::vertex>(ctx, ctx.graph.csr, in, s.in, out, tail, ctx.graph.csr,
                                        discover);
    s.seen += i32(s.in.count);
    s.coming = s.last;
    s.last = s.in;
    ++s.level;
  }
};
