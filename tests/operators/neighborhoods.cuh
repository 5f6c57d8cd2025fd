// The matrices of neighbourhoods, for the tests: how many rows and bits they have.
// Options: GR_LEAST.
#include "core/enactor.cuh"
#include "operators/neighborhoods.cuh"

struct Problem {
  i32* later;
  u64* ticket;
  vertex_t* members;
  u32* words;
  i64 longest;
  i64 spare_rows;
  i64 words_each;
  i64 rooms;
  i64* seen;  // matrices; their rows; their bits; the squares of their rows' bits
};

struct Note {
  const Problem& p;
  GR_DEVICE void note(i64 bits) {
    atomic_add(&p.seen[1], i64(1));
    atomic_add(&p.seen[2], bits);
    atomic_add(&p.seen[3], bits * bits);
  }
  GR_DEVICE void few(const u32* rows, i32 count) {
    if (lane_id() == 0) atomic_add(&p.seen[0], i64(1));
    if (lane_id() < count) note(popcount(rows[lane_id()]));
  }
  // Each warp copies a row into words of its own first.
  GR_DEVICE void many(const BitRows& rows) {
    if (thread_id() == 0) atomic_add(&p.seen[0], i64(1));
    u32* const own = rows.spare_of_warp() + rows.width;
    for (i32 i = warp_id(); i < rows.count; i += WARPS) {
      for (i32 at = i / 32 + lane_id(); at < rows.width; at += WARP) own[at] = rows.bits(i)[at];
      warp_sync();
      i64 bits = 0;
      for (i32 at = i / 32; at < rows.width; ++at) bits += popcount(own[at]);
      if (lane_id() == 0) note(bits);
      warp_sync();
    }
  }
};

enum Phase { ORDER, READ };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const NeighborhoodRooms rooms = {p.later,      p.ticket,     p.members, p.words, p.longest,
                                     p.spare_rows, p.words_each, p.rooms};
    ctx.show(s.step == 0 ? ORDER : READ, 0, ctx.graph.n, 0);
    if (s.step == 0) {
      find_later(ctx, s, rooms, GR_LEAST);
    } else if (s.step == 1) {
      Note note{p};
      neighborhoods(ctx, s, rooms, note);
    }
    return s.step < 2;
  }
};
