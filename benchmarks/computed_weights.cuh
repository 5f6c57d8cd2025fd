// What SSSP does with a weight, for all edges at once: is the way to one end, and on over the edge, shorter
// than the other end's? With GR_COMPUTED the weight is the hash that graph/model/weights.py stores, else it is read.
#pragma once
#include "certificates/proof.cuh"

struct Problem {
  i32* distances;
  u64 key;
  i64 low;
  i64 span;
  u64* sums;  // of the edges that make an end closer, of what all edges lead to
};

namespace gunrock {

GR_DEVICE u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// As rng.hash_counters and rng.scaled_wide, of a span below 2^32.
GR_DEVICE i32 hashed_weight(const Problem& p, vertex_t u, vertex_t v) {
  constexpr u64 GOLDEN = 0x9E3779B97F4A7C15ull;
  const u64 pair = u64(u < v ? u : v) << 32 | u64(u < v ? v : u);
  const u64 word = mixed(mixed(pair * GOLDEN + p.key) + GOLDEN);
  const u64 span = u64(p.span), high = (word >> 32) * span, low = (word & 0xffffffffu) * span;
  return i32(p.low + i64((high + (low >> 32)) >> 32));
}

}  // namespace gunrock

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    u64 closer = 0, reach = 0;
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      const i32 weight = GR_COMPUTED ? hashed_weight(p, u, v) : load_constant(&ctx.graph.csr.values[e]);
      const i32 sum = p.distances[u] + weight;
      closer += sum < p.distances[v];
      reach += u64(sum);
    });
    atomic_add(&p.sums[0], closer);
    atomic_add(&p.sums[1], reach);
    return true;
  }
};
