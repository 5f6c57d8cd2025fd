// The number of indices of each class, for the tests.
#include "core/enactor.cuh"
#include "operators/histogram.cuh"

struct Problem {
  i64* classes;
  i64 count;
  u32* counts;
};

enum Phase { TALLY };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(TALLY, 0, p.count, 0);
    histogram(ctx, p.count, [&](i64 i) { return p.classes[i]; }, p.counts);
    return true;
  }
};
