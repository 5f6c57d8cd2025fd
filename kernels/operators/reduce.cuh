// Folds the threads' values over a block, and over the grid. Called by primitives and operators.
#pragma once
#include "../core/context.cuh"
#include "../math/monoid.cuh"

namespace gunrock {

// The whole block: the fold of x over its threads, for thread 0. The order of the fold depends only on the
// threads' numbers, so equal inputs give equal bits in every run. A single block may call it, too.
template <class Monoid>
GR_DEVICE typename Monoid::Total fold_block(Context& ctx, typename Monoid::Total x) {
  using Total = typename Monoid::Total;
  fold_lanes<Monoid>(x, WARP);
  if constexpr (WARPS > 1) {
    static_assert(sizeof(Total) <= 2 * sizeof(u64), "a total is too wide for the block's storage");
    Total* parts = (Total*)ctx.shared.wide_scan.totals;
    block_sync();
    if (lane_id() == 0) parts[warp_id()] = x;
    block_sync();
    if (warp_id() == 0) {
      x = lane_id() < WARPS ? parts[lane_id()] : Monoid::nothing();
      fold_lanes<Monoid>(x, WARP);
    }
  }
  return x;
}

// A part of a step, called by the whole grid: folds x of all threads into *target, by at most one atomic per
// block. The next step may read it.
template <class Monoid>
GR_DEVICE void fold_grid(Context& ctx, typename Monoid::Total x, typename Monoid::Total* target) {
  x = fold_block<Monoid>(ctx, x);
  if (thread_id() == 0) Monoid::merge_into(target, x);
}

}  // namespace gunrock
