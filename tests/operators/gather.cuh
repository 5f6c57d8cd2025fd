// Two gathers in one step, for the tests: over out-lists by tiers that are small enough for every tier to
// work, of the entries that a peek lets through, and over in-lists of all entries by its own shape. The
// results are folded over the grid.
// GR_MONOID: 0 sum, 1 least, 2 argmin, 3 or, 4 first. GR_WHO: 0 all vertices, 1 the frontier, 2 vertices
// outside a bitmap. GR_THREADS: 1 every list by its thread, 2 some by eight lanes (whose owners notify no
// one). GR_SHAPE: of the in-lists. GR_EMPTY: vertices without a list are finished too. GR_BOTH_ENDS: the
// value of an out-edge depends on both ends and on what is carried (a sum). Vertices with an even total notify their lists.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/gather_all.cuh"

struct Problem {
  u32* values;
  vertex_t* frontier;
  i64 count;
  u32* bits;
  u64* out_totals;   // of each vertex
  u64* in_totals;
  u32* finished;     // how often by the first gather
  u32* notified;         // each edge, how often
  u64* folded;       // over the grid: sum, least and argmin of what the second gather finished
  vertex_t* long_lists;
  i32* long_counts;
  item_t* kept;
  i64* kept_count;
};

#if GR_MONOID == 0
using Monoid = Sum<u32>;
#elif GR_MONOID == 1
using Monoid = Least<u32>;
#elif GR_MONOID == 2
using Monoid = ArgMin;
#elif GR_MONOID == 3
using Monoid = Or;
#else
using Monoid = First;
#endif
using Total = Monoid::Total;
#if GR_THREADS == 1
using Policy = ByThread<2>;
#elif GR_THREADS == 2
using Policy = Tiers<4, 70, 2, 0, 50>;
#else
using Policy = Tiers<4, 70, 2>;
#endif
constexpr Shape SHAPE = Shape(GR_SHAPE);

GR_DEVICE Monoid::Value contribution(const Problem& p, vertex_t u, edge_t e) {
#if GR_MONOID == 2
  return keyed(p.values[u], u32(u));
#elif GR_MONOID == 4
  return {u, e};
#else
  return p.values[u];
#endif
}
GR_DEVICE u64 as_word(const Entry& x) { return x.found() ? u64(x.e) + 1 : 0; }
GR_DEVICE u64 as_word(u64 x) { return x; }

struct OverOut : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = GR_EMPTY;
  static constexpr bool NOTIFIES = GR_THREADS != 2;
  const Problem& p;
  GR_DEVICE explicit OverOut(const Problem& problem) : p(problem) {}
  GR_DEVICE bool wants(vertex_t v) { return v % 7 != 6; }
  GR_DEVICE bool passes(vertex_t v) { return v % 14 == 6; }
#if GR_BOTH_ENDS
  using Carry = edge_t;
  GR_DEVICE edge_t fetch(edge_t e) { return e + 1; }
  GR_DEVICE bool peek(vertex_t u, vertex_t, edge_t e, edge_t carry) { return u % 3 != 0 && carry == e + 1; }
  GR_DEVICE u64 value(vertex_t u, vertex_t v, edge_t, edge_t carry) { return contribution(p, u, carry - 1) ^ u32(v); }
#else
  GR_DEVICE bool peek(vertex_t u, vertex_t, edge_t) { return u % 3 != 0; }
  GR_DEVICE Monoid::Value value(vertex_t u, edge_t e) { return contribution(p, u, e); }
#endif
  GR_DEVICE bool finish(vertex_t v, const Total& total) {
    p.out_totals[v] = as_word(total);
    atomic_add(&p.finished[v], 1u);
    return v % 2 == 0;
  }
  // (Which of several entries is First differs from run to run; that there is one does not.)
  GR_DEVICE bool notifies(const Total& total) {
    return as_word(total) % (GR_MONOID == 4 ? ~u64(0) : 2) == 0;
  }
  GR_DEVICE vertex_t knows(vertex_t u) { return u; }
  GR_DEVICE void notify(vertex_t u, vertex_t, edge_t e, vertex_t known) {
    atomic_add(&p.notified[e], known == u ? 1u : 2u);
  }
};

struct OverIn : GatherFunctor {
  struct Own {
    u32 value;
  };
  const Problem& p;
  u64 sum = 0, least = Least<u64>::zero(), argmin = ArgMin::zero();
  GR_DEVICE explicit OverIn(const Problem& problem) : p(problem) {}
  GR_DEVICE Own own(vertex_t v, edge_t) { return {p.values[v]}; }
  GR_DEVICE Monoid::Value value(vertex_t u, edge_t e) { return contribution(p, u, e); }
  GR_DEVICE bool finish(vertex_t v, const Own& own, const Total& total) {
    p.in_totals[v] = as_word(total);
    sum += own.value;
    Least<u64>::join(least, u64(own.value));
    ArgMin::join(argmin, keyed(own.value, u32(v)));
    return false;
  }
};

enum Phase { FILL, GATHER, COPY };

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = FILL;
  };
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const LongLists known{p.long_lists, p.long_counts};
    ctx.show(s.phase, 0, s.in);
    if (s.phase == FILL) {
      find_long_lists<SHAPE>(ctx, ctx.graph.reverse, known);
      Collector<V> collect(ctx, ctx.out(s), ctx.graph.csr);
      for (i64 base = i64(ctx.block) * BLOCK; base < p.count; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() < p.count) collect.push(p.frontier[base + thread_id()]);
      }
      collect.flush();
      s.phase = GATHER;
      return true;
    }
    if (s.phase == GATHER) {
#if GR_WHO == 0
      const Range who{ctx.graph.n};
#elif GR_WHO == 1
      const auto who = members(ctx.in(s));
#else
      const Outside who{p.bits, ctx.graph.n};
#endif
      gather<Monoid, Policy, V>(ctx, s, who, ctx.graph.csr, OverOut(p));
#if GR_MONOID < 4
      block_sync();  // both use the block's storage
      OverIn in(p);
      gather<Monoid, AllLists<SHAPE>>(ctx, s, Range{ctx.graph.n}, ctx.graph.reverse, in,
                                      {&control.counters[0], known});
      fold_grid<Sum<u64>>(ctx, in.sum, &p.folded[0]);
      fold_grid<Least<u64>>(ctx, in.least, &p.folded[1]);
      fold_grid<ArgMin>(ctx, in.argmin, &p.folded[2]);
#endif
      s.phase = COPY;
      return true;
    }
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t item) { p.kept[i] = item; });
    if (ctx.rank() == 0) p.kept_count[0] = s.in.count;
    return false;
  }
};
