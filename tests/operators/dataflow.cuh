// Numbers of shortest paths by dataflow, for the tests: forwards over in-edges, backwards over out-edges.
#include "core/enactor.cuh"
#include "core/partition.cuh"
#include "math/wide_number.cuh"
#include "operators/dataflow.cuh"

struct Problem {
  const vertex_t* order;    // by level
  const i32* level_ends;
  const i32* labels;        // levels by vertex
  u64* counts;              // NOT_YET, except at the ends of the order where paths begin
  double* logs;             // of the counts, base 2
  i64 count;
  i64 levels;
  i64 first;                // the number of vertices in the order with counts before
  i64 backward;
  i64 lanes_log;
};

enum Phase { COUNT, READ };

struct CountPaths {
  using Own = Nothing;
  using Fetched = Nothing;
  const Problem& p;
  GR_DEVICE const u64* words() const { return p.counts; }
  GR_DEVICE const i32* ranks() const { return p.labels; }
  GR_DEVICE i32 needs(i32 label) const { return p.backward ? label + 1 : label - 1; }
  GR_DEVICE Nothing fetch(bool, vertex_t) const { return {}; }
  GR_DEVICE Nothing own(vertex_t, Nothing) const { return {}; }
  GR_DEVICE void finish(vertex_t v, Nothing, const Wide& sum) const {
    Wide all = sum;
    all.add(ONE);  // the path that begins here
    store_relaxed(&p.counts[v], to_word(all));
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.step ? READ : COUNT, s.step, p.count, 0);
    if (s.step > 1) return false;
    if (s.step == 0) {
      const Csr& lists = p.backward ? ctx.graph.csr : ctx.graph.reverse;
      const FlowOrder order{p.order, p.first, p.count, p.backward != 0, p.count / p.levels + 1, p.level_ends, p.levels};
      flow(ctx, order, lists, int(p.lanes_log), CountPaths{p});
      return true;
    }
    for_each_index(ctx, p.count, [&](i64 i) {
      const vertex_t v = p.order[i];
      const u64 word = p.counts[v];
      p.logs[v] = word == NOT_YET ? -1 : double(from_word(word).exponent) + from_word(word).mantissa - 1;
    });
    return true;
  }
};
