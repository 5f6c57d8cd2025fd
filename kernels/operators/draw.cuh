// Draw: some entries of a vertex's list at random (sampling, which the PPoPP'16 paper expects to come next). Which ones
// follows from a key and the vertex alone. Called by the sampling of neighbourhoods.
//
//   Different{lists, key}          without replacement
//   Repeated<Pick>{pick, key}      with replacement, by Evenly or ByWeight (pick.cuh)
//   draw.count(v, most)            how many entries are drawn of v's list, if `most` are wanted
//   draw.each(v, count, drawn, f)  draws them: writes them to `drawn`, then calls f(place in `drawn`, entry, neighbour)
//
// A thread draws for a vertex. It reads entries by itself, since several loads, each of an entry of its own, have to be
// in flight.
#pragma once
#include "pick.cuh"

namespace gunrock {

namespace drawing {
constexpr int AT_ONCE = WARP > 1 ? 8 : 1;

GR_DEVICE u64 word(u64 key, vertex_t v, i64 place) { return random_word(key, u64(u32(v)) << 32 | u64(place)); }

// entry(place) says what is drawn, in order.
template <class Entry, class F>
GR_DEVICE void each(const Csr& lists, i64 count, edge_t* drawn, Entry entry, F f) {
  for (i64 base = 0; base < count; base += AT_ONCE) {
    edge_t e[AT_ONCE];
    vertex_t u[AT_ONCE];
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k) {
      e[k] = base + k < count ? entry(base + k) : e[0];
      if (base + k < count) drawn[base + k] = e[k];
    }
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k) u[k] = lists.neighbor(e[k]);
    GR_UNROLL
    for (int k = 0; k < AT_ONCE; ++k)
      if (base + k < count) f(base + k, e[k], u[k]);
  }
}
}  // namespace drawing

// Every set of `count` entries is as likely as any other, by Floyd's method (Bentley and Floyd 1987): the entry that a
// draw adds is one of the first so many or, if that has been drawn, the last of these.
struct Different {
  const Csr& lists;
  u64 key;
  GR_DEVICE i64 count(vertex_t v, i64 most) const {
    const i64 length = lists.row(v).length;
    return length < most ? length : most;
  }
  template <class F>
  GR_DEVICE void each(vertex_t v, i64 count, edge_t* drawn, F f) const {
    const Row row = lists.row(v);
    const i64 left = row.length - count;
    u64 seen = 0;  // a bit for those drawn whose place is the same modulo 64
    drawing::each(lists, count, drawn, [&](i64 place) {
      i64 at = left + place;
      if (left > 0) {
        const i64 other = i64(below(u64(at) + 1, drawing::word(key, v, place)));
        if (!(seen >> (other & 63) & 1) || !is_among(drawn, place, row.begin + edge_t(other))) at = other;
        seen |= u64(1) << (at & 63);
      }
      return row.begin + edge_t(at);
    }, f);
  }

 private:
  GR_DEVICE static bool is_among(const edge_t* drawn, i64 count, edge_t e) {
    for (i64 i = 0; i < count; ++i)
      if (drawn[i] == e) return true;
    return false;
  }
};

template <class Pick>
struct Repeated {
  Pick pick;
  u64 key;
  GR_DEVICE i64 count(vertex_t v, i64 most) const { return pick.finds(v) ? most : 0; }
  template <class F>
  GR_DEVICE void each(vertex_t v, i64 count, edge_t* drawn, F f) const {
    drawing::each(pick.lists, count, drawn, [&](i64 place) { return pick(v, drawing::word(key, v, place)); }, f);
  }
};

}  // namespace gunrock
