// Smallest free numbers in an order of classes: as operators/in_order.cuh, for lists of at most 63 entries. Called
// by coloring. A vertex's word need only hold its class, so a byte is enough: of two vertices in a class the
// smaller goes first. Vertices that are near each other in memory are also near in their class, so warps that run
// side by side share lines [D-classes-1].
//
//   smallest_free_in_classes<LANES>(ctx, lists, order, count, f)
//
// LANES threads share a list. `order` has all vertices, class by class, ascending in each. A functor has
//   own(v) -> Own               what it needs of v itself
//   ask(u) -> Word              u's present state
//   waits(own, u, word) -> bool   true if u goes before v and has no number yet
//   number(word) -> i32         u's number; negative if it has none and does not go before v
//   finish(v, number)           one thread hands over the number that v takes
//
// A warp takes its lists in this order, the same lists whatever other warps do. The first vertex without a number
// is one that its warp is working on, and it waits for nobody, so there is no deadlock.
#pragma once
#include "../core/partition.cuh"
#include "in_order.cuh"

namespace gunrock {

namespace classes {

constexpr int BATCH = 4;
constexpr i64 TOGETHER = 64;  // lists in a core's turn, whose words share lines

// One list, as seen by one of the lanes that share it.
template <class F>
struct ListSlice {
  typename F::Own own;
  edge_t e, end;
  vertex_t u[BATCH];
  u32 open = 0;  // entries of u still to be asked, or asked again
  u64 taken[1] = {0};

  // Goes on while the neighbours have their numbers; true at the end of the list.
  GR_DEVICE bool go_on(Context& ctx, const Csr& lists, F& f, edge_t stride) {
    if (!open && e < end) {
      load_entries(ctx, lists, e, end, stride, u);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) open |= u32(u[k] >= 0) << k;
      e += BATCH * stride;
    }
    typename F::Word word[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (open >> k & 1) word[k] = f.ask(u[k]);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (!(open >> k & 1) || f.waits(own, u[k], word[k])) continue;
      open &= ~(1u << k);
      if (const i32 number = f.number(word[k]); number >= 0) taken[0] |= u64(1) << number;
    }
    return !open && e >= end;
  }
};

}  // namespace classes

// A part of a step.
template <int LANES, class F>
GR_DEVICE void smallest_free_in_classes(Context& ctx, const Csr& lists, const vertex_t* order, i64 count,
                                        F f) {
  using Group = LaneGroup<LANES>;
  const Partition partition(ctx, count, classes::TOGETHER);
  const u32 round = u32(ctx.threads() / WARP) * Group::EACH, n = u32(count);  // n < 2^31
  const u32 first = WARP > 1 ? u32(ctx.block * WARPS + warp_id()) * Group::EACH : u32(partition.first());
  const auto after = [&](u32 i) { return WARP > 1 ? i + round : u32(partition.next(i)); };
  const auto vertex_at = [&](u32 i) { return i < n ? order[i] : vertex_t(-1); };
  const auto row_of = [&](vertex_t v) { return v >= 0 ? lists.row(v) : Row{0, 0}; };
  // The next vertex and its row are in flight while the present one's neighbours are.
  vertex_t v = vertex_at(first + Group::number()), next = vertex_at(after(first) + Group::number());
  Row row = row_of(v);
  for (u32 base = first; base < n; base = after(base)) {
    const vertex_t later = vertex_at(after(after(base)) + Group::number());
    const Row next_row = row_of(next);
    classes::ListSlice<F> share;
    share.e = row.begin + Group::lane();
    share.end = row.end();
    if (v >= 0) share.own = f.own(v);
    ordering::poll_lists<Group>(
        v < 0, share.taken, [&] { return share.go_on(ctx, lists, f, edge_t(Group::SIZE)); },
        [&](i32 number) { f.finish(v, number); });
    v = next;
    row = next_row;
    next = later;
  }
}

}  // namespace gunrock
