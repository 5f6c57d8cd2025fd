// Certificate of SSSP: distances from a source are right if and only if: the source's is 0; no edge leads
// anywhere sooner; and from every reached vertex a chain of tight edges (whose weight is the difference of
// their ends' distances) leads back to the source. A tight edge from a strictly closer vertex is enough for a
// link of that chain. If weights are zero, or too small to show, tight edges join vertices at the same distance
// and could form a cycle. Explanations then spread along them, round by round, from vertices that have one;
// given predecessors are followed to the source by pointer doubling.
//
// Sums of floats are compared within `slack`, relative to the sum: their rounding depends on the order.
#pragma once
#include "certificates/proof.cuh"
#include "math/distance.cuh"

struct Problem {
  weight_t* distances;  // UNREACHED if there is no path
  i32* predecessors;    // or null
  u32* explained;       // zero before
  i32* ancestors;       // of n, with predecessors
  u32* flags;           // three words, zero before
  i64 source;
  double slack;
  u64* broken;
  i64* first;
};

enum Condition { DISTANCE, SOURCE, SOONER, UNEXPLAINED, PREDECESSOR, CIRCLE };

struct Tight {  // an edge from u to v
  bool sooner;  // it makes v closer than it claims to be
  bool tight;
  bool closer;  // u is strictly closer
};

struct Enactor : WholeGridEnactor {
  enum Stage { EDGES, SPREAD, JUDGE, DOUBLING, CIRCLES, DONE };
  struct State : LoopState {
    i32 stage = EDGES;
    i32 round = 0;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    const Flag more{p.flags, s.step};
    if (s.stage == SPREAD && s.round > 0 && !more.was_raised()) s.stage = JUDGE;
    more.clear_next(ctx);
    if (s.stage == EDGES) {
      each_edge(ctx, p, tally);
      s.stage = p.predecessors ? JUDGE : SPREAD;
    } else if (s.stage == SPREAD) {
      spread(ctx, p, more);
      ++s.round;
    } else if (s.stage == JUDGE) {
      each_vertex(ctx, p, tally);
      s.stage = p.predecessors ? DOUBLING : DONE;
      s.round = 0;
    } else if (s.stage == DOUBLING) {  // a chain of n edges takes log2(n) rounds
      for_each_vertex(ctx, [&](vertex_t v) {
        const i32 a = load_relaxed(&p.ancestors[v]);
        store_relaxed(&p.ancestors[v], load_relaxed(&p.ancestors[a]));
      });
      if ((i64(1) << ++s.round) > ctx.graph.n) s.stage = CIRCLES;
    } else if (s.stage == CIRCLES) {
      for_each_vertex(ctx, [&](vertex_t v) {
        tally.require(!reached(p.distances[v]) || p.ancestors[v] == p.source, CIRCLE, v);
      });
      s.stage = DONE;
    } else {
      return false;
    }
    return true;
  }

 private:
  GR_DEVICE static bool reached(weight_t distance) {
    return distance >= 0 && distance < UNREACHED;  // not NaN
  }

  GR_DEVICE static Tight look(const Context& ctx, const Problem& p, vertex_t u, vertex_t v, edge_t e) {
    const double sum = double(p.distances[u]) + double(load_constant(&ctx.graph.csr.values[e]));
    const double own = double(p.distances[v]), slack = p.slack * sum;
    if (!reached(p.distances[v])) return {true, false, false};
    return {own > sum + slack, sum <= own + slack, p.distances[u] < p.distances[v]};
  }

  GR_DEVICE static void each_edge(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (!reached(p.distances[u])) return;
      const Tight edge = look(ctx, p, u, v, e);
      tally.require(!edge.sooner, SOONER, v);
      const bool links = p.predecessors ? p.predecessors[v] == u : edge.closer;
      if (edge.tight && links) store_relaxed(&p.explained[v], 1u);
    });
  }

  // Spreads explanations along tight edges, but not from unreached vertices, which have none.
  GR_DEVICE static void spread(const Context& ctx, const Problem& p, const Flag& more) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (!reached(p.distances[u]) || load_relaxed(&p.explained[v])) return;
      if (u != p.source && !load_relaxed(&p.explained[u])) return;
      if (!look(ctx, p, u, v, e).tight) return;
      store_relaxed(&p.explained[v], 1u);
      more.raise();
    });
  }

  GR_DEVICE static void each_vertex(const Context& ctx, const Problem& p, const Tally& tally) {
    for_each_vertex(ctx, [&](vertex_t v) {
      const weight_t distance = p.distances[v];
      const bool is_source = v == p.source, linked = is_source || p.explained[v];
      tally.require(reached(distance) || distance == UNREACHED, DISTANCE, v);
      tally.require(!is_source || distance == 0, SOURCE, v);
      tally.require(!reached(distance) || linked, p.predecessors ? PREDECESSOR : UNEXPLAINED, v);
      if (!p.predecessors) return;
      const i32 parent = p.predecessors[v];
      const bool expected = reached(distance) && !is_source;
      tally.require(expected || parent == -1, PREDECESSOR, v);
      const bool valid = expected && parent >= 0 && parent < ctx.graph.n;
      p.ancestors[v] = valid ? parent : v;
    });
  }
};
