// Certificate of answers that are made of path lengths: those from one vertex, or to it, in hops or by weight. Every
// edge is relaxed until nothing changes, which no operator does, and the host compares what the answer says of that
// vertex. Sums of weights are rounded edge by edge, which keeps their order: in whatever order edges are relaxed, the
// least sums are the same.
#pragma once
#include "certificates/proof.cuh"
#include "math/distance.cuh"

struct Problem {
  u64* lengths;   // a double's bits, which are ordered as lengths are; infinity before, and 0 at the vertex
  u32* changed;   // three words, zero before
  i64 backward;   // true for lengths to the vertex
  i64 weighted;   // true for lengths by weight
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Flag changed{p.changed, s.step};
    changed.clear_next(ctx);
    if (s.step > 0 && !changed.was_raised()) return false;
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const double from = bits_double(load_relaxed(&p.lengths[p.backward ? v : u]));
      u64* const to = &p.lengths[p.backward ? u : v];
      const double seen = bits_double(load_relaxed(to));
      if (from >= seen) return;
      double reach = from + 1;
      if (p.weighted) {
        const weight_t sum = longer(weight_t(from), load_constant(&ctx.graph.csr.values[e]));
        if (!closer(sum, UNREACHED)) return;
        reach = double(sum);
      }
      if (reach >= seen) return;
      atomic_min(to, double_bits(reach));
      changed.raise();
    });
    return true;
  }
};
