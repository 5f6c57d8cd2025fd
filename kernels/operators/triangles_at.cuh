// Triangles at edges: for each edge of `who`, the vertices that both its ends lead to, with the two entries that lead
// there, for functors that need to know a triangle's other two edges (intersect.cuh tells vertices only). Called by
// ktruss.
//
//   triangles_at(ctx, s, who, edges, f)
//
// The entries of the end with the shorter list are looked up in the other end's by binary search; a core looks for the
// next one from where it found the last. A warp takes an edge for each lane, or fewer if there are few, and shares out
// the entries of all their shorter lists evenly.
//
// A graph has two entries for an edge, one in the row of each end: its twins. An edge is known by the smaller, the
// one in the row of its smaller end (TwinEdges::of). The array of twins is made in a step before, by the functor FindTwins
// of a gather over all rows. Loops and repetitions of an edge are in no triangle.
//
// A functor is a TriangleFunctor. It has
//   ONCE                          true if each triangle is told once, if all edges are asked: at the edge between its
//                                 two largest vertices
//   peek(a) -> bool               false if no triangle with entry a counts; asked before the search
//   visit(e, a, b, collect)       a triangle: e, of `who`, and the entries a and b of its ends' rows, in any order, that
//                                 lead to the third vertex. collect.push(edge) adds to the next frontier, which is a
//                                 plain queue
//
// This operator reads entries by itself, as lanes take entries of several lists side by side.
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "find_entry.cuh"
#include "gather_functor.cuh"
#include "stream.cuh"

namespace gunrock {

struct TwinEdges {
  const Csr& lists;
  const edge_t* twins;  // of an entry, the other one of its edge; of a loop, itself; of a repetition, ~ the first one

  GR_DEVICE edge_t of(edge_t e) const {
    const edge_t twin = twins[e];
    return twin < e ? twin : e;
  }
  // True for the first entry of an edge that is no loop, in the row of its smaller end.
  GR_DEVICE bool is_edge(edge_t e) const { return twins[e] > e; }
  // The same for any entry; -1 for that of a loop.
  GR_DEVICE edge_t of_any(edge_t e) const {
    const edge_t twin = twins[e], first = twin < 0 ? ~twin : e;
    return twins[first] == first ? -1 : of(first);
  }
};

// For a gather over all rows.
struct FindTwins : GatherFunctor {
  const Csr& lists;
  edge_t* twins;
  GR_DEVICE FindTwins(const Csr& rows, edge_t* made) : lists(rows), twins(made) {}
  static constexpr bool PEEKS = true;
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) {
    const bool again = e > lists.row_begin(v) && lists.neighbor(e - 1) == u;
    if (again) twins[e] = ~find_entry(lists, lists.row(v), u);
    else twins[e] = u == v ? e : find_entry(lists, lists.row(u), v);
    return false;
  }
  GR_DEVICE bool finish(vertex_t, i64) { return false; }
};

struct TriangleFunctor {
  static constexpr bool ONCE = false;
  GR_DEVICE bool peek(edge_t) { return true; }
};

namespace triangles_at_edges {

// An edge on its way: its ends, and where their lists lie.
struct Ends {
  edge_t edge = 0;
  vertex_t u = -1, v = -1;
  Row shorter = {0, 0}, longer = {0, 0};

  template <bool ONCE>
  GR_DEVICE static Ends of(const TwinEdges& edges, edge_t e) {
    const edge_t twin = edges.twins[e];
    const vertex_t u = edges.lists.neighbor(twin), v = edges.lists.neighbor(e);
    Row own = edges.lists.row(u), other = edges.lists.row(v);
    if constexpr (ONCE) {  // only neighbours smaller than u, which is the smaller end
      own.length = first_from(edges.lists, own, u) - own.begin;
      other.length = twin - other.begin;
    }
    const bool is_shorter = own.length < other.length;
    return {e, u, v, is_shorter ? own : other, is_shorter ? other : own};
  }
  GR_DEVICE Ends of_lane(int lane) const {
    return {warp_broadcast(edge, lane),
            warp_broadcast(u, lane),
            warp_broadcast(v, lane),
            {0, 0},
            {warp_broadcast(longer.begin, lane), warp_broadcast(longer.length, lane)}};
  }

  // f(a) for an entry of the shorter list that may be a triangle's.
  template <class F>
  GR_DEVICE bool asks_about(const TwinEdges& edges, F& f, edge_t a, vertex_t w) const {
    return w != u && w != v && f.peek(a) && edges.twins[a] >= 0;
  }
};

// The whole warp, with an edge of each lane, or none.
template <class C, class F>
GR_DEVICE void by_warp(const TwinEdges& edges, const Ends& mine, F& f, C& collect) {
  stream_places(mine.shorter.begin, mine.shorter.length, [&](int owner, edge_t a) {
    const Ends its = mine.of_lane(owner);
    if (a < 0) return;
    const vertex_t w = edges.lists.neighbor(a);
    if (!its.asks_about(edges, f, a, w)) return;
    const edge_t b = find_entry(edges.lists, its.longer, w);
    if (b >= 0) f.visit(its.edge, a, b, collect);
  });
}

// One core: each search begins where the last one ended.
template <class C, class F>
GR_DEVICE void by_core(const TwinEdges& edges, const Ends& mine, F& f, C& collect) {
  const edge_t end = mine.longer.end();
  edge_t low = mine.longer.begin;
  for (edge_t a = mine.shorter.begin; a < mine.shorter.end() && low < end; ++a) {
    const vertex_t w = edges.lists.neighbor(a);
    if (!mine.asks_about(edges, f, a, w)) continue;
    low = first_near(edges.lists, {low, end - low}, w);
    if (low < end && edges.lists.neighbor(low) == w) f.visit(mine.edge, a, low, collect);
  }
}

}  // namespace triangles_at_edges

// A part of a step.
template <class Who, class F>
GR_DEVICE void triangles_at(Context& ctx, const LoopState& s, const Who& who, const TwinEdges& edges, F& f) {
  using namespace triangles_at_edges;
  Collector<Kind::plain> collect(ctx, ctx.out(s), edges.lists);
  i64 each = (who.count * WARP + ctx.threads() - 1) / ctx.threads();  // edges of a warp
  if (each > WARP) each = WARP;
  for (i64 base = ctx.block * each * WARPS; base < who.count; base += ctx.blocks * each * WARPS) {
    collect.make_room(BLOCK);
    const i64 i = base + warp_id() + WARPS * lane_id();  // neighbouring edges go to different warps
    Ends mine;
    if (lane_id() < each && i < who.count) mine = Ends::of<F::ONCE>(edges, edge_t(who.at(i)));
    ctx.count_edges(mine.shorter.length);
    if constexpr (WARP == 1) by_core(edges, mine, f, collect);
    else by_warp(edges, mine, f, collect);
  }
  collect.finish();
}

}  // namespace gunrock
