// Certificate of PageRank: how far ranks can be from those that the iteration converges to. One more iteration
// in double precision, scattered along out-edges, changes them by `residual` in L1, and the iteration contracts
// by `damping`, so the distance is at most residual / (1 - damping). The host compares; this only computes.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  double* ranks;   // summing to 1
  double* fresh;   // zero before
  double* slots;   // three sums of SLOTS words, zero before: lost in sinks, residual, total
  i64* degrees;    // out-degrees; null if the rows have them
  double damping;
  u64* broken;
  i64* first;
};

enum Condition { RANK };

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static i64 degree(const Context& ctx, const Problem& p, vertex_t v) {
    return p.degrees ? p.degrees[v] : i64(ctx.graph.csr.row(v).length);
  }

  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    double lost = 0, total = 0;
    for_each_vertex(ctx, [&](vertex_t v) {
      const double rank = p.ranks[v];
      tally.require((rank >= 0 && rank <= 2) || !ctx.peers.owns(v), RANK, v);  // not NaN
      if (degree(ctx, p, v) == 0) lost += rank;
      total += rank;
    });
    add_to_slots(ctx, p.slots, lost);
    add_to_slots(ctx, p.slots + 2 * SLOTS, total);
    for_each_link(ctx, [&](vertex_t u, vertex_t v, edge_t) {
      atomic_add(&p.fresh[v], p.ranks[u] / double(degree(ctx, p, u)));
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally&) {
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
