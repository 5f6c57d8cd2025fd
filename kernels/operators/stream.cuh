// Lists of a warp's lanes, streamed by the whole warp: each lane brings one list, and all lanes share the entries of
// all of them evenly. Used by intersect.cuh, cascade.cuh and
// triangles_at.cuh.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// The whole warp: f(owners, places) for all entries of the lists that its lanes bring, side by side, BATCH of them for a
// lane at a time; `owners` are the lanes that have brought the lists, and a place is -1 beyond the last.
template <int BATCH, class F>
GR_DEVICE void stream_place_batches(edge_t begin, edge_t length, F f) {
  const edge_t ends = warp_inclusive_scan(length), total = warp_broadcast(ends, WARP - 1);
  const edge_t shift = begin - (ends - length);  // from places in the stream to places in the lists' array
  for (edge_t base = 0; base < total; base += BATCH * WARP) {
    int owners[BATCH];
    edge_t places[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const edge_t place = base + k * WARP + lane_id();
      owners[k] = 0;
      places[k] = -1;
      if (base + k * WARP >= total) continue;
      GR_UNROLL
      for (int step = WARP / 2; step > 0; step /= 2)
        if (warp_broadcast(ends, owners[k] + step - 1) <= place) owners[k] += step;
      const edge_t at = place + warp_broadcast(shift, owners[k]);
      if (place < total) places[k] = at;
    }
    f(owners, places);
  }
}

// One at a time: f(owner, place).
template <class F>
GR_DEVICE void stream_places(edge_t begin, edge_t length, F f) {
  stream_place_batches<1>(begin, length,
                          [&](const int (&owner)[1], const edge_t (&place)[1]) { f(owner[0], place[0]); });
}

// f(owners, entries), with the entries themselves, -1 for none.
template <int BATCH, class F>
GR_DEVICE void stream_entry_batches(const vertex_t* columns, edge_t begin, edge_t length, F f) {
  stream_place_batches<BATCH>(begin, length, [&](const int (&owners)[BATCH], const edge_t (&places)[BATCH]) {
    vertex_t entries[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) entries[k] = places[k] >= 0 ? columns[places[k]] : -1;
    f(owners, entries);
  });
}
template <class F>
GR_DEVICE void stream_together(const vertex_t* columns, edge_t begin, edge_t length, F f) {
  stream_places(begin, length, [&](int owner, edge_t at) { f(owner, at >= 0 ? columns[at] : -1); });
}

// SIZE threads, of which the caller is number `rank`: f(entries) for BATCH entries of a list at a time, -1 beyond its
// end. All threads call f equally often.
template <int BATCH, int SIZE, class F>
GR_DEVICE void stream_batches(const vertex_t* columns, edge_t begin, edge_t length, int rank, F f) {
  for (edge_t e = rank; e - rank < length; e += BATCH * SIZE) {
    vertex_t entries[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) entries[k] = e + k * SIZE < length ? columns[begin + e + k * SIZE] : -1;
    f(entries);
  }
}

}  // namespace gunrock
