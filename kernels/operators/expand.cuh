// Expand: visit the edges of some lists. An advance calls this once each edge has been assigned to a block,
// warp or thread. A thread takes several edges at a time, so that their loads overlap, and asks a functor
// (functor.cuh) about each.
#pragma once
#include "functor.cuh"
#include "search.cuh"
#include "walk.cuh"

namespace gunrock {

// True if a frontier has so few edges that latency counts rather than traffic: then the exact test is made at
// once, without a cheaper test before it.
GR_DEVICE bool is_latency_bound(const Context& ctx, u64 edges) {
  return WARP > 1 && edges < 128 + 64 * u64(ctx.blocks);
}

// The edges that a thread processes at once.
struct Edges {
  vertex_t s[BATCH], d[BATCH] = {};
  edge_t e[BATCH];
  item_t incoming[BATCH];
  bool live[BATCH];
  // Makes edge `edge` of `item`'s list the k-th.
  GR_DEVICE void take(const Csr& csr, int k, item_t item, edge_t edge) {
    e[k] = edge;
    incoming[k] = item;
    s[k] = vertex_t(item);
    d[k] = csr.neighbor(edge);
  }
};

// Asks f about all edges; each question is asked for all edges before the first answer is waited for. Calls
// meanwhile(k, true if the k-th passed peek) for each edge, then kept(k, visit's answer) for each edge to keep.
template <Kind IN, class F, class Meanwhile, class Kept>
GR_DEVICE void ask_edges(const Csr& csr, Edges& edges, F& f, Meanwhile meanwhile, Kept kept) {
  auto& [s, d, e, incoming, live] = edges;
  typename F::Carry carry[BATCH];
  if constexpr (IN == Kind::edge) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (live[k]) s[k] = list_of<IN>(incoming[k], csr);
  }
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k)
    if (live[k]) fetch_edge(f, s[k], d[k], e[k], incoming[k], carry[k]);
  PeekAnswer<F> seen[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) seen[k] = peek_edge(f, live[k], s[k], d[k], e[k], carry[k]);
  // All visits come before the first use of an answer [D-advance-1], so their atomics overlap too.
  VisitAnswer<F> keep[BATCH];
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) keep[k] = visit_edge(f, seen[k], s[k], d[k], e[k], carry[k]);
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) meanwhile(k, bool(seen[k]));
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k)
    if (keep[k]) kept(k, keep[k]);
}
template <Kind IN, class C, class F>
GR_DEVICE void process_edges(const Csr& csr, Edges& edges, F& f, C& collect) {
  ask_edges<IN>(csr, edges, f, [](int, bool) {}, [&](int k, VisitAnswer<F> keep) {
    keep_edge(f, collect, edges.s[k], edges.d[k], edges.e[k], keep);
  });
}

// The edges that this thread takes in the pass from edge `base` on, before `last`. The arrays cover at least
// the items that own these edges.
template <class F>
GR_DEVICE Edges take_edges(Context& ctx, const Csr& csr, const edge_t* scan, const edge_t* rows,
                           const item_t* items, int count, edge_t base, edge_t last) {
  int owner[BATCH];
  if constexpr (F::WARP_SEARCH) owners_of_runs(scan, count, base + thread_id(), edge_t(BLOCK), owner);
  else owners_of(scan, count, base + thread_id(), edge_t(BLOCK), owner);
  Edges edges;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const edge_t r = base + k * BLOCK + thread_id();
    edges.live[k] = r < last;
    if (edges.live[k]) {
      const int i = owner[k];
      edges.take(csr, k, items[i], rows[i] + (r - scan[i]));
      ctx.look_at_edges(1);
    }
  }
  return edges;
}

// The whole block: edges [first, last) of the frontier, at most a pass. What is kept goes straight to the
// queue, and the rows of the vertices found are looked up while the atomics are in flight [D-pass-1].
template <Kind IN, class C, class F>
GR_DEVICE void expand_at_once(const Csr& csr, const edge_t* scan, const edge_t* rows, const item_t* items,
                              int count, edge_t first, edge_t last, F& f, C& collect) {
  typename C::Found found;
  if (first + warp_id() * WARP < last) {  // else the warp has nothing to do
    Edges edges = take_edges<F>(collect.ctx, csr, scan, rows, items, count, first, last);
    ask_edges<IN>(
        csr, edges, f, [&](int k, bool seen) { found.look_up(k, seen, collect.next, edges.d[k]); },
        [&](int k, bool) {
          f.apply(edges.s[k], edges.d[k], edges.e[k]);
          collect.keep(found, k, C::KIND == Kind::edge ? item_t(edges.e[k]) : item_t(edges.d[k]));
        });
  }
  collect.put_found(found);
}
// The functor to ask then. What bypasses the stage is claimed by an atomic, as a tag could only be looked at
// again after a barrier of the block [D-cull-2].
template <class C, class F>
GR_DEVICE decltype(auto) asked_at_once(F& f) {
  if constexpr (C::TAGS) return f.claiming();
  else return (f);
}

// The whole block: edges [first, last) of the frontier, one thread per edge, BATCH at once so that independent
// loads overlap. `more`: the block has more to expand in this step, so finds are staged; otherwise every part
// would wait for its place in the queue.
template <Kind IN, class C, class F>
GR_DEVICE void expand(const Csr& csr, const edge_t* scan, const edge_t* rows, const item_t* items,
                      int count, int cursor, edge_t first, edge_t last, F& f, C& collect,
                      bool more = false) {
  if constexpr (WARP == 1) {
    // A core has no lanes to keep busy: it walks one list after another.
    for (edge_t r = first; r < last;) {
      const int i = owner_of(scan, count, r, cursor);
      const edge_t stop = i + 1 < count && scan[i + 1] < last ? scan[i + 1] : last;
      const item_t item = items[i];  // this and the next variable stay in registers across atomics
      const vertex_t* const columns = csr.column_indices;
      const vertex_t source = list_of<IN>(item, csr);
      const edge_t shift = rows[i] - scan[i];
      for (; r < stop; ++r) process_edge(f, collect, source, columns[shift + r], shift + r, item);
      collect.drain();
    }
    return;
  }
  if constexpr (WARP > 1 && C::AT_ONCE) {
    if (!more && last - first <= PASS) {
      auto&& asked = asked_at_once<C>(f);
      expand_at_once<IN>(csr, scan, rows, items, count, first, last, asked, collect);
      return;
    }
  }
  for (edge_t base = first; base < last; base += PASS) {
    collect.make_room(PASS);
    if (base + warp_id() * WARP >= last) continue;  // the warp has nothing to do
    Edges edges = take_edges<F>(collect.ctx, csr, scan, rows, items, count, base, last);
    process_edges<IN>(csr, edges, f, collect);
  }
}

// One list, strided over by `width` threads of which this is the `place`-th.
template <Kind IN, class C, class F>
GR_DEVICE void stride_over(const Csr& csr, item_t item, edge_t row, edge_t length, int place,
                           int width, F& f, C& collect) {
  const vertex_t s = list_of<IN>(item, csr);
  walk_all(csr, row + place, row + length, edge_t(width),
           [&](vertex_t d, edge_t e) { process_edge(f, collect, s, d, e, item); });
}

}  // namespace gunrock
