// Certificate of PageRank: how far ranks can be from those that the iteration converges to. One more iteration
// in double precision, scattered along out-edges, changes them by `residual` in L1, and the iteration contracts
// by `damping`, so the distance is at most residual / (1 - damping). The host compares; this only computes.
//
// If ranks follow weights, a step before sums up each vertex's out-weights, from the same out-edges.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  double* ranks;   // summing to 1
  double* fresh;   // zero before
  double* slots;   // three sums of SLOTS words, zero before: lost in sinks, residual, total
  i64* degrees;    // out-degrees; null if the rows have them
  double* weights;  // sums of out-weights, zero before; null if edges take equal parts
  double damping;
  u64* broken;
  i64* first;
};

enum Condition { RANK };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    switch (s.step + (p.weights ? 0 : 1)) {
      case 0: weigh(ctx, p); return true;
      case 1: walk(ctx, p, tally); return true;
      case 2: judge(ctx, p); return true;
      default: return false;
    }
  }

 private:
  // The sum of what v passes its rank on by: weights, or one for each edge.
  GR_DEVICE static double passed(const Context& ctx, const Problem& p, vertex_t v) {
    if (p.weights) return load_relaxed(&p.weights[v]);
    return double(p.degrees ? p.degrees[v] : i64(ctx.graph.csr.row(v).length));
  }

  // On one device only, whose rows are of out-edges.
  GR_DEVICE static void weigh(const Context& ctx, const Problem& p) {
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t, edge_t e) {
      atomic_add(&p.weights[u], double(ctx.graph.csr.values[e]));
    });
  }

  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    double lost = 0, total = 0;
    for_each_vertex(ctx, [&](vertex_t v) {
      const double rank = p.ranks[v];
      tally.require((rank >= 0 && rank <= 2) || !ctx.peers.owns(v), RANK, v);  // not NaN
      if (passed(ctx, p, v) == 0) lost += rank;
      total += rank;
    });
    add_to_slots(ctx, p.slots, lost);
    add_to_slots(ctx, p.slots + 2 * SLOTS, total);
    for_each_link(ctx, [&](vertex_t u, vertex_t v, edge_t e) {
      const double weight = p.weights ? double(ctx.graph.csr.values[e]) : 1;
      if (weight != 0) atomic_add(&p.fresh[v], p.ranks[u] * weight / passed(ctx, p, u));
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p) {
    const double n = double(ctx.graph.n);
    const double base = (1 - p.damping + p.damping * sum_of_slots(p.slots)) / n;
    double residual = 0;
    for_each_own(ctx, [&](vertex_t v) {
      const double change = base + p.damping * p.fresh[v] - p.ranks[v];
      residual += change < 0 ? -change : change;
    });
    add_to_slots(ctx, p.slots + SLOTS, residual);
  }
};
