// Sublists by falling degree, for the tests: each vertex keeps the neighbours of smaller numbers whose sum with its
// own is no multiple of three and, in a second walk, those of greater numbers whose sum is one.
#include "core/enactor.cuh"
#include "operators/number_by_degree.cuh"
#include "operators/sublists.cuh"

struct Problem {
  vertex_t* numbers;
  u32* by_degree;
  u32* places;
  edge_t* offsets;
  edge_t* ends;
  vertex_t* columns;
  u64* sums;
  i64 length;
  i64* longer;  // how many lists are longer than that
};

struct Keep {
  const Problem& p;
  bool greater;
  GR_DEVICE bool keeps(vertex_t v, vertex_t u) {
    const vertex_t x = p.numbers[v], y = p.numbers[u];
    return (greater ? y > x : y < x) && ((x + y) % 3 == 0) == greater;
  }
  GR_DEVICE i64 list(vertex_t v) { return p.numbers[v]; }
  GR_DEVICE vertex_t entry(vertex_t u) { return p.numbers[u]; }
};

enum Phase { MAKE };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& all = ctx.graph.csr;
    const Numbering to = {p.numbers, p.by_degree, p.places};
    const Sublists made = {p.offsets, p.ends, p.columns};
    ctx.show(MAKE, s.step, ctx.graph.n, 0);
    switch (s.step) {
      case 0: count_degrees(ctx, all, p.by_degree); break;
      case 1: sum_degrees(ctx, all, to, p.sums); break;
      case 2: scan_degrees(ctx, all, to, p.sums); break;
      case 3: number_vertices(ctx, all, to); break;
      case 4:
      case 5: count_entries(ctx, all, made, Keep{p, s.step == 5}); break;
      case 6: sum_lengths(ctx, ctx.graph.n, made, p.sums); break;
      case 7: scan_lengths(ctx, ctx.graph.n, made, p.sums); break;
      case 8:
      case 9:
        place_entries(ctx, all, made, Keep{p, s.step == 9});
        if (ctx.rank() == 0) *p.longer = longer_than(all, to, p.length);
        break;
      default: return false;
    }
    return true;
  }
};
