// Pick: a random entry of a vertex's list, as a random word says (sampling, which the PPoPP'16 paper expects to come
// next). Called by random walks and by draw.cuh.
//
//   Evenly{lists}             each entry with the same chance
//   ByWeight{lists, table}    in proportion to weights, by Walker's alias method (operators/pick.py makes the table): an
//                             entry keeps its turn by a chance, or another entry of the list takes it
//   pick(v, word)             the entry, -1 if v has none that can be picked
//   pick.finds(v)             false if v has none
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
  GR_DEVICE bool finds(vertex_t v) const { return lists.row(v).length > 0; }
};

struct ByWeight {
  static constexpr u64 NOTHING = ~u64(0);  // of entries whose list weighs nothing
  const Csr& lists;
  const u64* table;  // of each entry: the place in the list of the one that takes its turn, above the chance of 2^32
  GR_DEVICE edge_t operator()(vertex_t v, u64 word) const {
    const Row row = lists.row(v);
    if (row.length == 0) return -1;
    const edge_t e = row.begin + edge_t(below(u64(row.length), word));
    const u64 entry = load_constant(&table[e]);
    if (entry == NOTHING) return -1;
    return (mixed(word) >> 32) < u32(entry) ? e : row.begin + edge_t(entry >> 32);
  }
  GR_DEVICE bool finds(vertex_t v) const {
    const Row row = lists.row(v);
    return row.length > 0 && load_constant(&table[row.begin]) != NOTHING;
  }
};

}  // namespace gunrock
