// How often loops dealt to the grid come to each index, for the tests, and which core last did.
#include "core/enactor.cuh"
#include "operators/compute.cuh"

struct Problem {
  u32* singly;   // one at a time
  u32* batched;  // four at a time, the first of all at `begin`
  u32* shared;   // one share of all per block
  u32* plain;    // for_each_index
  i32* owner;    // the last block that came to it, one at a time
  i64 count;
  i64 begin;
  i64 most;
};

enum Phase { VISIT };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(VISIT, 0, p.count, 0);
    const Partition partition(ctx, p.count, p.most);
    for (i64 base = partition.first(); base < p.count; base = partition.next(base)) {
      const i64 i = base + thread_id();
      if (i >= p.count) continue;
      atomic_add(&p.singly[i], 1u);
      p.owner[i] = ctx.block;
    }
    const i64 end = p.begin + p.count;
    for (i64 i = p.begin + partition.mine(); i < end; i = partition.next<4>(i, p.begin))
      for (int k = 0; k < 4; ++k)
        if (i + k * partition.stride() < end) atomic_add(&p.batched[i + k * partition.stride() - p.begin], 1u);
    for_each_contiguous(ctx, p.count, [&](i64 i) { atomic_add(&p.shared[i], 1u); });
    for_each_index(ctx, p.count, [&](i64 i) { atomic_add(&p.plain[i], 1u); });
    return true;
  }
};
