// A copy of the lists with room for four entries each, for graphs in which nearly all lists are so short: a list's
// place follows from its vertex, and one load of 16 bytes reads it. Used by gather_padded.cuh and
// advance_ahead_padded.cuh [D-padded-1, D-ahead-9].
#pragma once
#include "compute.cuh"

namespace gunrock {

// Four words for each vertex: its neighbours, then NONE; or, for a longer list, LONGER and where the list begins
// and ends among the columns, as ~begin and ~end, so that no word looks like a neighbour (if a word has room for an
// edge). WEIGHTED: four more words, the bits of the weights.
template <bool WEIGHTED = false>
struct PaddedLists {
  static constexpr int WIDTH = 4, STRIDE = WEIGHTED ? 2 * WIDTH : WIDTH;
  static constexpr vertex_t NONE = -1, LONGER = -2;
  static constexpr bool HAS_PLACES = sizeof(edge_t) == sizeof(vertex_t);
  vertex_t* words;

  GR_DEVICE vertex_t* of(i64 v) const { return words + STRIDE * v; }

  // A step of its own, before the first step that reads the copy. A thread looks up TOGETHER lists at once. Longer
  // lists are also noted in `longer`, unless that is null.
  template <int TOGETHER = 4>
  GR_DEVICE void make(Context& ctx, const Csr& lists, const LongLists* longer = nullptr) const {
    for_each_loaded<TOGETHER>(
        ctx, ctx.graph.n, [&](i64 v) { return lists.offsets(v); },
        [&](i64 v, const Csr::Offsets& list) {
          const bool fits = list.end - list.begin <= WIDTH;
          GR_UNROLL
          for (int k = 0; k < WIDTH; ++k) {
            const bool inside = fits && list.begin + k < list.end;
            of(v)[k] = inside ? lists.neighbor(list.begin + k) : NONE;
            if constexpr (WEIGHTED) of(v)[WIDTH + k] = inside ? ((const vertex_t*)lists.values)[list.begin + k] : 0;
          }
          if (fits) return;
          of(v)[0] = LONGER;
          if (longer) longer->vertices[reserve(&longer->counts[0])] = vertex_t(v);
          if constexpr (HAS_PLACES) {
            of(v)[1] = ~list.begin;
            of(v)[2] = ~list.end;
          }
        });
  }
};

}  // namespace gunrock
