// A frontier as a bitmap, for direction-optimizing searches. Three bitmaps are used in turn, so that a step
// that reads one and fills the next can clear the third.
#pragma once
#include "bitmap.cuh"

namespace gunrock {

struct BitmapFrontier {
  u32* words;   // three bitmaps, clear at first
  i64 stride;   // words from one to the next
  u64* sizes;   // three words of the enactor's counters: packed sizes
  u32& number;  // the number of turns so far; the enactor's State keeps it

  GR_DEVICE u32* bits() const { return at(0); }
  GR_DEVICE u32* next() const { return at(1); }
  GR_DEVICE Size size() const { return unpack(load_relaxed(size_at(0))); }
  GR_DEVICE u64* next_size() const { return size_at(1); }
  GR_DEVICE void set_next_size(Size size) const {
    store_relaxed(size_at(1), pack(size.count, size.edges));
  }
  // A part of a step that fills the next bitmap (or only its size).
  GR_DEVICE void clear_spare(Context& ctx, bool bits = true) const {
    if (bits) bitmap_clear(ctx, at(2));
    if (ctx.rank() == 0) store_relaxed(size_at(2), u64(0));
  }
  // The next bitmap becomes the frontier of the next step.
  GR_DEVICE void turn() { ++number; }

 private:
  GR_DEVICE u32* at(u32 ahead) const { return words + (number + ahead) % 3 * stride; }
  GR_DEVICE u64* size_at(u32 ahead) const { return &sizes[(number + ahead) % 3]; }
};

}  // namespace gunrock
