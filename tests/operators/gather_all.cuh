// Two sums over all lists (gather_all), for the tests: the sum of every list, and how often each vertex was
// finished.
// GR_VALUE_DOUBLE: the values' type. GR_REVERSE: over in-edges. GR_PADDED: from a padded copy (gather_padded).
// GR_PAIRS: of two adjacent values per vertex, with two sums.
#include "core/enactor.cuh"
#include "operators/gather_padded.cuh"

#if GR_VALUE_DOUBLE
using value_t = double;
#else
using value_t = float;
#endif

#if GR_PAIRS
using Word = Pair<value_t>;
using Words = SumPair<value_t>;
#else
using Word = value_t;
using Words = Sum<value_t>;
#endif

struct Problem {
  const value_t* values;
  double* sums;      // of each vertex, as the values
  double* again;     // the second time
  u32* finished;     // of each vertex: how often
  u32* wrong;        // one word: a vertex was finished with another's sum
  vertex_t* long_lists;
  i32* long_counts;
  vertex_t* padded;
};

struct AddUp : GatherFunctor {
  struct Own {
    vertex_t v;
  };
  const Problem& p;
  const Csr& lists;
  const Word* values;
  bool again;
  GR_DEVICE AddUp(const Problem& problem, const Csr& rows, bool second)
      : p(problem), lists(rows), values((const Word*)problem.values), again(second) {}

  GR_DEVICE Own own(vertex_t v, edge_t length) { return {length == lists.row(v).length ? v : -1}; }
  GR_DEVICE void ask(vertex_t u) { prefetch_near(&values[u]); }
  GR_DEVICE Word value(vertex_t u, edge_t) { return values[u]; }
  GR_DEVICE bool finish(vertex_t v, const Own& own, const typename Words::Total& sum) {
    if (own.v != v) store_relaxed(p.wrong, 1u);
    atomic_add(&p.finished[v], 1u);
    ((typename Words::Total*)(again ? p.again : p.sums))[v] = sum;
    return false;
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& rows = GR_REVERSE ? ctx.graph.reverse : ctx.graph.csr;
    const LongLists lists{p.long_lists, p.long_counts};
    if (s.step > 2) return false;
    const PaddedTiers<value_t> padded{{p.padded}, lists};
    if (s.step == 0 && GR_PADDED) {
      padded.make(ctx, rows);
    } else if (s.step == 0) {
      find_long_lists<Shape(GR_LISTS)>(ctx, rows, lists);
    } else {
      AddUp add(p, rows, s.step > 1);
#if GR_PADDED
      gather<Words>(ctx, s, Range{ctx.graph.n}, rows, add, padded.begin(ctx));
#else
      gather<Words, AllLists<Shape(GR_LISTS)>>(ctx, s, Range{ctx.graph.n}, rows, add,
                                                      {&control.counters[s.step], lists});
#endif
    }
    return true;
  }
};
