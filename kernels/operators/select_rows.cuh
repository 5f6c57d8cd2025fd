// Selection of rows: finds the K greatest of each of ROW columns, by radix as in select.cuh, for all columns at
// once. A step sorts the keys still in question into 16 bins by their next four bits and counts them; the next
// step finds the K-th key's bin from the counts. Called by WTF.
//
//   RowKeys keys;
//   if (s.select.narrow(ctx, space, count, value, keys)) return true;   // one more step
//   for_each_row(ctx, count, value, [&](i64 v, int column, int place, float x) {
//     if (keys.takes(place, x, v)) ...
//   });
//
// A RowSelection is part of the enactor's State and is made with K; each thread holds its own columns' keys.
// `value(v, column, place)` is a float, the same in all steps; only values above zero are considered. Of equal
// values the one with the smaller v comes first, so the selection does not depend on the run.
#pragma once
#include "gather_rows.cuh"
#include "select.cuh"

namespace gunrock {

constexpr int ROW_DIGIT_BITS = 4;
constexpr int ROW_BINS = 1 << ROW_DIGIT_BITS;
constexpr int ROW_DIGITS = 64 / ROW_DIGIT_BITS;
constexpr int ROW_HISTOGRAM_WORDS = ROW_DIGITS * ROW_BINS * ROW;  // words that a selection needs, zero at first
constexpr int ROW_STATE_WORDS = ROW_DIGITS * ROW;                 // words of either state

// A selection's working memory.
struct RowSpace {
  u32* histograms;
  u64* prefixes;
  i64* left;
};

// The keys of a thread's columns.
struct RowKeys {
  u64 prefix[COLUMNS];  // the keys in question begin with these digits; once a column is done, the least key taken
  i64 left[COLUMNS];    // keys of the column still to be found; 0: the column is done

  GR_DEVICE bool takes(int place, float value, i64 index) const {
    return ranking_key(value, index) >= prefix[place];
  }
};

// f(v, column, place, x) for every positive x = value(v, column, place) of rows [0, count), one lane per column.
template <class Value, class F>
GR_DEVICE void for_each_row(Context& ctx, i64 count, const Value& value, F f) {
  constexpr int AHEAD = WARP > 1 ? 4 : 1;  // rows whose loads are in flight
  const i64 warps = ctx.threads() / WARP;
  for (i64 first = ctx.rank() / WARP; first < count; first += AHEAD * warps) {
    float x[AHEAD][COLUMNS];
    GR_UNROLL
    for (int k = 0; k < AHEAD; ++k) {
      const i64 v = first + k * warps;
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c) x[k][c] = v < count ? value(v, column_at(c), c) : 0.0f;
    }
    GR_UNROLL
    for (int k = 0; k < AHEAD; ++k) {
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c)
        if (x[k][c] > 0) f(first + k * warps, column_at(c), c, x[k][c]);
    }
  }
}

struct RowSelection {
  u32 wanted;
  int digits = 0;  // digits that have been counted

  GR_DEVICE explicit RowSelection(i64 number = 0) : wanted(u32(number)) {}

  // A step, called by the whole grid. False if all keys are already known and nothing was done.
  template <class Value>
  GR_DEVICE bool narrow(Context& ctx, const RowSpace& space, i64 count, const Value& value, RowKeys& keys) {
    bool open = false;
    for (int c = 0; c < COLUMNS; ++c) {
      recall(space, column_at(c), keys.prefix[c], keys.left[c]);
      open |= keys.left[c] > 0;
    }
    if (warp_ballot(open) == 0) return false;
    if (ctx.block == 0 && warp_id() == 0)
      for (int c = 0; c < COLUMNS; ++c) {
        space.prefixes[digits * ROW + column_at(c)] = keys.prefix[c];
        space.left[digits * ROW + column_at(c)] = keys.left[c];
      }
    tally(ctx, space.histograms + digits * ROW_BINS * ROW, count, value, keys);
    ++digits;
    return true;
  }

