// Betweenness centrality from one source, edge by edge: two advances over frontiers of edges. Jia (2011);
// Gunrock, section 5.3.
//
// A level is the edges that discovered its vertices, one for each. Forward, an advance from these edges over
// the lists of their ends claims the vertices of the next level and adds up the paths to them. Backward, the
// levels become frontiers again, last first, and an advance from the same edges over the same lists adds up
// each vertex's share from one level down. Both use atomics. Counts are updated by compare-and-swap, since they
// have exponents of their own (math/wide_number.cuh).
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "math/wide_number.cuh"

struct Problem {
  i32* labels;         // depth, -1 while unvisited
  u64* counts;         // of shortest paths, as words of wide_number.cuh; 0, a negligible count, at first
  double* sums;        // sums of scores, zero at first
  float* scores;       // dependencies, zero at first
  edge_t* order;       // edges by level
  i32* level_starts;   // where in `order` each level begins; the first, level 1, at 0
  i64 source;
};

// Adds to the paths that lead to a vertex.
GR_DEVICE void add_paths(u64* count, const Wide& paths) {
  u64 seen = load_relaxed(count);
  for (;;) {
    Wide sum = from_word(seen);
    sum.add(paths.mantissa, paths.exponent);
    const u64 before = atomic_cas(count, seen, to_word(sum));
    if (before == seen) return;
    seen = before;
  }
}

// Adds the `paths` of an edge to d; true if the edge discovers d, at this depth.
GR_DEVICE bool reach(const Problem& p, vertex_t d, i32 depth, const Wide& paths) {
  const i32 before = atomic_cas(&p.labels[d], -1, depth);
  if (before != -1 && before != depth) return false;
  add_paths(&p.counts[d], paths);
  return before == -1;
}

struct Begin : VertexFunctor {  // the edges out of the source: one path leads along each
  const Problem& p;
  const Csr& csr;
  GR_DEVICE Begin(const Problem& problem, const Csr& lists) : p(problem), csr(lists) {}
  GR_DEVICE bool visit(item_t e) { return reach(p, csr.neighbor(e), 1, from_word(ONE)); }
};

struct Discover : EdgeFunctor {
  struct Carry {
    u64 paths;
  };
  const Problem& p;
  i32 depth;  // of the vertices that this step reaches
  GR_DEVICE Discover(const Problem& problem, i32 d) : p(problem), depth(d) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t, edge_t, Carry& carry) { carry.paths = p.counts[s]; }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t, Carry&) {
    const i32 label = load_relaxed(&p.labels[d]);
    return label == -1 || label == depth;
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    return reach(p, d, depth, from_word(carry.paths));
  }
};

// The dependency of the source on v: sum over w one level down of sigma(v)/sigma(w) (1 + delta(w)).
struct Depend : EdgeFunctor {
  const Problem& p;
  i32 below;
  GR_DEVICE Depend(const Problem& problem, i32 level) : p(problem), below(level) {}

  GR_DEVICE bool peek(vertex_t, vertex_t w, edge_t) { return p.labels[w] == below; }
  GR_DEVICE bool visit(vertex_t v, vertex_t w, edge_t) {
    const Wide to_v = from_word(p.counts[v]), to_w = from_word(p.counts[w]);
    const double share = to_v.mantissa / to_w.mantissa * power_of_two(to_v.exponent - to_w.exponent);
    atomic_add(&p.sums[v], share * (1 + load_relaxed(&p.sums[w])));
    return false;
  }
};

enum Phase { BEGIN, FORWARD, BACKWARD, FINISH };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 level = 0;  // the level whose edges are the step's frontier
    i32 seen = 0;   // edges in the levels above
  };

  // On the way back the next level may be larger than this one.
  GR_DEVICE static bool fits_block(const State& s) { return s.phase == FORWARD && s.in.count > 0; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& csr = ctx.graph.csr;
    ctx.show(s.phase, s.level, s.in);
    switch (s.phase) {
      case BEGIN:
        filter<E>(ctx, s, OutEdges(csr, p.source), csr, Begin(p, csr));
        s.phase = FORWARD;
        s.level = 1;
        return true;
      case FORWARD:
        if (s.in.count > 0) {
          forward(ctx, p, s);
          return true;
        }
        // This level is empty, and nobody depends on the vertices of the last level.
        s.level -= 2;
        s.phase = BACKWARD;
        queue_level(ctx, p, s);
        return s.level > 0;
      case BACKWARD:
        advance<E>(ctx, s, Depend(p, s.level + 1));
        if (--s.level > 0) {
          block_sync();  // both operators use the block's scratch
          queue_level(ctx, p, s);
        } else {
          s.phase = FINISH;
        }
        return true;
      default:
        ctx.show(FINISH, 0, ctx.graph.n, 0);
        for_each_index(ctx, ctx.graph.n, [&](i64 v) { p.scores[v] = float(p.sums[v]); });
        return false;
    }
  }

 private:
  // Keeps this level, and discovers the next.
  GR_DEVICE static void forward(Context& ctx, const Problem& p, State& s) {
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t e) { p.order[s.seen + i] = e; });
    s.seen += i32(s.in.count);
    if (ctx.rank() == 0) store_relaxed(&p.level_starts[s.level + 1], s.seen);
    advance<E, E>(ctx, s, Discover(p, s.level + 1));
    ++s.level;
  }

  // Makes a frontier of a level that was kept.
  GR_DEVICE static void queue_level(Context& ctx, const Problem& p, const State& s) {
    if (s.level <= 0) return;
    const i32 start = load_relaxed(&p.level_starts[s.level]);
    const i32 end = load_relaxed(&p.level_starts[s.level + 1]);
    filter<E>(ctx, s, Listed<edge_t>{p.order + start, end - start}, ctx.graph.csr, VertexFunctor{});
  }
};
