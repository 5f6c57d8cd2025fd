// Advance ahead (advance_ahead.cuh) over a padded copy of the lists (padded_lists.cuh), whose places follow from
// their vertices: a list is loaded together with the atomic that finds its vertex. A level waits for memory once,
// instead of first for neighbours and then for the atomics and the places of their lists [D-ahead-9].
//
// For GPUs only. The functor is the same as in advance_ahead.cuh. Without WAITS, offer's edge is always 0. With
// WAITS the copy has weights, too, for which the functor has [D-ahead-11]
//   vertex_t weight(e)             the bits of the weight of edge e
//   u32 offer_by(value, bits)      what an item expanded with `value` offers over an edge whose weight has these
//                                  bits; it does not fall if `value` rises
#pragma once
#include "advance_ahead.cuh"
#include "padded_lists.cuh"

namespace gunrock {

namespace ahead {

// A list of the copy.
template <bool WEIGHTED>
struct PaddedList {
  static constexpr int WIDTH = PaddedLists<WEIGHTED>::WIDTH;
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
GR_DEVICE void expand_padded(const Csr& csr, const PaddedLists<F::WAITS>& copy, const PaddedQueue<F::WAITS>& from,
                             int here, PaddedQueue<F::WAITS>& to, int* coming, int limit, F& f, C& collect) {
  using Copy = PaddedLists<F::WAITS>;
  static_assert(Copy::HAS_PLACES, "a word has no room for an edge");
  constexpr int WIDTH = Copy::WIDTH;
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
    if (list[0] == Copy::LONGER) {
      e = ~edge_t(list[1]) + w % WIDTH;
      end = ~edge_t(list[2]);
      d = e < end ? csr.neighbor(e) : Copy::NONE;
      if constexpr (F::WAITS) {
        if (e < end) weight = f.weight(e);
        found = f.offer_by(value, weight);
      }
    }
    for (;;) {
      bool live = d >= 0;
      collect.ctx.look_at_edges(live);
      if (live && !direct) live = f.peek(d, found);
      PaddedList<F::WAITS> next;
      const u32 before = atomic_min_if(live, f.cell(live ? d : 0), found, found);
      next.load_if(live, copy.of(live ? d : 0));
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
  const PaddedLists<WEIGHTED>& copy;

  using List = PaddedList<WEIGHTED>;
  GR_DEVICE void ask(vertex_t v, List& list) const { list.load_if(true, copy.of(v)); }
  GR_DEVICE void put(const List& list, PaddedQueue<WEIGHTED>& to, int place, vertex_t v, u32 value) const {
    list.put(to, place, v, value);
  }
  template <class F, class C>
  GR_DEVICE void expand(const PaddedQueue<WEIGHTED>& from, int here, PaddedQueue<WEIGHTED>& to, int* coming,
                        int limit, F& f, C& collect) const {
    expand_padded(csr, copy, from, here, to, coming, limit, f, collect);
  }
};

}  // namespace ahead

// advance_ahead over the copy of the lists.
template <class F>
GR_DEVICE void advance_ahead_padded(Context& ctx, const LoopState& s, const PaddedLists<F::WAITS>& copy, F& f) {
  const ahead::CopiedLists<F::WAITS> lists{ctx.graph.csr, copy};
  ahead::by_rounds<PADDED_CAPACITY>(ctx, s, ctx.shared.ahead_padded, lists, f);
}

}  // namespace gunrock
