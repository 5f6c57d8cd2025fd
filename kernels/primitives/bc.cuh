// Betweenness centrality from one source. Brandes (2001); Gunrock, section 5.3.
//
// Forward: BFS; each level's frontier is kept (`order`). The shortest paths to its vertices are
// counted in pull form: a vertex sums the counts of its in-neighbours one level up. Where a level is
// discovered by push, its counts follow one step later: the sum reads only what was final at the last
// barrier, so it shares the step with the advance that discovers the next level, one barrier a level.
// Where fewer edges are left than the frontier has, vertices not yet visited look for the frontier
// and sum at once (Beamer's bottom-up step, but through the whole list).
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
  u64* counts;          // of shortest paths, as words of wide_number.cuh
  u64* ratios;          // (1 + score) / count
  float* scores;        // dependencies, zero at first
  vertex_t* order;      // vertices by level
  i32* level_starts;    // where in `order` each level begins
  i64* level_edges;     // out of each level
  i64 source;
  i64 simple;  // no parallel edges: one path leads to each neighbour of the source
};

// --- sums over neighbour lists ----------------------------------------------------------------
constexpr edge_t THREAD_EDGES = GR_CUDA ? 32 : edge_t(1) << 30;  // longer lists go to the warp,
constexpr edge_t WARP_EDGES = 4096;                              // and those to the block
constexpr int LONG_LISTS = GR_CUDA ? PASS : 1;                   // that a block can remember
constexpr int TOGETHER = 4;                                      // independent loads in flight

// The part of a list that begins at `e` and goes on in steps of `stride`.
template <class F>
GR_DEVICE void sum_part(const Csr& csr, const F& f, edge_t e, edge_t end, edge_t stride,
                        Wide& sum) {
  for (; e < end; e += TOGETHER * stride) {
    vertex_t u[TOGETHER];
    bool counts[TOGETHER];
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k)
      u[k] = e + k * stride < end ? load_constant(&csr.column_indices[e + k * stride]) : -1;
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k) counts[k] = u[k] >= 0 && f.counts(u[k]);
    GR_UNROLL
    for (int k = 0; k < TOGETHER; ++k)
      if (counts[k]) f.add(sum, u[k]);
  }
}

#if GR_CUDA
// The whole block: the sum of all its threads' sums, for thread 0.
GR_DEVICE void add_block(Context& ctx, Wide& sum) {
  u64(*parts)[WARPS] = ctx.shared.wide_scan.totals;
  sum.add_lanes(WARP);
  block_sync();
  if (lane_id() == 0) {
    parts[0][warp_id()] = double_bits(sum.mantissa);
    parts[1][warp_id()] = u64(i64(sum.exponent));
  }
  block_sync();
  if (thread_id() == 0)
    for (int w = 1; w < WARPS; ++w) sum.add(bits_double(parts[0][w]), i32(i64(parts[1][w])));
}
#endif

// For each vertex of items[0, count) that the functor wants (without items: of all vertices): sum
// its list, by a thread, a warp or the block. A part of a step.
//
// A functor has
//   bool wants(v)
//   bool counts(u)            does neighbour u contribute?
//   void add(sum, u)          what it does
//   void finish(v, sum, c)    asked of one thread; may push v to collector c
template <class F, class Item, class C>
GR_DEVICE void sum_lists(Context& ctx, const Csr& csr, const Item* items, i64 count, const F& f,
                         C& collect) {
#if GR_CUDA
  item_t* long_lists = ctx.shared.window.items;
  if (thread_id() == 0) ctx.shared.turn_winner = 0;  // how many are remembered
  block_sync();
#endif
  for (i64 base = i64(ctx.block) * BLOCK; base < count; base += ctx.threads()) {
    collect.make_room(BLOCK);
    const i64 i = base + thread_id();
    vertex_t v = 0;
    edge_t first = 0, end = 0;
    bool wanted = false;
    if (i < count) {
      v = items ? vertex_t(items[i]) : vertex_t(i);
      wanted = f.wants(v);
      if (wanted) {
        first = load_constant(&csr.row_offsets[v]);
        end = load_constant(&csr.row_offsets[v + 1]);
      }
    }
    const bool wide = WARP > 1 && end - first > THREAD_EDGES;
    if (wanted && !wide) {
      Wide sum;
      sum_part(csr, f, first, end, edge_t(1), sum);
      f.finish(v, sum, collect);
    }
#if GR_CUDA
    bool later = false;
    if (end - first > WARP_EDGES) {
      const int place = reserve(&ctx.shared.turn_winner);
      later = place < LONG_LISTS;
      if (later) long_lists[place] = item_t(v);
    }
    for (u32 left = warp_ballot(wide && !later); left; left &= left - 1) {
      const int lane = lowest_bit(left);
      Wide sum;
      sum_part(csr, f, warp_broadcast(first, lane) + lane_id(), warp_broadcast(end, lane),
               edge_t(WARP), sum);
      sum.add_lanes(WARP);
      if (lane == lane_id()) f.finish(v, sum, collect);
    }
#endif
  }
#if GR_CUDA
  block_sync();
  const int remembered = ctx.shared.turn_winner;
  for (int k = 0; k < remembered && k < LONG_LISTS; ++k) {
    const vertex_t v = vertex_t(long_lists[k]);
    Wide sum;
    sum_part(csr, f, csr.row_offsets[v] + thread_id(), csr.row_offsets[v + 1], edge_t(BLOCK), sum);
    add_block(ctx, sum);
    if (thread_id() == 0) f.finish(v, sum, collect);
  }
  block_sync();
#endif
}

