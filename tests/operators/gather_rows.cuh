// Rows gathered twice over all lists (gather_rows), for the tests: the sums of every column, how often each
// vertex was finished, and the result of fold_columns for both rounds' totals.
// GR_VALUE_DOUBLE: the values' type. GR_REVERSE: over in-edges. GR_CHOSEN: of chosen vertices and neighbours,
// whose mark is a factor. GR_ROWS_BY_OCTETS: by eight lanes each.
#define GR_WARP_ROWS 1
#include "core/enactor.cuh"
#include "operators/gather_rows.cuh"

#if GR_VALUE_DOUBLE
using value_t = double;
#else
using value_t = float;
#endif

struct Problem {
  const value_t* values;  // n rows, before them one of zeros
  double* sums;           // n rows
  u32* finished;          // n rows: how often
  u32* wrong;             // one word: a vertex was finished with another's sums
  double* totals;         // a row: of the sums, both rounds
  vertex_t* long_lists;
  i32* long_counts;
  const u32* wanted;      // of each vertex: 1 if it is
  const u32* marks;       // of each vertex
};

#if GR_CHOSEN
using Base = ChosenRowFunctor;
#else
using Base = RowFunctor;
#endif

struct AddUp : Base {
  using Own = vertex_t;
  const Problem& p;
  i64 entered = 0, behind = 0;
  double totals[COLUMNS];
  GR_DEVICE explicit AddUp(const Problem& problem) : p(problem) {
    for (int c = 0; c < COLUMNS; ++c) totals[c] = 0;
  }

  GR_DEVICE void enter(i64 first, int count) {
    entered = first;
    behind = first + count;
  }
  GR_DEVICE vertex_t own(vertex_t v) { return v; }
#if GR_CHOSEN
  GR_DEVICE bool wants(vertex_t v) { return p.wanted[v] != 0; }
  GR_DEVICE u32 mark(vertex_t u) { return p.marks[u]; }
  // Of a mark of 1 the odd columns are left out.
  GR_DEVICE value_t value(vertex_t own, vertex_t u, u32 mark, int column) {
    if (mark == 0 || p.wanted[own] == 0) store_relaxed(p.wrong, 1u);
    return mark == 1 && column % 2 ? value_t(0) : value_t(mark) * rows()[i64(u) * ROW + column];
  }
#endif
  GR_DEVICE const value_t* rows() const { return p.values + ROW; }
  GR_DEVICE void finish(vertex_t v, vertex_t own, const double (&sums)[COLUMNS]) {
    if (own != v || v < entered || v >= behind) store_relaxed(p.wrong, 1u);
    for (int c = 0; c < COLUMNS; ++c) {
      const i64 at = i64(v) * ROW + column_at(c);
      p.sums[at] = sums[c];
      p.finished[at] += 1;
      totals[c] += sums[c];
    }
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& rows = GR_REVERSE ? ctx.graph.reverse : ctx.graph.csr;
    const LongLists lists{p.long_lists, p.long_counts};
    if (s.step > 2) return false;
    if (s.step == 0) {
      find_long_rows(ctx, rows, lists);
    } else {
      AddUp add(p);
      gather_rows<Sum<value_t>>(ctx, rows, add, &control.counters[s.step], lists);
      fold_columns<Sum<double>>(ctx, add.totals, p.totals);
    }
    return true;
  }
};
