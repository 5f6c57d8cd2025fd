// One thread's part of a neighbour list, entry by entry (walk) or several at a time, so that their loads are in
// flight together (load_entries). Called by most operators.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// f(u, e) for the entries of a list from `e` on, `stride` apart, as long as f returns true. Returns the entry at
// which it stopped, or one beyond the end.
template <class Lists, class F>
GR_DEVICE edge_t walk(const Lists& lists, edge_t e, edge_t end, edge_t stride, F f) {
  for (; e < end; e += stride)
    if (!f(lists.neighbor(e), e)) break;
  return e;
}
// For all of them.
template <class Lists, class F>
GR_DEVICE void walk_all(const Lists& lists, edge_t e, edge_t end, edge_t stride, F f) {
  for (; e < end; e += stride) f(lists.neighbor(e), e);
}

// Loads the next entries of a list from `e` on, `stride` apart; -1 beyond its end.
template <int BATCH, class Lists>
GR_DEVICE void load_entries(Context& ctx, const Lists& lists, edge_t e, edge_t end, edge_t stride,
                            vertex_t (&entries)[BATCH]) {
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const bool inside = e + k * stride < end;
    entries[k] = inside ? lists.neighbor(e + k * stride) : -1;
    ctx.look_at_edges(inside);
  }
}

}  // namespace gunrock
