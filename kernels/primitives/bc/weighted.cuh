// Betweenness centrality from one source over paths of least weight, all weights above zero. Brandes (2001).
//
// RELAX: distances by relaxing from frontiers (Bellman and Ford), in double precision. The sum along a path is
// rounded edge by edge, and rounding keeps the order of sums, so that the least sums are the same in whatever
// order edges are relaxed; Dijkstra's algorithm in double precision finds them, too. An edge is tight if it
// leads to its end's distance, exactly, from a smaller one. Tight edges have no cycle, and the paths along them
// are the shortest ones.
//
// COUNT: each vertex counts the tight edges that lead to it. FORWARD: a vertex enters the frontier once all of
// its tight in-edges are released, and sums up the paths of their sources one step later, as in in_step.cuh.
// BACKWARD: the frontiers in reverse; a vertex sums over its tight out-edges.
#pragma once
#include "core/enactor.cuh"
#include "math/wide_sum.cuh"
#include "operators/compute.cuh"
#include "operators/gather.cuh"

struct Problem {
  u64* distances;    // a double's bits, which are ordered as the distances are; infinity if unreached
  i32* queued;       // the step that queued a vertex last; -1 at first
  i32* waiting;      // tight in-edges that are not released yet
  u64* counts;       // of shortest paths, as words of wide_number.cuh
  u64* ratios;       // (1 + score) / count
  float* scores;     // dependencies, zero at first
  vertex_t* order;   // vertices by frontier
  i32* level_starts; // where in `order` each frontier begins; the first is 0
  i32* vanished;     // a reached vertex without a tight in-edge; -1 if there is none
  i64 source;
};

constexpr u64 INFINITE = u64(0x7ff) << 52;

GR_DEVICE double distance_of(const Problem& p, vertex_t v) {
  return bits_double(load_relaxed(&p.distances[v]));
}

struct Relax : EdgeFunctor {
  struct Carry {
    double reach;
    u64 seen;
  };
  const Problem& p;
  const weight_t* weights;
  i32 step;
  GR_DEVICE Relax(const Problem& problem, const weight_t* values, u32 number)
      : p(problem), weights(values), step(i32(number)) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t d, edge_t e, Carry& carry) {
    carry.reach = distance_of(p, s) + double(load_constant(&weights[e]));
    carry.seen = load_relaxed(&p.distances[d]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry& carry) { return double_bits(carry.reach) < carry.seen; }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    const u64 bits = double_bits(carry.reach);
    return bits < atomic_min(&p.distances[d], bits) && atomic_max(&p.queued[d], step) < step;
  }
};

// Tests if an edge is tight. Distances are final.
struct Tight {
  const Problem& p;
  const weight_t* weights;
  GR_DEVICE bool operator()(vertex_t from, vertex_t to, edge_t e) const {
    const double near = distance_of(p, from), far = distance_of(p, to);
    return near < far && far < bits_double(INFINITE) && near + double(weights[e]) == far;
  }
};

struct CountTight : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  Tight tight;
  GR_DEVICE CountTight(const Problem& problem, const weight_t* values) : p(problem), tight{problem, values} {}

  GR_DEVICE bool wants(vertex_t v) const { return p.distances[v] < INFINITE && v != p.source; }
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) const { return tight(u, v, e); }
  GR_DEVICE bool finish(vertex_t v, u64 total) const {
    p.waiting[v] = i32(total);
    if (total == 0) store_relaxed(p.vanished, v);
    return false;
  }
};

struct Release : EdgeFunctor {
  const Problem& p;
  Tight tight;
  GR_DEVICE Release(const Problem& problem, const weight_t* values) : p(problem), tight{problem, values} {}

  GR_DEVICE bool peek(vertex_t s, vertex_t d, edge_t e) { return tight(s, d, e); }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) { return atomic_add(&p.waiting[d], -1) == 1; }
};

