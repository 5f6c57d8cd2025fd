// RowsAhead: where the lists of a warp's vertices lie, one list per lane, loaded one round ahead. Used by
// operators whose warps walk consecutive vertices (resolve.cuh, by_rank.cuh).
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// The rows of a warp's vertices, as many at a time as the warp has lanes. The next rows are loaded while the
// present ones are walked.
template <class Lists>
struct RowsAhead {
  const Lists& lists;
  u32 stop;
  edge_t ends, before;

  GR_DEVICE RowsAhead(const Lists& all, u32 first, u32 end)
      : lists(all), stop(end), ends(ends_from(first)), before(lists.row_begin(first)) {}
  GR_DEVICE edge_t ends_from(u32 base) const {
    const u32 after = base + lane_id() + 1;
    return lists.row_begin(after < stop ? after : stop);
  }
  // The rows from `base` on; empty beyond the last vertex.
  GR_DEVICE Row take(u32 base) {
    const edge_t end = ends;
    ends = ends_from(base + WARP);
    const edge_t left = warp_broadcast(end, (lane_id() + WARP - 1) % WARP);
    const edge_t begin = lane_id() > 0 ? left : before;
    before = left;  // the first lane's row begins where the previous round's last row ends
    return {begin, end - begin};
  }
};

}  // namespace gunrock
