// Contraction by labels: the vertices of one label become one vertex of a smaller graph, and the entries
// between two labels one entry with the sum of their weights; those within a label become a loop.
//
// Rows are made in six steps of an enactor, a function each:
//   room_of_labels     how many entries the vertices of each label have
//   sum_labels         }  the labels that occur are numbered densely, in their order, and each gets as
//   number_labels      }  much room as its entries need: a scan over both
//   place_lists        where in the room of its label each vertex's entries go
//   copy_lists         they are copied there: neighbours by their new numbers, weights as they are
//   combine_rows       in each room the entries of equal neighbours become one
// Rows lie where their room is, so that there are gaps between them: `begins` and `ends` are two arrays.
#pragma once
#include "compute.cuh"
#include "gather.cuh"
#include "gather_by_key.cuh"
#include "scan.cuh"

namespace gunrock {

// Lists of neighbours with integer weights of type T: a graph's own, or rows that the kernel has made
// (which must not be read as what never changes). What an operator asks of lists is as in Csr.
template <class T>
struct WeightedLists {
  const edge_t* begins;
  const edge_t* ends;
  const vertex_t* columns;
  const T* sums;           // of rows that were made; else null
  const weight_t* values;  // of a graph; null: every entry weighs 1
  double scale;            // what a float's 1 is in integers

  GR_DEVICE static WeightedLists of(const Csr& csr, double float_scale) {
    return {csr.row_offsets, csr.row_offsets + 1, csr.column_indices, nullptr, csr.values, float_scale};
  }
  GR_DEVICE Row row(i64 v) const {
    const edge_t begin = begins[v];
    return {begin, ends[v] - begin};
  }
  GR_DEVICE vertex_t neighbor(edge_t e) const { return columns[e]; }
  GR_DEVICE T weight(edge_t e) const {
    if (sums) return sums[e];
    if (!values) return T(1);
#if GR_WEIGHT_FLOAT
    return T(double(values[e]) * scale + 0.5);  // the product is exact: the scale is a power of two
#else
    return T(values[e]);
#endif
  }
};

// Rows to be written, of vertices that are numbered from 0.
template <class T>
struct Rows {
  edge_t* begins;
  edge_t* ends;
  edge_t* room_ends;  // of the rooms that rows lie in, which begin where the rows do
  vertex_t* columns;
  T* sums;
  GR_DEVICE WeightedLists<T> lists() const { return {begins, ends, columns, sums, nullptr, 1.0}; }
  GR_DEVICE WeightedLists<T> rooms() const { return {begins, room_ends, columns, sums, nullptr, 1.0}; }
};

// Labels of count vertices, each below count, and what contraction keeps of each.
struct Labels {
  i64 count;
  const vertex_t* of;   // of each vertex
  const i32* sizes;     // of each label: how many vertices have it
  edge_t* rooms;        // of each label; zero before the first step
  vertex_t* numbers;    // of each label that occurs: its vertex in the smaller graph
};

template <class Lists>
GR_DEVICE void room_of_labels(Context& ctx, const Labels& labels, const Lists& lists) {
  for_each_index(ctx, labels.count, [&](i64 v) {
    const edge_t length = lists.row(v).length;
    if (length > 0) atomic_add(&labels.rooms[labels.of[v]], length);
  });
}

namespace contraction {
GR_DEVICE u64 label_size(const Labels& labels, i64 label) {
  return pack(labels.sizes[label] > 0, u64(labels.rooms[label]));
}
}  // namespace contraction

GR_DEVICE void sum_labels(Context& ctx, const Labels& labels, u64* sums) {
  sum_chunks(ctx, labels.count, [&](i64 label) { return contraction::label_size(labels, label); }, sums);
}

// occurs(label, number) for every label that does; the number of them goes to *found.
template <class T, class F>
GR_DEVICE void number_labels(Context& ctx, const Labels& labels, const u64* sums, const Rows<T>& rows,
                             i64* found, F occurs) {
  scan_chunks(ctx, labels.count, [&](i64 label) { return contraction::label_size(labels, label); }, sums,
              [&](i64 label, u64 before, u64 size) {
                const Size at = unpack(before);
                const bool is_there = unpack(size).count > 0;
                if (is_there) {
                  labels.numbers[label] = vertex_t(at.count);
                  rows.begins[at.count] = edge_t(at.edges);
                  rows.room_ends[at.count] = edge_t(at.edges);
                  occurs(label, vertex_t(at.count));
                }
                if (label == labels.count - 1) *found = i64(at.count) + is_there;
              });
}

// Ends of rooms move on to where they will be; place[v] is how far v's entries move.
template <class T, class Lists>
GR_DEVICE void place_lists(Context& ctx, const Labels& labels, const Lists& lists, const Rows<T>& rows,
                           edge_t* place) {
  for_each_index(ctx, labels.count, [&](i64 v) {
    const Row row = lists.row(v);
    if (row.length == 0) return;
    place[v] = atomic_add(&rows.room_ends[labels.numbers[labels.of[v]]], row.length) - row.begin;
  });
}

namespace contraction {

template <class T, class Lists>
struct Copy : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  const Labels& labels;
  const Lists& lists;
  const Rows<T>& rows;
  const edge_t* place;
  bool doubles_loops;
  GR_DEVICE Copy(const Labels& own, const Lists& from, const Rows<T>& to, const edge_t* shift, bool twice)
      : labels(own), lists(from), rows(to), place(shift), doubles_loops(twice) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) {
    const edge_t to = place[v] + e;
    const T weight = lists.weight(e);
    rows.columns[to] = labels.numbers[labels.of[u]];
    rows.sums[to] = doubles_loops && u == v ? 2 * weight : weight;
    return false;
  }
  GR_DEVICE bool finish(vertex_t, u32) { return false; }
};

