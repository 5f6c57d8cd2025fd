// Advance ahead (advance_ahead.cuh) over a copy of the lists with room for four entries of each, for graphs where
// nearly all lists are so short. A list's place then follows from its vertex, so the list is loaded together with
// the atomic that finds the vertex. A level waits for memory once, not first for neighbours and then for the
// atomics and the places of their lists [D-ahead-9].
//
// On a GPU, in blocks whose threads have one list each at a time. The functor is as there, without waits, and
// its offer is not told the edge (it gets 0).
#pragma once
#include "advance_ahead.cuh"

namespace gunrock {

// The copy, four words for each vertex: its neighbours, then NOBODY; or, for a longer list, LONGER and where the
// list begins and ends among the columns.
struct AheadRows {
  static constexpr int WIDTH = 4;
  static constexpr vertex_t NOBODY = -1, LONGER = -2;
  vertex_t* words;

  GR_DEVICE vertex_t* of(vertex_t v) const { return words + i64(WIDTH) * v; }

  // A step of its own, before the first that reads the copy.
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
          }
          if (fits) return;
          of(vertex_t(v))[0] = LONGER;
          of(vertex_t(v))[1] = vertex_t(list.begin);
          of(vertex_t(v))[2] = vertex_t(list.end);
        });
  }
};

namespace ahead {

// Queues what this round found for the next; what is far, or finds no room, goes to the next frontier.
template <class C>
GR_DEVICE void keep_padded(PaddedQueue& to, int* coming, int limit, C& collect, vertex_t d, u32 value,
                           Slice slice, const vertex_t (&list)[AheadRows::WIDTH]) {
  if (slice == DROP) return;
  const int place = slice == NEAR ? reserve(coming) : limit;
  if (place < limit) {
    to.values[place] = value;
    store_four(to.lists[place], list);
  } else {
    collect.push(item_t(d));
  }
}

// A round of one block: expand `from`, `here` items; `to` and its counter take what is near. One thread per word
// of a list.
template <class C, class F>
GR_DEVICE void expand_padded(const Csr& csr, const AheadRows& rows, const PaddedQueue& from, int here,
                             PaddedQueue& to, int* coming, int limit, F& f, C& collect) {
  constexpr int WIDTH = AheadRows::WIDTH;
  const int work = here * WIDTH;
  const bool direct = work <= BLOCK;  // latency counts: no look before the atomic [D-ahead-3]
  for (int w = thread_id(); w < work; w += BLOCK) {
    const vertex_t* const list = from.lists[w / WIDTH];
    const u32 found = f.offer(from.values[w / WIDTH], 0);
    vertex_t d = list[w % WIDTH];
    edge_t e = 0, end = 0;  // of a longer list, what is left of it
    if (list[0] == AheadRows::LONGER) {
      e = edge_t(list[1]) + w % WIDTH;
      end = edge_t(list[2]);
      d = e < end ? csr.neighbor(e) : AheadRows::NOBODY;
    }
    for (;;) {
      bool live = d >= 0;
      collect.ctx.count_edges(live);
      if (live && !direct) live = f.peek(d, found);
      vertex_t next[WIDTH];
      const u32 before = atomic_min_if(live, f.cell(live ? d : 0), found, found);
      load_four_if(live, rows.of(live ? d : 0), next);
      keep_padded(to, coming, limit, collect, d, found, live ? f.slice(d, before, found) : DROP, next);
      e += WIDTH;
      if (e >= end) break;
      d = csr.neighbor(e);
    }
  }
}

}  // namespace ahead

// As advance_ahead, over the copy of the lists.
template <class F>
GR_DEVICE void advance_ahead_padded(Context& ctx, const LoopState& s, const AheadRows& rows, F& f) {
  static_assert(!F::WAITS, "items do not wait here");
  const Csr& csr = ctx.graph.csr;
  const Frontier in = ctx.in(s);
  const u32 count = in.size.count;
  auto& queues = ctx.shared.ahead_padded.queues;
  int* counts = ctx.shared.ahead_padded.counts;
  Collector<AHEAD_KIND> collect(ctx, ctx.out(s), csr);
  i64 share = share_of(count, ctx.blocks);
  if (share < ahead::LEAST_SHARE) share = ahead::LEAST_SHARE;
  const i64 first = ctx.block * share;
  const i64 last = first + share < i64(count) ? first + share : i64(count);
  for (i64 base = first; base < last; base += AHEAD_CAPACITY) {
    int here = last - base < AHEAD_CAPACITY ? int(last - base) : AHEAD_CAPACITY;
    if (thread_id() == 0) counts[0] = counts[1] = counts[2] = 0;
    for (int i = thread_id(); i < here; i += BLOCK) {
      const vertex_t v = vertex_t(in.queue.items[base + i]);
      vertex_t list[AheadRows::WIDTH];
      load_four(rows.of(v), list);
      queues[0].values[i] = f.value(v);
      store_four(queues[0].lists[i], list);
    }
    block_sync();
    // A large frontier keeps all blocks busy anyway: one level at a time.
    const int limit = share > AHEAD_CAPACITY ? 0 : AHEAD_CAPACITY;
    for (u32 round = 0; here > 0; ++round) {
      int* coming = &counts[(round + 1) % 3];
      if (thread_id() == 0) counts[(round + 2) % 3] = 0;
      ahead::expand_padded(csr, rows, queues[round % 2], here, queues[(round + 1) % 2], coming, limit, f,
                           collect);
      block_sync();
      here = *coming < limit ? *coming : limit;
    }
  }
  collect.flush();
}

}  // namespace gunrock
