// A row: ROW values of a vertex, side by side (for floats, a line of 128 bytes), and a thread's part of it, its
// columns. Used by gather_rows.cuh and by primitives that answer ROW queries at once (PPR, WTF).
//
//   column_at(place)                      the numbers of this thread's columns
//   columns_of(rows, v)                   their values, by one or two loads
//   fold_columns<Monoid>(ctx, x, target)  folds each column over the grid's threads
//
// GR_ROWS_BY_OCTETS: eight lanes rather than a warp read a row, so a warp reads four rows at once.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

#if GR_ROWS_BY_OCTETS
constexpr bool BY_OCTETS = WARP > 1;
#else
constexpr bool BY_OCTETS = false;
#endif

constexpr int ROW = 32;
constexpr int OCTET = 8;  // lanes that read a row, four columns each
constexpr int ROW_LANES = WARP == 1 ? 1 : BY_OCTETS ? OCTET : WARP;
constexpr int COLUMNS = ROW / ROW_LANES;  // columns of a thread
static_assert(WARP == 1 || WARP == ROW, "a row is read by a warp");

// A thread's columns: all on a core; four neighbouring ones if octets read the rows; else one. Single columns
// are in the order in which join_quads leaves them, as it merges lanes over the upper two bits of their
// numbers.
GR_DEVICE int column_at(int place) {
  if constexpr (WARP == 1) return place;
  const int lane = lane_id();
  if constexpr (BY_OCTETS) return 4 * (lane & 7) + place;
  return 4 * (lane & 7) + 2 * (lane >> 4) + (lane >> 3 & 1);
}

// The values of a thread's columns.
template <class Value>
struct alignas(BY_OCTETS ? 16 : alignof(Value)) Columns {
  Value x[COLUMNS];
};

// A thread's columns of v's row.
template <class Value>
GR_DEVICE Columns<Value>& columns_of(Value* rows, i64 v) {
  return reinterpret_cast<Columns<Value>*>(rows)[v * ROW_LANES + column_at(0) / COLUMNS];
}
template <class Value>
GR_DEVICE const Columns<Value>& columns_of(const Value* rows, i64 v) {
  return reinterpret_cast<const Columns<Value>*>(rows)[v * ROW_LANES + column_at(0) / COLUMNS];
}

// Four columns of a row, loaded by one or two instructions.
template <class Value>
struct alignas(16) Quad {
  Value x[4];
};

// A part of a step, called by the whole grid: folds all threads' x into target[ROW], column by column. The next
// step may read it.
template <class Monoid>
GR_DEVICE void fold_columns(Context& ctx, typename Monoid::Total (&x)[COLUMNS],
                            typename Monoid::Total* target) {
  using Total = typename Monoid::Total;
  if constexpr (WARP > 1) {
    Total(&parts)[WARPS][ROW] = ctx.shared.as<Total[WARPS][ROW]>();
    block_sync();
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) {
      GR_UNROLL
      for (int d = ROW_LANES; d < WARP; d *= 2) Monoid::merge(x[c], Monoid::exchange(x[c], d));
      if (lane_id() < ROW_LANES) parts[warp_id()][column_at(c)] = x[c];
    }
    block_sync();
    if (warp_id() == 0 && lane_id() < ROW_LANES) {
      GR_UNROLL
      for (int c = 0; c < COLUMNS; ++c) {
        for (int w = 1; w < WARPS; ++w) Monoid::merge(x[c], parts[w][column_at(c)]);
        Monoid::merge_into(&target[column_at(c)], x[c]);
      }
    }
    block_sync();  // before other operators use the scratch
  } else {
    for (int c = 0; c < COLUMNS; ++c) Monoid::merge_into(&target[c], x[c]);
  }
}

}  // namespace gunrock