 private:
  // Finds a column's K-th key from the previous step's state and counts.
  GR_DEVICE void recall(const RowSpace& space, int column, u64& prefix, i64& left) const {
    if (digits == 0) {
      left = wanted;
      prefix = left > 0 ? 0 : ~u64(0);  // no key is wanted
      return;
    }
    prefix = load_cached(&space.prefixes[(digits - 1) * ROW + column]);
    left = load_cached(&space.left[(digits - 1) * ROW + column]);
    if (left == 0) return;
    const u32* histogram = space.histograms + (digits - 1) * ROW_BINS * ROW + column;
    int bin = ROW_BINS - 1;
    u32 inside = load_cached(&histogram[bin * ROW]);
    for (; bin > 0 && i64(inside) < left; inside = load_cached(&histogram[--bin * ROW])) left -= inside;
    if (i64(inside) < left) {  // all keys are wanted
      prefix = 1;
      left = 0;
      return;
    }
    prefix = prefix << ROW_DIGIT_BITS | u64(bin);
    if (i64(inside) == left || digits == ROW_DIGITS) {
      prefix <<= 64 - ROW_DIGIT_BITS * digits;
      left = 0;
    }
  }

  // Counts the next digit of the keys that begin with a column's prefix. A thread counts runs of equal digits
  // in a column by itself, as at first nearly all digits are equal.
  template <class Value>
  GR_DEVICE void tally(Context& ctx, u32* histogram, i64 count, const Value& value,
                       const RowKeys& keys) const {
    u32(&bins)[ROW_BINS * ROW] = ctx.shared.as<u32[ROW_BINS * ROW]>();
    for (int b = thread_id(); b < ROW_BINS * ROW; b += BLOCK) bins[b] = 0;
    block_sync();
    int last[COLUMNS];
    u32 run[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) last[c] = run[c] = 0;
    for_each_row(ctx, count, value, [&](i64 v, int column, int place, float x) {
      const u64 key = ranking_key(x, v);
      if (keys.left[place] == 0) return;
      if (digits > 0 && key >> (64 - ROW_DIGIT_BITS * digits) != keys.prefix[place]) return;
      const int bin = int(key << (ROW_DIGIT_BITS * digits) >> (64 - ROW_DIGIT_BITS));
      if (bin != last[place] && run[place] > 0) {
        atomic_add(&bins[last[place] * ROW + column], run[place]);
        run[place] = 0;
      }
      last[place] = bin;
      ++run[place];
    });
    for (int c = 0; c < COLUMNS; ++c)
      if (run[c] > 0) atomic_add(&bins[last[c] * ROW + column_at(c)], run[c]);
    block_sync();
    for (int b = thread_id(); b < ROW_BINS * ROW; b += BLOCK)
      if (bins[b] > 0) atomic_add(&histogram[b], bins[b]);
    block_sync();  // before other operators use the scratch
  }
};

// The items picked in each column, in any order, with `room` places per column.
struct RowPicks {
  vertex_t* items;
  float* values;
  i32* counts;  // of each column; zero before the first item is picked
  i64 room;

  GR_DEVICE void add(int column, i64 item, float value) const {
    const i64 place = column * room + atomic_add(&counts[column], 1);
    items[place] = vertex_t(item);
    values[place] = value;
  }

  // In a later step: f(column, place, item, value) for each pick, with place 0 for the greatest of its column.
  // Each pick is compared with all others of its column.
  template <class F>
  GR_DEVICE void sorted(Context& ctx, F f) const {
    for (i64 i = ctx.rank(); i < ROW * room; i += ctx.threads()) {
      const i64 column = i / room, first = column * room, count = counts[column];
      if (i - first >= count) continue;
      const u64 key = ranking_key(values[i], items[i]);
      i64 place = 0;
      for (i64 k = first; k < first + count; ++k) place += ranking_key(values[k], items[k]) > key;
      f(int(column), place, items[i], values[i]);
    }
  }
};

}  // namespace gunrock
