// The K greatest of every column (select_rows), for the tests: selected, then sorted.
#define GR_WARP_ROWS 1
#include "core/enactor.cuh"
#include "operators/select_rows.cuh"

struct Problem {
  const float* values;  // n rows
  vertex_t* best;       // `wanted` places per column, the greatest first; the rest stays as it is
  float* best_values;
  u32* histograms;
  u64* prefixes;
  i64* left;
  vertex_t* picks;
  float* pick_values;
  i32* counts;
  i64 wanted;
};

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    bool begun = false, selected = false;
    RowSelection select;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const RowPicks picks{p.picks, p.pick_values, p.counts, p.wanted};
    if (!s.begun) s.select = RowSelection(p.wanted);
    s.begun = true;
    if (s.selected) {
      picks.sorted(ctx, [&](int column, i64 place, vertex_t v, float x) {
        p.best[column * p.wanted + place] = v;
        p.best_values[column * p.wanted + place] = x;
      });
      return false;
    }
    auto value = [&](i64 v, int column, int) { return p.values[v * ROW + column]; };
    RowKeys keys;
    if (s.select.narrow(ctx, {p.histograms, p.prefixes, p.left}, ctx.graph.n, value, keys)) return true;
    for_each_row(ctx, ctx.graph.n, value, [&](i64 v, int column, int place, float x) {
      if (keys.takes(place, x, v)) picks.add(column, v, x);
    });
    s.selected = true;
    return true;
  }
};
