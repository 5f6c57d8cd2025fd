// Cliques: sets of vertices of which every two are neighbours; how many have GR_SIZE vertices. Undirected graphs; loops
// and repetitions of an edge do not count.
//
// Of a clique the first vertex by degree has all others among its later neighbours. Which of these are neighbours is a
// matrix of bits (operators/neighborhoods.cuh), so that a set of vertices that may follow is shortened for the next
// vertex by an AND, and the last vertices are counted by their bits (San Segundo and others 2011; Almasri and others
// 2022).
#pragma once
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
  u64* total;  // zero before
};

constexpr int SIZE = GR_SIZE;

struct CountCliques {
  u64 total = 0;

  GR_DEVICE void few(const u32* rows, i32 count) {
    if (lane_id() < count) total += within<SIZE - 2>(rows, rows[lane_id()]);
  }

  GR_DEVICE void many(const BitRows& rows) {
    for (i32 i = warp_id(); i < rows.count; i += WARPS) add<SIZE - 2>(rows, rows.bits(i), i / 32, rows.spare_of_warp());
  }

 private:
  // Sets of MORE neighbours among those of a set, in one word.
  template <int MORE>
  GR_DEVICE static u64 within(const u32* rows, u32 set) {
    if constexpr (MORE == 1) {
      return u64(popcount(set));
    } else {
      u64 sum = 0;
      for (u32 left = set; left; left &= left - 1) sum += within<MORE - 1>(rows, set & rows[lowest_bit(left)]);
      return sum;
    }
  }

  // The whole warp: adds the same for a set of several words, from word `first` on; each lane has its own words.
  template <int MORE>
  GR_DEVICE void add(const BitRows& rows, const u32* set, i32 first, u32* spare) {
    if constexpr (MORE == 1) {
      for (i32 at = first + lane_id(); at < rows.width; at += WARP) total += u64(popcount(set[at]));
    } else {
      for (i32 word = first; word < rows.width; ++word) {
        for (u32 left = set[word]; left; left &= left - 1) {
          const u32* const row = rows.bits(32 * word + lowest_bit(left));
          if constexpr (MORE == 2) {
            for (i32 at = word + lane_id(); at < rows.width; at += WARP) total += u64(popcount(set[at] & row[at]));
          } else {
            for (i32 at = word + lane_id(); at < rows.width; at += WARP) spare[at] = set[at] & row[at];
            warp_sync();
            add<MORE - 1>(rows, spare, word, spare + rows.width);
            warp_sync();
          }
        }
      }
    }
  }
};

enum Phase { ORDER, COUNT };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const NeighborhoodRooms rooms = {p.later,      p.ticket,     p.members, p.words, p.longest,
                                     p.spare_rows, p.words_each, p.rooms};
    if (s.step == 0) {
      ctx.show(ORDER, 0, ctx.graph.n, ctx.graph.m);
      find_later(ctx, s, rooms, SIZE - 1);
    } else if (s.step == 1) {
      ctx.show(COUNT, 0, ctx.graph.n, 0);
      CountCliques count;
      neighborhoods(ctx, s, rooms, count);
      fold_grid<Sum<u64>>(ctx, count.total, p.total);
    }
    return s.step < 2;
  }
};