// The score of a vertex is zero until the backward pass finds it to be more.
GR_DEVICE void set_count(const Problem& p, vertex_t v, u64 word) {
  const Wide count = from_word(word);
  p.counts[v] = word;
  p.ratios[v] = to_word({1 / count.mantissa, -count.exponent});
}

// Shortest paths to a vertex: those to its in-neighbours one level up.
struct CountPaths {
  const Problem& p;
  i32 above;      // level of the in-neighbours that count
  bool discover;  // of vertices not yet visited: those that have any join the level below

  GR_DEVICE bool wants(vertex_t v) const { return !discover || load_relaxed(&p.labels[v]) == -1; }
  // Labels are being written, but none that is or becomes `above`.
  GR_DEVICE bool counts(vertex_t u) const { return load_relaxed(&p.labels[u]) == above; }
  GR_DEVICE void add(Wide& sum, vertex_t u) const { sum.add(p.counts[u]); }
  template <class C>
  GR_DEVICE void finish(vertex_t v, Wide& sum, C& collect) const {
    if (sum.mantissa == 0) return;
    set_count(p, v, to_word(sum));
    if (discover) {
      store_relaxed(&p.labels[v], above + 1);
      collect.push(item_t(v));
    }
  }
};

// The dependency of the source on v: sum over w one level down of sigma(v)/sigma(w) (1 + delta(w)).
// A path to v goes on to w, so sigma(v) <= sigma(w) and a ratio never overflows. What v itself
// contributes to the ratio is left to the end: the sum is of (1 + delta(w)) / sigma(w).
struct Dependency {
  const Problem& p;
  i32 below;

  GR_DEVICE bool wants(vertex_t) const { return true; }
  GR_DEVICE bool counts(vertex_t w) const { return p.labels[w] == below; }
  GR_DEVICE void add(Wide& sum, vertex_t w) const {
    sum.add(p.ratios[w]);
  }
  template <class C>
  GR_DEVICE void finish(vertex_t v, const Wide& sum, C&) const {
    if (sum.mantissa == 0) return;  // no one below: the score stays zero
    const Wide count = from_word(p.counts[v]);
    const double score =
        count.mantissa * sum.mantissa * power_of_two(count.exponent + sum.exponent);
    p.scores[v] = float(score);
    p.ratios[v] = to_word({(1 + score) / count.mantissa, -count.exponent});
  }
};

// --- the enactor --------------------------------------------------------------------------------
struct Discover : EdgeFunctor {
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  bool direct;  // few edges: latency counts, not traffic, so straight to the atomic
  bool count;   // they are the source's neighbours: one path leads to each
  GR_DEVICE Discover(const Context& ctx, const Problem& problem, i32 d, u64 edges)
      : p(problem), depth(d), direct(GR_CUDA && edges < 128 + 64 * u64(ctx.blocks)),
        count(d == 1 && p.simple) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return direct || load_relaxed(&p.labels[d]) == -1;
  }
  GR_DEVICE bool cond_edge(vertex_t, vertex_t d, edge_t) {
    return atomic_cas(&p.labels[d], -1, depth) == -1;
  }
  GR_DEVICE void apply_edge(vertex_t, vertex_t d, edge_t) {
    if (count) set_count(p, d, ONE);
  }
};

enum Phase { BEGIN, FORWARD, BACKWARD, PULL = 7 };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 level = 0;         // that the next step works on
    i32 seen = 0;          // vertices in the levels above
    bool counted = true;   // the paths to this level are counted (the source's are)
    i64 explored = 0;      // edges out of the levels above
    Size last = {0, 0};    // forward: the level before `level`
    Size coming = {0, 0};  // the level that the backward pass would work on next
  };

  // Asked about small in-frontiers only. The backward pass has none: its levels are slices of
  // `order`, and the first of them may be reached from a frontier that is empty.
  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == PULL) return false;
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
    if (s.phase == PULL) {
      discover_by_pull(ctx, p, out, tail, s.level - 1);
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
    Collector<Kind::none> nothing(ctx, out, tail, csr);
    sum_lists(ctx, csr, p.order + start, end - start, Dependency{p, s.level + 1}, nothing);
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
    s.explored += i64(s.in.edges);
    // Fewer are left over: pull. (Not by a lone block: what it finds might not fit its queue.)
    const bool pull = !ctx.solo && i64(s.in.edges) > ctx.graph.m - s.explored;
    if (!s.counted) {
      Collector<Kind::none> nothing(ctx, out, tail, ctx.graph.csr);
      sum_lists(ctx, ctx.graph.reverse, in.items, s.in.count, CountPaths{p, s.level - 1, false},
                nothing);
    }
    if (!pull) {
      Discover discover(ctx, p, s.level + 1, s.in.edges);
      advance<Kind::vertex, Kind::vertex>(ctx, ctx.graph.csr, in, s.in, out, tail, ctx.graph.csr,
                                          discover);
    } else if (s.counted) {
      discover_by_pull(ctx, p, out, tail, s.level);
    } else {
      s.phase = PULL;  // the counts that it sums are final in the next step
    }
    s.counted = pull || (s.level == 0 && p.simple);
    s.seen += i32(s.in.count);
    s.coming = s.last;
    s.last = s.in;
    ++s.level;
  }

  // Vertices not yet visited look for neighbours at level `above`, and count the paths from there.
  GR_DEVICE static void discover_by_pull(Context& ctx, const Problem& p, const Queue& out, u64* tail,
                                         i32 above) {
    Collector<Kind::vertex> found(ctx, out, tail, ctx.graph.csr);
    sum_lists(ctx, ctx.graph.reverse, (const item_t*)nullptr, ctx.graph.n,
              CountPaths{p, above, true}, found);
    found.flush();
  }
};