template <class T>
struct Combine : KeyFunctor {
  static constexpr bool RANKED = true;
  static constexpr bool MANY_SHORT = false;  // many lists in one
  struct Own {
    edge_t begin;
  };
  const Rows<T>& rows;
  u64 within = 0;  // what this thread has seen of loops
  GR_DEVICE explicit Combine(const Rows<T>& made) : rows(made) {}
  GR_DEVICE Own own(vertex_t v) { return {rows.begins[v]}; }
  GR_DEVICE vertex_t key(vertex_t u) { return u; }
  GR_DEVICE T weight(vertex_t, vertex_t, edge_t e) { return rows.sums[e]; }
  GR_DEVICE i64 pair(vertex_t v, const Own& own, vertex_t key, T sum, int rank) {
    rows.columns[own.begin + rank] = key;
    rows.sums[own.begin + rank] = sum;
    if (key == v) within += u64(sum);
    return 1;
  }
  GR_DEVICE bool finish(vertex_t v, const Own& own, i64 count) {
    rows.ends[v] = own.begin + edge_t(count);
    return false;
  }
};

}  // namespace contraction

// A loop's entry counts twice where a graph has each loop once, as it has every edge twice.
template <class T, class Lists>
GR_DEVICE void copy_lists(Context& ctx, const LoopState& s, const Labels& labels, const Lists& lists,
                          const Rows<T>& rows, const edge_t* place, bool doubles_loops) {
  gather<Or>(ctx, s, Range{labels.count}, lists,
             contraction::Copy<T, Lists>(labels, lists, rows, place, doubles_loops));
}

// Of `count` rows; the rooms that are too long for warps are known. Adds the weight of all loops to *within.
template <class T>
GR_DEVICE void combine_rows(Context& ctx, const LoopState& s, i64 count, const Rows<T>& rows,
                            const BlockLists& known, const KeySlots<T>& slots, u64* within) {
  contraction::Combine<T> combine(rows);
  gather_by_key<Sum<i32>, T>(ctx, s, Range{count}, rows.rooms(), known, slots, combine);
  fold_grid<Sum<u64>>(ctx, combine.within, within);
}

}  // namespace gunrock
