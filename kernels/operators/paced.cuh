// Entries of short lists, each list by one thread, where an entry takes a few loads that depend on each
// other, some entries more than others: a lane that is done with its entry takes its next one, and does not
// wait for the slowest of its warp. A round of the loop is a load of every lane.
//
// A functor has
//   Own, own(v)        what it needs of v itself, loaded before v's list is begun
//   begin(u, v, own)   entry u of v's list is to be worked on
//   busy(), go_on(v)   whether that is under way, and a load's worth of it
//   ends(u, v)         whether neither u nor the rest of v's list is to be worked on
// and is a thread's own. Nothing of a warp's may be asked for: lanes are apart.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// A part of a step. What a round loads is used in the next: a copy behind a load would wait for it.
template <class F>
GR_DEVICE void for_each_entry_paced(Context& ctx, const Csr& lists, F f) {
  const u32 n = u32(ctx.graph.n), stride = u32(ctx.threads());
  u32 v = u32(ctx.rank()) - stride;  // before the first
  edge_t at = 0, end = 0;            // what is left of v's list
  vertex_t u = -1;                   // its next neighbour
  bool known = true;
  typename F::Own own{};
  for (;;) {
    if (!known) {
      known = true;
      if (at < end) u = lists.neighbor(at);
      if (!f.busy()) continue;
    } else if (!f.busy()) {
      if (at >= end) {
        v += stride;
        if (v >= n) return;
        const Row row = lists.row(v);
        at = row.begin;
        end = row.end();
        own = f.own(vertex_t(v));
        known = false;
        continue;
      }
      ctx.count_edges(1);
      if (f.ends(u, vertex_t(v))) {
        at = end;
        continue;
      }
      f.begin(u, vertex_t(v), own);
      ++at;
      known = false;
    }
    f.go_on(vertex_t(v));
  }
}

}  // namespace gunrock
