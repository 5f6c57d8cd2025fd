// Lists of a warp's lanes, streamed by the whole warp: each lane brings one list, and all lanes share the entries of
// all of them evenly. Used by intersect.cuh and cascade.cuh.
#pragma once
#include "../core/context.cuh"

namespace gunrock {

// The whole warp: f(owners, entries) for all entries of the lists that its lanes bring, side by side, BATCH of them for
// a lane at a time; `owners` are the lanes that have brought the lists, and an entry is -1 beyond the last.
template <int BATCH, class F>
GR_DEVICE void stream_batches_together(const vertex_t* columns, edge_t begin, edge_t length, F f) {
  const edge_t ends = warp_inclusive_scan(length), total = warp_broadcast(ends, WARP - 1);
  const edge_t shift = begin - (ends - length);  // from places in the stream to places in `columns`
  for (edge_t base = 0; base < total; base += BATCH * WARP) {
    int owners[BATCH];
    vertex_t entries[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const edge_t place = base + k * WARP + lane_id();
      owners[k] = 0;
      entries[k] = -1;
      if (base + k * WARP >= total) continue;
      GR_UNROLL
      for (int step = WARP / 2; step > 0; step /= 2)
        if (warp_broadcast(ends, owners[k] + step - 1) <= place) owners[k] += step;
      const edge_t at = place + warp_broadcast(shift, owners[k]);
      if (place < total) entries[k] = columns[at];
    }
    f(owners, entries);
  }
}

// The same, one entry for a lane at a time: f(owner, entry).
template <class F>
GR_DEVICE void stream_together(const vertex_t* columns, edge_t begin, edge_t length, F f) {
  stream_batches_together<1>(columns, begin, length,
                             [&](const int (&owner)[1], const vertex_t (&entry)[1]) { f(owner[0], entry[0]); });
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