struct CountPaths : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  Tight tight;
  GR_DEVICE CountPaths(const Problem& problem, const weight_t* values) : p(problem), tight{problem, values} {}

  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) const { return tight(u, v, e); }
  GR_DEVICE Wide value(vertex_t u, edge_t) const { return from_word(p.counts[u]); }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) const {
    const u64 word = to_word(sum);
    const Wide count = from_word(word);
    p.counts[v] = word;
    p.ratios[v] = to_word({1 / count.mantissa, -count.exponent});
    return false;
  }
};

// As in in_step.cuh: the sum is of (1 + delta(w)) / sigma(w); sigma(v) is multiplied in at the end.
struct Dependency : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  Tight tight;
  GR_DEVICE Dependency(const Problem& problem, const weight_t* values) : p(problem), tight{problem, values} {}

  GR_DEVICE bool peek(vertex_t w, vertex_t v, edge_t e) const { return tight(v, w, e); }
  GR_DEVICE Wide value(vertex_t w, edge_t) const { return from_word(p.ratios[w]); }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) const {
    if (sum.mantissa == 0) return false;  // no vertex depends on it: the score stays zero
    const Wide count = from_word(p.counts[v]);
    const double score = count.mantissa * sum.mantissa * power_of_two(count.exponent + sum.exponent);
    p.scores[v] = float(score);
    p.ratios[v] = to_word({(1 + score) / count.mantissa, -count.exponent});
    return false;
  }
};

enum Phase { BEGIN, RELAX, COUNT, FORWARD, BACKWARD };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 level = 0;  // the frontier that the next step works on
    i32 seen = 0;   // vertices in the frontiers before
  };

  GR_DEVICE static bool fits_block(const State& s) {
    return (s.phase == RELAX || s.phase == FORWARD) && s.in.count > 0;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.phase == RELAX && s.in.count == 0) s.phase = COUNT;
    if (s.phase == FORWARD && s.in.count == 0) {
      s.phase = BACKWARD;
      s.level -= 2;  // nobody depends on the vertices of the last frontier
    }
    ctx.show(s.phase, s.level, s.in);
    switch (s.phase) {
      case BEGIN:
        seed<V>(ctx, s, item_t(p.source));
        s.phase = RELAX;
        return true;
      case RELAX:
        advance<V, V>(ctx, s, Relax(p, ctx.graph.csr.values, s.step));
        return true;
      case COUNT:
        gather<Sum<u32>, HubTiers>(ctx, s, Range{ctx.graph.n}, ctx.graph.reverse,
                                         CountTight(p, ctx.graph.reverse.values));
        seed<V>(ctx, s, item_t(p.source));
        s.phase = FORWARD;
        return true;
      case FORWARD:
        forward(ctx, p, s);
        return true;
      default:
        return backward(ctx, p, s);
    }
  }

 private:
  // Keeps the frontier, counts the paths to it, and releases its tight edges.
  GR_DEVICE static void forward(Context& ctx, const Problem& p, State& s) {
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t v) { p.order[s.seen + i] = vertex_t(v); });
    s.seen += i32(s.in.count);
    if (ctx.rank() == 0) store_relaxed(&p.level_starts[s.level + 1], s.seen);
    if (s.level > 0)
      gather<WideSum, LevelTiers>(ctx, s, members(ctx.in(s)), ctx.graph.reverse,
                                  CountPaths(p, ctx.graph.reverse.values));
    advance<V, V>(ctx, s, Release(p, ctx.graph.csr.values));
    ++s.level;
  }

  // True until the source's neighbours have their scores; its own is zero.
  GR_DEVICE static bool backward(Context& ctx, const Problem& p, State& s) {
    if (s.level <= 0) return false;
    const i32 start = load_relaxed(&p.level_starts[s.level]);
    const i32 end = load_relaxed(&p.level_starts[s.level + 1]);
    gather<WideSum, LevelTiers>(ctx, s, Listed<vertex_t>{p.order + start, end - start}, ctx.graph.csr,
                                Dependency(p, ctx.graph.csr.values));
    --s.level;
    return true;
  }
};
