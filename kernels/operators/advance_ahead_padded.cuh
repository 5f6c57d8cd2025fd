// Advance ahead (advance_ahead.cuh) over a copy of the lists with room for four entries each, for graphs in which
// nearly all lists are so short. A list's place follows from its vertex, so the list is loaded together with the
// atomic that finds the vertex. A level waits for memory once, instead of first for neighbours and then for the
// atomics and the places of their lists [D-ahead-9].
//
// For GPUs only. The functor is the same as in advance_ahead.cuh. Without WAITS, offer's edge is always 0. With
// WAITS the copy has weights, too, for which the functor has [D-ahead-11]
//   vertex_t weight(e)             the bits of the weight of edge e
//   u32 offer_by(value, bits)      what an item expanded with `value` offers over an edge whose weight has these
//                                  bits; it does not fall if `value` rises
#pragma once
#include "advance_ahead.cuh"

namespace gunrock {

// The copy, four words for each vertex: its neighbours, then NOBODY; or, for a longer list, LONGER and where
// the list begins and ends among the columns. WEIGHTED: four more words, the bits of the weights.
template <bool WEIGHTED>
struct AheadRows {
  static constexpr int WIDTH = 4, STRIDE = WEIGHTED ? 2 * WIDTH : WIDTH;
  static constexpr vertex_t NOBODY = -1, LONGER = -2;
  vertex_t* words;

  GR_DEVICE vertex_t* of(vertex_t v) const { return words + i64(STRIDE) * v; }

  // A step of its own, before the first step that reads the copy.
  GR_DEVICE void make(Context& ctx, const Csr& csr) const {
    static_assert(sizeof(edge_t) == sizeof(vertex_t), "an entry has no room for an edge");
    constexpr int TOGETHER = 4;  // vertices of a thread whose lists are looked up at once
    for_each_loaded<TOGETHER>(
        ctx, ctx.graph.n, [&](i64 v) { return csr.offsets(v); },
        [&](i64 v, const Csr::Offsets& list) {
          const bool fits = list.end - list.begin <= WIDTH;
          GR_UNROLL
          for (int k = 0; k < WIDTH; ++k) {
            const bool inside = fits && list.begin + k < list.end;
            of(vertex_t(v))[k] = inside ? csr.neighbor(list.begin + k) : NOBODY;
            if constexpr (WEIGHTED)
              of(vertex_t(v))[WIDTH + k] = inside ? ((const vertex_t*)csr.values)[list.begin + k] : 0;
          }
          if (fits) return;
          of(vertex_t(v))[0] = LONGER;
          of(vertex_t(v))[1] = vertex_t(list.begin);
          of(vertex_t(v))[2] = vertex_t(list.end);
        });
  }
};

namespace ahead {

// A list of the copy.
template <bool WEIGHTED>
struct PaddedList {
  static constexpr int WIDTH = AheadRows<WEIGHTED>::WIDTH;
  vertex_t ends[WIDTH], weights[WEIGHTED ? WIDTH : 1];

  GR_DEVICE void load_if(bool wanted, const vertex_t* words) {
    load_four_if(wanted, words, ends);
    if constexpr (WEIGHTED) load_four_if(wanted, words + WIDTH, weights);
  }
  GR_DEVICE void put(PaddedQueue<WEIGHTED>& to, int place, vertex_t v, u32 value) const {
    to.values[place] = value;
    store_four(to.lists[place], ends);
    if constexpr (WEIGHTED) {
      store_four(to.weights[place], weights);
      to.vertices[place] = v;
    }
  }
};

// A round: expands the `here` items of `from`; `to` and its counter take the near items. One thread per word of
// a list.
template <class C, class F>
GR_DEVICE void expand_padded(const Csr& csr, const AheadRows<F::WAITS>& rows, const PaddedQueue<F::WAITS>& from,
                             int here, PaddedQueue<F::WAITS>& to, int* coming, int limit, F& f, C& collect) {
  using Rows = AheadRows<F::WAITS>;
  constexpr int WIDTH = Rows::WIDTH;
  const int work = here * WIDTH;
  const bool direct = work <= BLOCK;  // latency counts: no plain load before the atomic [D-ahead-3]
  for (int w = thread_id(); w < work; w += BLOCK) {
    const vertex_t* const list = from.lists[w / WIDTH];
    const u32 value = from.values[w / WIDTH];
    vertex_t d = list[w % WIDTH];
    u32 found = 0, by_now = 0;
    vertex_t weight = 0;
    if constexpr (F::WAITS) {
      weight = from.weights[w / WIDTH][w % WIDTH];
      found = f.offer_by(value, weight);
      by_now = f.value(from.vertices[w / WIDTH]);  // in flight together with the atomic
    } else {
      found = f.offer(value, 0);
    }
    edge_t e = 0, end = 0;  // the rest of a longer list
    if (list[0] == Rows::LONGER) {
      e = edge_t(list[1]) + w % WIDTH;
      end = edge_t(list[2]);
      d = e < end ? csr.neighbor(e) : Rows::NOBODY;
      if constexpr (F::WAITS) {
        if (e < end) weight = f.weight(e);
        found = f.offer_by(value, weight);
      }
    }
    for (;;) {
      bool live = d >= 0;
      collect.ctx.count_edges(live);
      if (live && !direct) live = f.peek(d, found);
      PaddedList<F::WAITS> next;
      const u32 before = atomic_min_if(live, f.cell(live ? d : 0), found, found);
      next.load_if(live, rows.of(live ? d : 0));
      // An item's finds need not be queued if the item has since been improved and the improvement, which was
      // queued, offers less [D-ahead-11]. If it offers the same, as sums are rounded, it will improve nothing,
      // and nobody else would queue these finds.
      if constexpr (F::WAITS)
        if (f.offer_by(by_now, weight) < found) live = false;
      const Slice slice = live ? f.slice(d, before, found) : DROP;
      if (slice != DROP) {
        const int place = slice == NEAR ? reserve(coming) : limit;
        if (place < limit) next.put(to, place, d, found);
        else collect.push(item_t(d));
      }
      e += WIDTH;
      if (e >= end) break;
      d = csr.neighbor(e);
      if constexpr (F::WAITS) found = f.offer_by(value, weight = f.weight(e));
    }
  }
}

// The copy's lists, which are loaded together with what an item is expanded with.
template <bool WEIGHTED>
struct CopiedLists {
  const Csr& csr;
  const AheadRows<WEIGHTED>& rows;

  using List = PaddedList<WEIGHTED>;
  GR_DEVICE void ask(vertex_t v, List& list) const { list.load_if(true, rows.of(v)); }
  GR_DEVICE void put(const List& list, PaddedQueue<WEIGHTED>& to, int place, vertex_t v, u32 value) const {
    list.put(to, place, v, value);
  }
  template <class F, class C>
  GR_DEVICE void expand(const PaddedQueue<WEIGHTED>& from, int here, PaddedQueue<WEIGHTED>& to, int* coming,
                        int limit, F& f, C& collect) const {
    expand_padded(csr, rows, from, here, to, coming, limit, f, collect);
  }
};

}  // namespace ahead

// advance_ahead over the copy of the lists.
template <class F>
GR_DEVICE void advance_ahead_padded(Context& ctx, const LoopState& s, const AheadRows<F::WAITS>& rows, F& f) {
  const ahead::CopiedLists<F::WAITS> lists{ctx.graph.csr, rows};
  ahead::by_rounds<PADDED_CAPACITY>(ctx, s, ctx.shared.ahead_padded, lists, f);
}

}  // namespace gunrock
