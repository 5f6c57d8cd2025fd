// Smallest free numbers in pieces: each vertex takes the least number, from 0, that none of its neighbours before
// it has taken; neighbours of larger degree go first, then those of greater rank. Called by coloring.
//
// Each block holds a piece of the graph in its shared memory: vertices of neighbouring numbers, equally many for
// each block. Every vertex walks its list once and notes who goes before it: others of its piece, or places that
// stand for neighbours in other pieces. Then it polls until those that it noted have numbers; for the places, the
// block's threads poll global memory. Outdated words only delay and are never wrong, so no block waits at a
// barrier [D-pieces-1].
//
//   fits_in_pieces(ctx)   true if the blocks have room for all vertices (GR_SHARED_CACHE)
//   smallest_free_in_pieces(ctx, numbers, room, f)
//
// `numbers` are -1 before; there is room for four words per vertex; no list is longer than 63. A functor has
//   rank(v) -> u32   different for any two vertices
#pragma once
#include "walk.cuh"

namespace gunrock {

namespace pieces {

// A vertex's whole state: its number, or its priority. A neighbour goes before a vertex without a number if its
// word is greater or, if words are equal, its rank is.
using word_t = u16;
constexpr u32 NUMBERED = 0x8000;
constexpr i32 NOT_RANKED = -1;      // instead of a number, before its block has written ~priority
constexpr int PRIORITY_BITS = 15;

constexpr int NOTED = 4;            // places in a word of 64 bits
constexpr u32 SLOW = 0xffff;        // a place: the vertex has to walk its list each time
// most vertices of a thread, and most vertices of other pieces that it asks about, as bits
constexpr int EACH = 32;
constexpr int BATCH = 4;            // loads that a thread has in flight together
constexpr u32 HEAD = 16;            // bytes before a block's notes
constexpr u32 NO_NUMBER = 31;       // in a set of numbers: nobody's number, or one too large to matter

template <class F>
struct Piece {
  Context& ctx;
  const F& f;
  i32* numbers;      // of all vertices
  int rank_bits;     // bits of a priority below the degree's bits
  u32 first, count;  // the piece's vertices

  // In shared memory: the number of vertices of other pieces that have been met; whom each vertex has noted;
  // and the words of the piece, of a vertex with NO_NUMBER, of nobody, and of the vertices that were met. Until
  // a met vertex has a number, its word says who met it.
  int* met;
  u64* noted;
  word_t* words;
  u32* others;  // in global memory: the vertices that were met
  u32 room;     // the number of vertices that `others` has room for

  GR_DEVICE Piece(Context& context, const F& functor, i32* words_of_all, u32* met_by_all)
      : ctx(context), f(functor), numbers(words_of_all), rank_bits(PRIORITY_BITS) {
    for (i64 degree = ctx.graph.csr.max_degree; degree > 0; degree /= 2) --rank_bits;
    const i64 n = ctx.graph.n;
    first = u32(ctx.block * n / ctx.blocks);
    count = u32((ctx.block + 1) * n / ctx.blocks) - first;
    char* const cache = ctx.shared.shared_cache<char>();
    met = (int*)cache;
    noted = (u64*)(cache + HEAD);
    words = (word_t*)(noted + count);
    others = met_by_all + NOTED * i64(first);
    const u32 left = (SHARED_CACHE_BYTES - HEAD - count * u32(sizeof(u64))) / u32(sizeof(word_t)) - (count + 2);
    const u32 most = EACH * BLOCK < NOTED * count ? EACH * BLOCK : NOTED * count;
    room = left < most ? left : most;
  }

  GR_DEVICE u32 numbered() const { return count; }
  GR_DEVICE u32 nobody() const { return count + 1; }
  GR_DEVICE u32 place_of(u32 other) const { return count + 2 + other; }
  GR_DEVICE bool is_near(vertex_t u) const { return u32(u) - first < count; }
  GR_DEVICE u32 word_at(u32 place) const { return load_relaxed(&words[place]); }
  GR_DEVICE u32 priority(vertex_t v, edge_t degree) const {
    return u32(degree) << rank_bits | f.rank(v) >> (32 - rank_bits);
  }
  GR_DEVICE void take(u32 i, i32 number) const {
    store_relaxed(&words[i], word_t(NUMBERED | u32(number)));
    store_relaxed(&numbers[first + i], number);
  }
  // The row of the piece's i-th vertex; empty beyond the last.
  GR_DEVICE Row row_of(u32 i) const {
    const Row row = ctx.graph.csr.row(first + (i < count ? i : 0));
    return {row.begin, i < count ? row.length : 0};
  }

