// The functions that gunrock_cli/graph/rows/native.py calls: rows from edges in arrays, in a file, or drawn.
//
// The functions of a pair are called one after the other: counting returns the most keys there can be, and
// sorting needs room in Rows for those of its pass. Both return -1 if the edges are malformed.
#include "arrays.hpp"
#include "drawn.hpp"
#include "edge_list.hpp"
#include "market.hpp"
#include "rows.hpp"

namespace {

template <class W>
i64 sort_arrays(const Shape& s, const Rows& rows, const i32* src, const i32* dst, const void* weights,
                i64 count) {
  ArrayEdges<W> edges{s, src, dst, (const W*)weights, count};
  return sort_edges<W>(s, edges, rows);
}

template <class W>
i64 count_market(const Shape& s, const Rows& rows, MarketFile& file) {
  MarketEntries<W> entries{s, file, true};
  const i64 keys = count_keys(s, entries, rows);
  return entries.seen == file.count ? keys : -1;
}

template <class W>
i64 sort_market(const Shape& s, const Rows& rows, MarketFile& file) {
  MarketEntries<W> entries{s, file, false};
  return sort_edges<W>(s, entries, rows);
}

template <class W>
i64 sort_list(const Shape& s, const Rows& rows, EdgeFile& file) {
  ListedEdges<W> edges{s, file};
  return sort_edges<W>(s, edges, rows);
}

DrawnEdges drawn(const Shape& s, int recipe, const void* numbers, Drawn& job) {
  const DrawBatch draw[] = {draw_batch<Rmat>, draw_batch<Bipartite>, draw_batch<SmallWorld>};
  return {s, draw[recipe], numbers, job};
}

}  // namespace

// `kind`: 0 no weights, 1 int32, 2 float32.
extern "C" {

i64 gr_count_arrays(const Shape* s, const Rows* rows, const i32* src, const i32* dst, i64 count) {
  ArrayEdges<NoWeight> edges{*s, src, dst, nullptr, count};
  return count_keys(*s, edges, *rows);
}

i64 gr_sort_arrays(const Shape* s, const Rows* rows, const i32* src, const i32* dst,
                   const void* weights, i64 count, int kind) {
  const auto sort = kind == 0   ? sort_arrays<NoWeight>
                    : kind == 1 ? sort_arrays<i32>
                                : sort_arrays<float>;
  return sort(*s, *rows, src, dst, weights, count);
}

i64 gr_count_market(const Shape* s, const Rows* rows, MarketFile* file, int kind) {
  return kind == 0 ? count_market<NoWeight>(*s, *rows, *file) : count_market<i32>(*s, *rows, *file);
}

i64 gr_sort_market(const Shape* s, const Rows* rows, MarketFile* file, int kind) {
  const auto sort = kind == 0   ? sort_market<NoWeight>
                    : kind == 1 ? sort_market<i32>
                                : sort_market<float>;
  return sort(*s, *rows, *file);
}

// The first look at an edge list, which needs only threads and parts: 0, or -1.
i64 gr_look_at_list(const Shape* s, const Rows*, EdgeFile* file) { return look_at_edges(*s, *file) ? 0 : -1; }

i64 gr_count_list(const Shape* s, const Rows* rows, EdgeFile* file, int) {
  ListedEdges<NoWeight> edges{*s, *file};
  const i64 keys = count_keys(*s, edges, *rows);
  return edges.seen == file->file.count ? keys : -1;
}

i64 gr_sort_list(const Shape* s, const Rows* rows, EdgeFile* file, int kind) {
  const auto sort = kind == 0 ? sort_list<NoWeight> : kind == 1 ? sort_list<i32> : sort_list<float>;
  return sort(*s, *rows, *file);
}

// `recipe`: the number of a recipe in draw.hpp, in their order; `numbers`: its fields.
i64 gr_count_drawn(const Shape* s, const Rows* rows, int recipe, const void* numbers, Drawn* job) {
  DrawnEdges edges = drawn(*s, recipe, numbers, *job);
  return count_keys(*s, edges, *rows);
}

// Adds to the count (i64, in place of degrees) of each directed edge's bucket of rows.
i64 gr_tally_drawn(const Shape* s, const Rows* rows, int recipe, const void* numbers, Drawn* job) {
  DrawnEdges edges = drawn(*s, recipe, numbers, *job);
  i64* counts = (i64*)rows->degrees;
  const auto count = [&](i32 row, i32) {
    __atomic_fetch_add(&counts[s->bucket(row)], i64(1), __ATOMIC_RELAXED);
  };
  const bool ok = for_each_part(*s, [&](int part) {
    return edges.each(part, [&](i32 u, i32 v, auto) { s->directed(u, v, count); });
  });
  return ok ? 0 : -1;
}

i64 gr_sort_drawn(const Shape* s, const Rows* rows, int recipe, const void* numbers, Drawn* job) {
  DrawnEdges edges = drawn(*s, recipe, numbers, *job);
  return sort_edges<NoWeight>(*s, edges, *rows);
}
}
