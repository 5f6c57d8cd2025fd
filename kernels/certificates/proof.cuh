// The common part of certificates: a walk over all edges, and a tally of broken conditions.
//
// A certificate proves an answer without computing it: by a few conditions, each about one vertex or one edge,
// that only the right answer meets together. It uses the driver and the atomics, but no operator, so that an
// operator's fault cannot hide itself. It keeps no array of m elements.
#pragma once
#include "core/enactor.cuh"

namespace gunrock {

// The number of edges that a thread takes at a time. A warp's lanes walk their shares side by side, so that the
// warp reads whole cache lines.
constexpr i64 SHARE = WARP > 1 ? 32 : 4096;

// f(u, v, e) for every edge of `lists`, in equal shares whatever the degrees. A thread finds its first edge's
// row by search and goes on from there. Each of several devices has its own vertices' rows.
template <class F>
GR_DEVICE void for_each_edge(const Context& ctx, const Csr& lists, F f) {
  const i64 m = i64(load_constant(&lists.row_offsets[ctx.peers.end])), lane = ctx.rank() % WARP;
  for (i64 begin = (ctx.rank() - lane) * SHARE; begin + lane < m; begin += ctx.threads() * SHARE) {
    const i64 first = begin + lane;
    i64 u = ctx.peers.begin, above = ctx.peers.end;  // rows[u] <= first < rows[above]
    while (above - u > 1) {
      const i64 middle = u + (above - u) / 2;
      (i64(load_constant(&lists.row_offsets[middle])) <= first ? u : above) = middle;
    }
    const i64 last = begin + WARP * SHARE < m ? begin + WARP * SHARE : m;
    i64 end = i64(load_constant(&lists.row_offsets[u + 1]));
    for (i64 e = first; e < last; e += WARP) {
      while (e >= end) end = i64(load_constant(&lists.row_offsets[++u + 1]));
      f(vertex_t(u), lists.neighbor(edge_t(e)), edge_t(e));
    }
  }
}

// f(u, e) for v's neighbours other than v and the first entry of each.
template <class F>
GR_DEVICE void for_each_first_entry(const Csr& lists, vertex_t v, F f) {
  const Row row = lists.row(v);
  for (edge_t e = row.begin; e < row.end(); ++e) {
    const vertex_t u = lists.neighbor(e);
    if (u != v && (e == row.begin || lists.neighbor(e - 1) != u)) f(u, e);
  }
}

// f(u) for the neighbours of v, of which repetitions are left out, as are loops.
template <class F>
GR_DEVICE void for_each_neighbor(const Csr& lists, vertex_t v, F f) {
  for_each_first_entry(lists, v, [&](vertex_t u, edge_t) { f(u); });
}

// The whole warp: f(u) for v's entries.
template <class F>
GR_DEVICE void for_each_entry_of_warp(const Csr& lists, vertex_t v, F f) {
  const Row row = lists.row(v);
  for (edge_t e = row.begin + lane_id(); e < row.end(); e += WARP) f(lists.neighbor(e));
}

// The first entry of u in v's row, or -1. Rows rise.
GR_DEVICE edge_t entry_of(const Csr& lists, vertex_t v, vertex_t u) {
  const Row row = lists.row(v);
  edge_t low = row.begin, high = row.end();
  while (low < high) {
    const edge_t middle = low + (high - low) / 2;
    if (lists.neighbor(middle) < u) low = middle + 1;
    else high = middle;
  }
  return low < row.end() && lists.neighbor(low) == u ? low : edge_t(-1);
}

GR_DEVICE bool is_neighbor(const Csr& lists, vertex_t v, vertex_t u) { return entry_of(lists, v, u) >= 0; }

// f(u, v, e) for every edge from u to v. With one device, the rows are u's. Each of several devices has its own
// vertices' in-edges, so that one device knows everything about v.
template <class F>
GR_DEVICE void for_each_link(const Context& ctx, F f) {
  const bool inward = ctx.peers.devices > 1;
  for_each_edge(ctx, ctx.graph.csr, [&](vertex_t row, vertex_t column, edge_t e) {
    f(inward ? column : row, inward ? row : column, e);
  });
}

// f(v) for the device's own vertices.
template <class F>
GR_DEVICE void for_each_own(const Context& ctx, F f) {
  for (i64 v = ctx.peers.begin + ctx.rank(); v < ctx.peers.end; v += ctx.threads()) f(vertex_t(v));
}

template <class F>
GR_DEVICE void for_each_vertex(const Context& ctx, F f) {
  for (i64 v = ctx.rank(); v < ctx.graph.n; v += ctx.threads()) f(vertex_t(v));
}

// How often each condition was broken, and the smallest vertex that broke it.
struct Tally {
  u64* broken;
  i64* first;

  GR_DEVICE void require(bool holds, int condition, vertex_t v) const {
    if (holds) return;
    atomic_add(&broken[condition], u64(1));
    atomic_min(&first[condition], i64(v));
  }
};

// A certificate of two steps: a struct Enactor : TwoSteps<Enactor> with
//   static void walk(ctx, problem, tally)    walks all edges, and notes what they show
//   static void judge(ctx, problem, tally)   judges by what all threads have noted
template <class Proof>
struct TwoSteps : WholeGridEnactor {
  template <class Problem>
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Tally tally{p.broken, p.first};
    if (s.step == 0) {
      Proof::walk(ctx, p, tally);
    } else if (s.step == 1) {
      Proof::judge(ctx, p, tally);
    } else {
      return false;
    }
    return true;
  }
};

// A flag that any thread of a step may raise and that the next step reads. Of three words, zero before, this
// step sets one, the previous step set another, and the third is cleared for the next step.
struct Flag {
  u32* words;
  u32 step;

  GR_DEVICE void clear_next(const Context& ctx) const {
    if (ctx.rank() == 0) store_relaxed(&words[(step + 1) % 3], 0u);
  }
  GR_DEVICE void raise() const { store_relaxed(&words[step % 3], 1u); }
  GR_DEVICE bool was_raised() const { return load_relaxed(&words[(step + 2) % 3]) != 0; }
};

// Sums of doubles over the grid, spread over a few words so that threads do not all wait for the same one.
constexpr int SLOTS = 64;
GR_DEVICE void add_to_slots(const Context& ctx, double* slots, double x) {
  if (x != 0) atomic_add(&slots[ctx.rank() % SLOTS], x);
}
GR_DEVICE double sum_of_slots(const double* slots) {
  double sum = 0;
  for (int i = 0; i < SLOTS; ++i) sum += load_relaxed(&slots[i]);
  return sum;
}

}  // namespace gunrock