  // The whole block: computes all priorities.
  GR_DEVICE void rank() const {
    if (thread_id() == 0) {
      *met = 0;
      words[numbered()] = word_t(NUMBERED | NO_NUMBER);
      words[nobody()] = 0;
    }
    for (u32 base = thread_id(); base < count; base += BATCH * BLOCK) {
      Row row[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) row[k] = row_of(base + k * BLOCK);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const u32 i = base + k * BLOCK;
        if (i >= count) continue;
        const u32 word = priority(vertex_t(first + i), row[k].length);
        words[i] = word_t(word);
        store_relaxed(&numbers[first + i], ~i32(word));  // for other pieces: below -1 if it has neighbours
      }
    }
    block_sync();
  }

  // Whom a vertex has noted, the latest in the lowest bits, and their number.
  struct Notes {
    u64 places;
    int many;
    GR_DEVICE void add(bool adds, u32 place) {
      if (adds) places = places << 16 | place;
      many += adds;
    }
  };
  // Of some entries (-1: no entry) of the i-th vertex's list, notes those in its piece that go before it, and
  // all in other pieces.
  GR_DEVICE void note(u32 i, u32 own, const vertex_t (&u)[BATCH], Notes& notes) const {
    u32 word[BATCH];
    bool far[BATCH], alike = false;
    int fars = 0;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const bool near = is_near(u[k]);
      far[k] = u[k] >= 0 && !near;
      fars += far[k];
      word[k] = word_at(near ? u32(u[k]) - first : nobody());
      alike |= word[k] == own;
    }
    bool before[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) before[k] = word[k] > own;
    if (alike) {
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        before[k] |= is_near(u[k]) && word[k] == own && f.rank(u[k]) > f.rank(vertex_t(first + i));
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) notes.add(before[k], u32(u[k]) - first);
    if (fars > 0) {
      u32 other = u32(atomic_add(met, fars));
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (!far[k]) continue;
        const bool there = other < room;
        if (there) others[other] = u32(u[k]);
        if (there) words[place_of(other)] = word_t(i);
        notes.add(true, place_of(other));
        if (!there) notes.many = NOTED + 1;
        ++other;
      }
    }
  }

  // Walks the lists of the thread's vertices one by one; returns those that have to wait, as bits. The next
  // vertices' rows and first neighbours are in flight meanwhile.
  GR_DEVICE u32 look() const {
    const Csr& lists = ctx.graph.csr;
    const u64 none = u64(numbered()) * 0x0001000100010001;
    u32 open = 0, i = thread_id();
    vertex_t u[BATCH], ahead[BATCH];
    Row row = row_of(i), next = row_of(i + BLOCK);
    load_entries(ctx, lists, row.begin, row.end(), edge_t(1), u);
    for (u32 bit = 1; i < count; bit <<= 1, i += BLOCK) {
      load_entries(ctx, lists, next.begin, next.end(), edge_t(1), ahead);
      const Row later = row_of(i + 2 * BLOCK);
      const u32 own = word_at(i);
      Notes notes = {none, 0};
      note(i, own, u, notes);
      for (edge_t e = row.begin + BATCH; e < row.end(); e += BATCH) {
        load_entries(ctx, lists, e, row.end(), edge_t(1), u);
        note(i, own, u, notes);
      }
      if (notes.many == 0) take(i, 0);
      else open |= bit;
      noted[i] = notes.many > NOTED ? u64(SLOW) : notes.places;
      row = next;
      next = later;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) u[k] = ahead[k];
    }
    return open;
  }

  // For a vertex whose notes did not suffice (SLOW): true if all vertices before it have numbers, so that it
  // now has its own.
  GR_DEVICE bool look_again(u32 i) const {
    const Csr& lists = ctx.graph.csr;
    const vertex_t v = vertex_t(first + i);
    const u32 own = word_at(i);
    u64 taken = 0;
    const Row row = lists.row(v);
    for (edge_t e = row.begin; e < row.end(); ++e) {
      const vertex_t u = lists.neighbor(e);
      const bool near = is_near(u);
      const i32 number = near ? -1 : load_relaxed(&numbers[u]);
      const u32 word = near         ? word_at(u32(u) - first)
                       : number >= 0 ? NUMBERED | u32(number)
                                    : priority(u, lists.row(u).length);
      if (word >= NUMBERED) taken |= u64(1) << (word - NUMBERED);
      else if (word > own || (word == own && f.rank(u) > f.rank(v))) return false;
    }
    take(i, i32(lowest_bit(~taken)));
    return true;
  }
  // Tries any vertex that waits; true if it now has its number.
  GR_DEVICE bool try_again(u32 i) const {
    const u64 places = noted[i];
    if ((places & 0xffff) == SLOW) return look_again(i);
    u32 all = NUMBERED, taken = 0;
    GR_UNROLL
    for (int k = 0; k < NOTED; ++k) {
      const u32 word = word_at(u32(places >> 16 * k) & 0xffff), number = word & ~NUMBERED;
      all &= word;
      taken |= 1u << (number < NO_NUMBER ? number : NO_NUMBER);
    }
    if (all == 0) return false;
    take(i, lowest_bit(~taken));  // at most NOTED
    return true;
  }

  // True if a vertex of another piece that has no number goes before this piece's i-th.
  GR_DEVICE bool goes_first(vertex_t u, i32 its, u32 i) const {
    const u32 own = word_at(i);
    const u32 word = its != NOT_RANKED ? u32(~its) : priority(u, ctx.graph.csr.row(u).length);
    return word > own || (word == own && f.rank(u) > f.rank(vertex_t(first + i)));
  }
  // The thread's share of the vertices in `others` that go before the vertex that noted them, as bits. The rest
  // keep nobody waiting.
  GR_DEVICE u32 sort_out(u32 many) const {
    u32 asked = 0;
    for (u32 turn = 0; turn * BLOCK + thread_id() < many; turn += BATCH) {
      vertex_t u[BATCH];
      i32 number[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        const u32 other = (turn + k) * BLOCK + thread_id();
        u[k] = other < many ? vertex_t(others[other]) : -1;
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) number[k] = load_relaxed_if(u[k] >= 0, &numbers[u[k]], 0);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (u[k] < 0) continue;
        const u32 place = place_of((turn + k) * BLOCK + thread_id());
        const i32 its = number[k];
        if (its < 0 && goes_first(u[k], its, word_at(place))) asked |= 1u << (turn + k);
        else store_relaxed(&words[place], word_t(NUMBERED | (its < 0 ? NO_NUMBER : u32(its))));
      }
    }
    return asked;
  }

  // Asks which of the thread's share of `others` have numbers by now; returns those without one, as bits.
  GR_DEVICE u32 ask(u32 asked) const {
    u32 still = asked;
    while (asked) {
      u32 bit[BATCH], other[BATCH];
      i32 number[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        bit[k] = asked & (0u - asked);
        other[k] = asked ? thread_id() + lowest_bit(asked) * BLOCK : 0;
        asked &= asked - 1;
      }
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) number[k] = bit[k] ? i32(others[other[k]]) : 0;
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) number[k] = load_relaxed_if(bit[k] != 0, &numbers[number[k]], -1);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        if (number[k] < 0) continue;
        store_relaxed(&words[place_of(other[k])], word_t(NUMBERED | u32(number[k])));
        still &= ~bit[k];
      }
    }
    return still;
  }

  // The whole block: runs until all its vertices have numbers.
  GR_DEVICE void run() const {
    if (count == 0) return;
    rank();
    u32 open = look();
    block_sync();  // all vertices of other pieces are known
    const u32 many = u32(*met) < room ? u32(*met) : room;
    u32 asked = sort_out(many);
    for (int rounds = 0; open | asked; ++rounds) {
      asked = ask(asked);
      for (u32 left = open; left; left &= left - 1) {
        if (try_again(thread_id() + lowest_bit(left) * BLOCK)) open &= ~(left & (0u - left));
      }
      pause(rounds);
    }
  }
};

}  // namespace pieces

// True if every block has room for its piece and for some neighbours in other pieces.
GR_DEVICE bool fits_in_pieces(const Context& ctx) {
  const i64 most = ctx.graph.n / ctx.blocks + 1;
  const i64 bytes = pieces::HEAD + i64(sizeof(u64) + sizeof(pieces::word_t)) * most + most / 2;
  return most <= pieces::EACH * BLOCK && bytes <= SHARED_CACHE_BYTES;
}

// A part of a step, called by all blocks.
template <class F>
GR_DEVICE void smallest_free_in_pieces(Context& ctx, i32* numbers, u32* room, const F& f) {
  pieces::Piece<F>(ctx, f, numbers, room).run();
}

}  // namespace gunrock
