// Steps of work with an exchange between each two, for the tests: a step adds the mailbox to its values,
// the exchange fills the mailbox with the values in reverse, as another device would.
#include "core/enactor.cuh"
#include "operators/compute.cuh"

struct Problem {
  i64* values;
  i64* mailbox;
  i64 steps;
};

struct Reverse : OneDevice {
  static constexpr bool EXCHANGES = true;
  template <class State>
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, const State&) {
    const i64 n = ctx.graph.n;
    for_each_index(ctx, n, [&](i64 i) { p.mailbox[i] = load_relaxed(&p.values[n - 1 - i]); });
  }
};

struct Enactor {
  using Team = Reverse;
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State&) { return true; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(0, s.step, s.in);
    if (i64(s.step) >= p.steps) return false;
    for_each_index(ctx, ctx.graph.n,
                   [&](i64 i) { p.values[i] += load_relaxed(&p.mailbox[i]) + i64(s.step); });
    return true;
  }
};
