// Smallest free numbers by rank: each vertex takes the least number, from 0, that none of its neighbours of
// greater rank has taken. Called by coloring.
//
// A rank is computed from the vertex's number, so a vertex knows from its list alone whom it waits for, and needs
// no barrier before it begins. It notes up to four neighbours and polls only these; a note also keeps the numbers
// that were seen, which are final. Only if a vertex waits for more neighbours, or has no room for its note, is its
// list walked again [D-number-1].
//
//   smallest_free_by_rank(ctx, words, room, f)
//
// `words`, a byte per vertex, are UNNUMBERED before and the numbers after; `room` has six words of 32 bits per
// vertex and four more, and begins at a multiple of 16 bytes. No list is longer than LONGEST_RANKED. A functor has
//   rank(v) -> u32   different for any two vertices, and cheap
//
// Each warp has vertices of its own. It polls all that wait in turn, so one that waits for nobody is always found.
#pragma once
#include "rows_ahead.cuh"
#include "walk.cuh"

namespace gunrock {

constexpr u8 UNNUMBERED = 255;
constexpr i64 LONGEST_RANKED = 15;  // a set of numbers, and a mark beside them, fit a word

namespace ranking {

constexpr int NOTED = 4;           // neighbours in a note; also the entries of a list that a thread has in flight
constexpr u32 KNOWN = 0x80000000;  // in a note: not a neighbour any more, but its number
constexpr u32 NOBODY = KNOWN | 31;
constexpr u32 AGAIN = 0x80000000;  // beside a vertex: its list has to be walked again
constexpr u32 LARGEST = 127;       // the bitwise or of numbers is at most this unless one is UNNUMBERED

struct alignas(16) WaitNote {
  u32 places[NOTED];
  GR_DEVICE static WaitNote none() { return {{NOBODY, NOBODY, NOBODY, NOBODY}}; }
  // True if there was a place left.
  GR_DEVICE bool add(u32 u) {
    bool added = false;
    GR_UNROLL
    for (int k = 0; k < NOTED; ++k) {
      const bool takes = !added && places[k] == NOBODY;
      places[k] = takes ? u : places[k];
      added |= takes;
    }
    return added;
  }
};
constexpr u32 NOTE_BYTES = sizeof(WaitNote) + sizeof(u32);

template <class F>
struct Warp {
  Context& ctx;
  const F& f;
  u8* words;
  u32 first, end;   // the warp's vertices
  WaitNote* notes;      // of the vertices that wait
  u32* waiting;     // the vertices that wait
  u32 most;         // the number of notes that there is room for
  u32* deferred;     // vertices without notes, whose lists are walked again
  u32 count = 0, many_deferred = 0;

  GR_DEVICE Warp(Context& context, const F& functor, u8* words_of_all, u32* room)
      : ctx(context), f(functor), words(words_of_all) {
    const i64 n = ctx.graph.n, warps = ctx.threads() / WARP, warp = i64(ctx.block) * WARPS + warp_id();
    first = u32(warp * n / warps);
    end = u32((warp + 1) * n / warps);
    deferred = room + first;
    const u32 share = end - first;
    constexpr u32 NEAR = SHARED_CACHE_BYTES / WARPS / NOTE_BYTES / 4 * 4;
    char* const cache = ctx.shared.shared_cache<char>();
    const bool near = cache && NEAR >= share / 4 * 3;  // more than three of four vertices seldom wait
    most = near ? NEAR : share;
    notes = near ? (WaitNote*)(cache + warp_id() * NEAR * NOTE_BYTES) : (WaitNote*)(room + (n + 3) / 4 * 4) + first;
    waiting = near ? (u32*)(notes + NEAR) : room + (n + 3) / 4 * 4 + 4 * n + first;
  }

  GR_DEVICE bool precedes(u32 u, u32 rank) const { return f.rank(vertex_t(u)) > rank; }
  GR_DEVICE void take(u32 v, u32 taken) const { store_relaxed(&words[v], u8(lowest_bit(~taken))); }
  GR_DEVICE static u32 rank_in(u32 lanes) { return popcount(lanes & ((1u << lane_id()) - 1)); }

  // The whole warp: defers the vertices of the lanes with `later`.
  GR_DEVICE void defer(bool later, u32 v) {
    const u32 all = warp_ballot(later);
    if (later) deferred[many_deferred + rank_in(all)] = v & ~AGAIN;
    many_deferred += popcount(all);
  }
  // Adds a note, or defers the vertex if there is no room.
  GR_DEVICE void keep(bool waits, const WaitNote& note, u32 v) {
    const u32 place = put(waits, note, v, most);
    if (count <= most) return;
    count = most;
    defer(waits && place >= most, v);
  }
  GR_DEVICE u32 put(bool waits, const WaitNote& note, u32 v, u32 room) {
    const u32 all = warp_ballot(waits), place = count + rank_in(all);
    if (waits && place < room) {
      notes[place] = note;
      waiting[place] = v;
    }
    count += popcount(all);
    return place;
  }

