// Members: which vertices an operator visits, its `who`: a frontier, a slice that was kept, all vertices, or
// those outside a bitmap.
//
// Each type has a number of places and gives the item at each place; `holds` rejects items that are not
// members.
#pragma once
#include "bitmap.cuh"

namespace gunrock {

// Every vertex, or every index below a count.
struct Range {
  i64 count;
  GR_DEVICE item_t at(i64 i) const { return item_t(i); }
  GR_DEVICE bool holds(item_t) const { return true; }
};

// The edges out of one vertex, by number.
struct OutEdges {
  edge_t begin;
  i64 count;
  GR_DEVICE OutEdges(const Csr& lists, i64 v) : begin(lists.row(v).begin), count(lists.row(v).length) {}
  GR_DEVICE item_t at(i64 i) const { return item_t(begin + i); }
  GR_DEVICE bool holds(item_t) const { return true; }
};

// An array of items.
template <class Item>
struct Listed {
  const Item* items;
  i64 count;
  GR_DEVICE item_t at(i64 i) const { return item_t(items[i]); }
  GR_DEVICE bool holds(item_t) const { return true; }
};

// An array of items or, without one, every index: decided at run time, so that both share code.
template <class Item>
struct ListedOrRange {
  const Item* items;  // or null
  i64 count;
  GR_DEVICE item_t at(i64 i) const { return items ? item_t(items[i]) : item_t(i); }
  GR_DEVICE bool holds(item_t) const { return true; }
};

// The vertices that are not in a bitmap.
struct Outside {
  const u32* bits;
  i64 count;
  GR_DEVICE item_t at(i64 i) const { return item_t(i); }
  GR_DEVICE bool holds(item_t v) const { return !bitmap_test(bits, vertex_t(v)); }
};

// True if neighbouring places stand for neighbouring numbers.
template <class Who>
GR_DEVICE bool in_order(const Who&) { return false; }
GR_DEVICE bool in_order(const Range&) { return true; }
GR_DEVICE bool in_order(const Outside&) { return true; }
template <class Item>
GR_DEVICE bool in_order(const ListedOrRange<Item>& who) { return !who.items; }

GR_DEVICE Listed<item_t> members(const Frontier& in) { return {in.queue.items, i64(in.size.count)}; }

}  // namespace gunrock
