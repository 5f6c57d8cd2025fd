// Cases for the lanes backend to get right or to report (GR_CASE), for test_machine.py.
#include "core/enactor.cuh"

struct Problem {
  u32* words;
};

enum Phase { TRY };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(TRY, 0, 0, 0);
    const int lane = lane_id();
#if GR_CASE == 0  // the order of threads
    p.words[atomic_add(&p.words[ctx.threads()], 1u)] = u32(ctx.rank());
#elif GR_CASE == 1  // operations of a warp give the right values
    const u32 odd = warp_ballot(lane % 2), sum = warp_sum(u32(lane)), before = warp_inclusive_scan(u32(lane));
    const u32 twins = warp_match(lane / 2), next = warp_broadcast(u32(lane), (lane + 1) % WARP);
    p.words[ctx.rank()] = odd | sum << 4 | before << 8 | twins << 12 | next << 16 | u32(is_first_with(lane)) << 20;
#elif GR_CASE == 2  // a block counts, and scans with one set of storage in turn
    u32 total;
    const u32 before = u32(block_scan(edge_t(thread_id()), (edge_t&)total, ctx.shared.scan, 0));
    p.words[ctx.rank()] = before | total << 8 | u32(block_count(lane == 1)) << 16;
#elif GR_CASE == 3  // one lane waits elsewhere
    if (lane == 1) warp_ballot(true);
    else warp_broadcast(0, 0);
#elif GR_CASE == 4  // one lane does not come
    if (lane != 2) warp_sync();
#elif GR_CASE == 5  // a barrier in both branches
    if (thread_id() < WARP) block_sync();
    else block_sync();
#elif GR_CASE == 6  // a word that nobody writes
    for (int looks = 0; load_relaxed(&p.words[0]) == 0; ++looks) pause(looks);
#elif GR_CASE == 7  // some threads leave
    return lane != 3;
#elif GR_CASE == 8  // threads that must have each other's values, and do not wait for them
    item_t* const stage = ctx.shared.stage;
    stage[thread_id()] = thread_id();
    p.words[ctx.rank()] = u32(stage[(thread_id() + 1) % BLOCK]);
#elif GR_CASE == 9  // two blocks write a word
    if (thread_id() == 0) p.words[0] = 1;
#elif GR_CASE == 10  // a lane reads what another has written before a shuffle
    if (lane == 0) ctx.shared.stage[warp_id()] = 1;
    p.words[ctx.rank()] = warp_broadcast(0u, 0) + u32(ctx.shared.stage[warp_id()]);
#elif GR_CASE == 11  // memory behind the block's
    p.words[ctx.rank()] = (&ctx.shared)[1].staged;
#elif GR_CASE == 12  // a lane reads what another has written before a barrier of the warp
    if (lane == 0) ctx.shared.stage[warp_id()] = 1;
    warp_sync();
    p.words[ctx.rank()] = u32(ctx.shared.stage[warp_id()]);
#endif
    return true;
  }
};