  // The first entries of a row; beyond its end v itself, which nobody waits for.
  GR_DEVICE void load_first(u32 v, const Row& row, u32 (&u)[NOTED]) const {
    const vertex_t* const list = keep_pointer(&ctx.graph.csr.column_indices[row.begin]);
    GR_UNROLL
    for (int k = 0; k < NOTED; ++k) {
      u[k] = v;
      if (k < row.length) u[k] = u32(load_constant(list + k));
      ctx.count_edges(k < row.length);
    }
  }

  // Walks the vertices' lists and notes whom they wait for; vertices that wait for nobody take 0. The next
  // lists' first entries are in flight meanwhile.
  GR_DEVICE void look() {
    if (first >= end) return;
    const Csr& lists = ctx.graph.csr;
    RowsAhead<Csr> rows(lists, first, end);
    Row row = rows.take(first);
    u32 u[NOTED], ahead[NOTED];
    load_first(first + lane_id(), row, u);
    for (u32 base = first; base < end; base += WARP) {
      const Row next = rows.take(base + WARP);
      load_first(base + WARP + lane_id(), next, ahead);
      const u32 v = base + lane_id(), rank = f.rank(vertex_t(v));
      WaitNote note;
      bool waits = false, more = false;
      GR_UNROLL
      for (int k = 0; k < NOTED; ++k) {
        const bool before = precedes(u[k], rank);
        note.places[k] = before ? u[k] : NOBODY;
        waits |= before;
      }
      GR_NO_UNROLL
      for (edge_t e = row.begin + NOTED; e < row.end(); ++e) {
        const u32 other = u32(lists.neighbor(e));
        ctx.count_edges(true);
        if (!precedes(other, rank)) continue;
        waits = true;
        more |= !note.add(other);
      }
      if (v < end && !waits) store_relaxed(&words[v], u8(0));
      keep(waits, note, more ? v | AGAIN : v);
      row = next;
      GR_UNROLL
      for (int k = 0; k < NOTED; ++k) u[k] = ahead[k];
    }
  }

  // Asks about the notes from `base` on, of `total`, and keeps those that still wait. FIRST_ROUND: reads
  // through the multiprocessor's cache, as many threads read the same words.
  template <bool FIRST_ROUND>
  GR_DEVICE void ask(u32 base, u32 total) {
    const u32 i = base + lane_id();
    warp_sync();  // other lanes' notes are written
    WaitNote note = i < total ? notes[i] : WaitNote::none();
    const u32 v = i < total ? waiting[i] : 0;
    u32 word[NOTED];
    GR_UNROLL
    for (int k = 0; k < NOTED; ++k) {
      const u32 place = note.places[k];
      word[k] = FIRST_ROUND ? load_cached_if(place < KNOWN, &words[place]) : load_relaxed_if(place < KNOWN, &words[place]);
    }
    warp_sync();  // all lanes have read theirs, so they may be overwritten
    u32 all = 0, taken = 0;
    GR_UNROLL
    for (int k = 0; k < NOTED; ++k) {
      u32& place = note.places[k];
      const u32 now = place < KNOWN ? word[k] : place & ~KNOWN;
      all |= now;
      taken |= 1u << (now & 31);
      place = now < UNNUMBERED ? KNOWN | now : place;
    }
    const bool waits = all > LARGEST, ready = !waits && i < total, again = ready && v >= AGAIN;
    if (ready && !again) take(v, taken);
    put(waits, note, v, ~0u);  // in a place that has been read
    if (warp_ballot(again)) defer(again, v);
  }

  // Walks the lists of deferred vertices: each takes its number, or waits.
  GR_DEVICE void look_again() {
    const Csr& lists = ctx.graph.csr;
    const u32 total = many_deferred;
    many_deferred = 0;
    for (u32 base = 0; base < total; base += WARP) {
      warp_sync();
      const bool there = base + lane_id() < total;
      const u32 v = there ? deferred[base + lane_id()] : first;
      warp_sync();  // all lanes have read theirs
      const Row row = there ? lists.row(v) : Row{0, 0};
      const u32 rank = f.rank(vertex_t(v));
      WaitNote note = WaitNote::none();
      u32 taken = 0;
      bool waits = false;
      GR_NO_UNROLL
      for (edge_t e = row.begin; e < row.end(); ++e) {
        const u32 u = u32(lists.neighbor(e));
        ctx.count_edges(1);
        if (!precedes(u, rank)) continue;
        const u32 word = load_relaxed(&words[u]);
        taken |= word < UNNUMBERED ? 1u << word : 0;
        if (word == UNNUMBERED) waits = note.add(u) || waits;
      }
      if (there && !waits) take(v, taken);
      keep(waits, note, v | AGAIN);
    }
  }

  GR_DEVICE void run() {
    look();
    for (int rounds = 0; count + many_deferred > 0; ++rounds) {
      const u32 total = count;
      count = 0;
      for (u32 base = 0; base < total; base += WARP) {
        if (rounds == 0) ask<true>(base, total);
        else ask<false>(base, total);
      }
      look_again();
      pause(rounds);
    }
  }
};

}  // namespace ranking

// A part of a step.
template <class F>
GR_DEVICE void smallest_free_by_rank(Context& ctx, u8* words, u32* room, const F& f) {
  ranking::Warp<F>(ctx, f, words, room).run();
}

}  // namespace gunrock
