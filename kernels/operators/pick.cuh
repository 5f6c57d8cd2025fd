// Pick: a random entry of a vertex's list, as a random word says. The paper names sampling as what comes next (PPoPP'16,
// section 8). Called by walks and neighborhood samples.
//
//   Evenly{lists}             each entry with the same chance
//   ByWeight{lists, sums}     in proportion to weights; sums[e] adds up those of all entries before e
//   pick(v, word)             the entry, -1 if v has none that can be picked
//
// This operator reads rows by itself: a thread looks at one entry of a list, or searches for it.
#pragma once
#include "../core/graph.cuh"
#include "../math/random.cuh"

namespace gunrock {

struct Evenly {
  const Csr& lists;
  GR_DEVICE edge_t operator()(vertex_t v, u64 word) const {
    const Row row = lists.row(v);
    return row.length ? row.begin + edge_t(below(u64(row.length), word)) : edge_t(-1);
  }
};

struct ByWeight {
  const Csr& lists;
  const u64* sums;  // m + 1
  GR_DEVICE edge_t operator()(vertex_t v, u64 word) const {
    const Row row = lists.row(v);
    const u64 before = load_constant(&sums[row.begin]), all = load_constant(&sums[row.end()]) - before;
    if (all == 0) return -1;
    const u64 at = before + below(all, word);
    edge_t low = row.begin, high = row.end();  // sums[low] <= at < sums[high]
    while (high - low > 1) {
      const edge_t middle = low + (high - low) / 2;
      (load_constant(&sums[middle]) <= at ? low : high) = middle;
    }
    return low;
  }
};

}  // namespace gunrock
