// Selection: finds the K greatest of an array of numbers, by radix (Alabi and others 2012). A step sorts the
// keys still in question into 256 bins by their next eight bits and counts them; the next step finds the K-th
// key's bin from these counts. This ends when all keys of a bin are wanted or no bits are left. Called by WTF.
//
//   if (s.select.narrow(ctx, histograms, count, value)) return true;   // one more step
//   filter<V>(ctx, s, Range{count}, lists, Where([&](item_t i) { return s.select.takes(value(i), i); }));
//
// A Selection is part of the enactor's State and is made with K. `value(i)` is a float, the same in all steps;
// only values above zero are considered. Of equal values the one with the smaller index comes first, so the
// selection does not depend on the run.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

constexpr int DIGIT_BITS = 8;
constexpr int BINS = 1 << DIGIT_BITS;
constexpr int DIGITS = 64 / DIGIT_BITS;
constexpr int HISTOGRAM_WORDS = DIGITS * BINS;  // words that a selection needs, zero before it begins

// Orders positive values, and equal values by index, the smaller first: no two keys are equal.
GR_DEVICE u64 ranking_key(float value, i64 index) { return u64(float_bits(value)) << 32 | u32(~u32(index)); }

struct Selection {
  u32 left;        // how many keys are still to be found among those with the prefix; 0: all are found
  int digits = 0;  // of the prefix
  u64 prefix;      // the keys in question begin with these digits; when all are found, the least key taken

  GR_DEVICE explicit Selection(i64 wanted = 0) : left(u32(wanted)), prefix(wanted > 0 ? 0 : ~u64(0)) {}

  GR_DEVICE bool takes(float value, i64 index) const {
    return value > 0 && ranking_key(value, index) >= prefix;
  }

  // A step, called by the whole grid. False if the keys to take are already known and nothing was done.
  template <class Value>
  GR_DEVICE bool narrow(Context& ctx, u32* histograms, i64 count, const Value& value) {
    if (left > 0 && digits > 0) follow(histograms + (digits - 1) * BINS);
    if (left == 0) return false;
    tally(ctx, histograms + digits * BINS, count, value);
    ++digits;
    return true;
  }

 private:
  static constexpr int TOP = 64 - DIGIT_BITS;

  // Finds the K-th key's bin from the previous step's counts; every thread finds the same bin.
  GR_DEVICE void follow(const u32* histogram) {
    int bin = BINS - 1;
    u32 inside = load_cached(&histogram[bin]);
    for (; bin > 0 && inside < left; inside = load_cached(&histogram[--bin])) left -= inside;
    if (inside < left) return set_threshold(1);  // all keys are wanted
    prefix = prefix << DIGIT_BITS | u64(bin);
    if (inside == left || digits == DIGITS) set_threshold(prefix << (64 - DIGIT_BITS * digits));
  }

  GR_DEVICE void set_threshold(u64 key) {
    prefix = key;
    left = 0;
  }

  // Counts the next digit of the keys that begin with the prefix. A thread counts runs of equal digits by
  // itself, as at first nearly all digits are equal.
  template <class Value>
  GR_DEVICE void tally(Context& ctx, u32* histogram, i64 count, const Value& value) const {
    u32(&bins)[BINS] = ctx.shared.as<u32[BINS]>();
    for (int b = thread_id(); b < BINS; b += BLOCK) bins[b] = 0;
    block_sync();
    int last = 0;
    u32 run = 0;
    for (i64 i = ctx.rank(); i < count; i += ctx.threads()) {
      const float x = value(i);
      if (!(x > 0)) continue;
      const u64 key = ranking_key(x, i);
      if (digits > 0 && key >> (64 - DIGIT_BITS * digits) != prefix) continue;
      const int bin = int(key << (DIGIT_BITS * digits) >> TOP);
      if (bin != last && run) {
        atomic_add(&bins[last], run);
        run = 0;
      }
      last = bin;
      ++run;
    }
    if (run) atomic_add(&bins[last], run);
    block_sync();
    for (int b = thread_id(); b < BINS; b += BLOCK)
      if (bins[b]) atomic_add(&histogram[b], bins[b]);
    block_sync();  // before other operators use the scratch
  }
};

// A part of a step: sorts a few items by their values, the greatest first. Calls f(place, item) once for each
// place. Every item is compared with every other.
template <class Who, class Value, class F>
GR_DEVICE void rank_items(Context& ctx, const Who& who, const Value& value, F f) {
  for (i64 i = ctx.rank(); i < who.count; i += ctx.threads()) {
    const i64 item = i64(who.at(i));
    const u64 key = ranking_key(value(item), item);
    i64 place = 0;
    for (i64 k = 0; k < who.count; ++k) {
      const i64 other = i64(who.at(k));
      place += ranking_key(value(other), other) > key;
    }
    f(place, item);
  }
}

}  // namespace gunrock
