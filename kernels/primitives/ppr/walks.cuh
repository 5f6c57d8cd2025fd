// Personalized PageRank by walks (Monte Carlo; Fogaras and others 2005): a walk begins at a seed, and before each edge
// that it follows it ends by chance. Where no edge leads on it begins again, without having ended. The share of walks
// that end at a vertex estimates its rank.
//
// A walk is a function of its number, so the answer is the same in every run. A thread whose walk has ended goes on with
// the next one, so that no lane waits for another's walk.
//
// Options: GR_WEIGHTED, follows edges by weight.
#pragma once
#include "core/enactor.cuh"
#include "operators/pick.cuh"

struct Problem {
  const vertex_t* seeds;
  i64 seed_count;
  i64 walks;
  u64 start_key;  // of the words that pick seeds,
  u64 pick_key;   // that pick edges,
  u64 stop_key;   // and that end walks
  u64 damping;    // the chance to go on, of 2^32
  u64* table;     // of the alias method; null without GR_WEIGHTED
  u32* ends;      // how many walks end at each vertex; zero before
};

enum Phase { WALK };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(WALK, 0, p.walks, 0);
#if GR_WEIGHTED
    const ByWeight pick{ctx.graph.csr, p.table};
#else
    const Evenly pick{ctx.graph.csr};
#endif
    u64 number = u64(ctx.rank()) << 32;  // of the walk, above its steps
    vertex_t v = -1;
    while (i64(number >> 32) < p.walks) {
      if (v < 0) v = p.seeds[below(u64(p.seed_count), random_word(p.start_key, number))];
      if (happens(p.damping, random_word(p.stop_key, number))) {
        const edge_t e = pick(v, random_word(p.pick_key, number));
        v = e < 0 ? vertex_t(-1) : ctx.graph.csr.neighbor(e);
        ++number;
        ctx.count_edges(e >= 0);
      } else {
        atomic_add(&p.ends[v], 1u);
        number = ((number >> 32) + u64(ctx.threads())) << 32;
        v = -1;
      }
    }
    return true;
  }
};
