// Pull: each candidate vertex looks through its in-neighbours for one in the frontier, and stops at
// the first (Beamer's bottom-up step; Gunrock, section 5.1.4). A gather of the first entry that a
// functor accepts.
//
// A functor is a VertexFunctor's counterpart for in-edges:
//   bool wants(v)          is v still a candidate?
//   bool peek(s, v, e)     does in-edge e from s reach v? (s in the frontier, usually)
//   void apply(s, v, e)    what to do with the first edge that does
//
// Candidates that found nothing fill the next frontier, so that the next pull looks at no others; those
// without in-edges never will.
#pragma once
#include "../core/bitmap_frontier.cuh"
#include "gather.cuh"

namespace gunrock {

namespace pulling {

constexpr edge_t THREAD_MAX = 8;     // most candidates find a parent within a few edges
constexpr edge_t WARP_MAX = 8192;
// A core looks at one entry after the other: most candidates need one or two [D-cores-2].
using PullTiers = Tiers<THREAD_MAX, WARP_MAX, (WARP > 1 ? 4 : 1)>;

template <class F>
struct FindParent : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  const Csr& out_edges;
  F& f;
  u32* found_bits;
  u32 count = 0;  // what this thread has found, and the edges out of it
  u64 edges = 0;

  GR_DEVICE FindParent(const Csr& csr, F& functor, u32* bits)
      : out_edges(csr), f(functor), found_bits(bits) {}

  GR_DEVICE bool wants(vertex_t v) { return f.wants(v); }
  GR_DEVICE bool peek(vertex_t s, vertex_t v, edge_t e) { return f.peek(s, v, e); }
  GR_DEVICE Entry value(vertex_t s, edge_t e) { return {s, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& parent) {
    if (!parent.found()) return true;
    f.apply(parent.u, v, parent.e);
    bitmap_set(found_bits, v);
    count += 1;
    edges += u64(out_edges.row(v).length);
    return false;
  }
};

}  // namespace pulling

// A step's work. Candidates are the items of `who`. What is found is added to `found_bits` (clear
// before) and, as a size, to `found`.
template <class Who, class F>
GR_DEVICE void pull(Context& ctx, const LoopState& s, const Who& who, F&& f, u32* found_bits,
                    u64* found) {
  pulling::FindParent find(ctx.graph.csr, f, found_bits);
  gather<First, pulling::PullTiers, V>(ctx, s, who, ctx.graph.reverse, find);
  // The sums fit in the packed form, being those of one frontier.
  fold_grid<Sum<u64>>(ctx, pack(find.count, find.edges), found);
}

// The same from a bitmap to the next.
template <class Who, class F>
GR_DEVICE void pull(Context& ctx, const LoopState& s, const Who& who, F&& f,
                    BitmapFrontier& frontier) {
  pull(ctx, s, who, f, frontier.next(), frontier.next_size());
  frontier.clear_spare(ctx);
  frontier.turn();
}

// The step's frontier, or all vertices.
GR_DEVICE ListedOrRange<item_t> candidates(const Context& ctx, const LoopState& s, bool all) {
  return {all ? nullptr : ctx.in(s).queue.items, all ? ctx.graph.n : i64(s.in.count)};
}

}  // namespace gunrock
