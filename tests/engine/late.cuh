// Two devices that count meetings, for the tests: one of them stays away from the third for a while, or
// ends its run there.
#include "core/enactor.cuh"
#include "operators/exchange.cuh"

struct Problem {
  u64* mail;      // in the heap: each device's last word
  u64* heard;     // the sum of all, one word per step
  i64 steps;
  i64 late_ns;    // the time of the second device's third step
  i64 overflows;  // not 0: it reports that a queue was too small instead
};

enum Phase { TALK, EXCHANGE };

struct Tell : SeveralDevices {
  template <class State>
  GR_DEVICE static bool due(const State&) {
    return true;
  }
  template <class State>
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, const State& s) {
    ctx.show(EXCHANGE, s.step, ctx.peers.count(), 0);
    broadcast(ctx, p.mail + (s.step % 2) * MOST_DEVICES, ctx.peers.device, ctx.peers.device + 1);
  }
};

struct Enactor {
  using Team = Tell;
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State&) { return true; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(TALK, s.step, ctx.peers.count(), 0);
    u64 sum = 0;
    for (i64 d = 0; d < ctx.peers.devices; ++d) sum += load_cached(&p.mail[s.step % 2 * MOST_DEVICES + d]);
    const bool second = ctx.peers.device == 1 && s.step == 3;
    if (ctx.rank() == 0) {
      p.heard[s.step] = sum;
      p.mail[(s.step + 1) % 2 * MOST_DEVICES + ctx.peers.device] = sum + u64(ctx.peers.device) + 1;
      const u64 begin = clock_ns();
      while (second && clock_ns() - begin < u64(p.late_ns)) pause(1000);
    }
    if (second && p.overflows && ctx.rank() == 0) {
      halt(ctx.tail(s.step + 1), OVERFLOW);
    }
    return i64(s.step) + 1 < p.steps;
  }
};
