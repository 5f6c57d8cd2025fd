// Contraction by labels: the vertices of one label become one vertex of a smaller graph, and the entries between
// two labels become one entry with the sum of their weights; entries within a label become a loop. Called by
// Louvain.
//
// Rows are made in six steps of an enactor, each a function:
//   room_of_labels     the number of entries that the vertices of each label have
//   sum_labels         }  the labels that occur are numbered densely, in their order, and each gets as
//   number_labels      }  much room as its entries need: a scan over both
//   place_lists        where in its label's room each vertex's entries go
//   copy_lists         copies them: neighbours by their new numbers, weights unchanged
//   combine_rows       in each room, entries of equal neighbours become one
// If one label has most of a graph, one block would combine its room while the others wait. So all blocks combine
// the rooms that are longer than a quarter of a block's share of all entries, and than GIANT_LEAST (find_giants,
// with copy_lists), in two more steps [D-giants-1]:
//   sum_giants         sums up entries of equal neighbours in a table for each room
//   place_giants       writes the sums to the room
// Rows lie in their rooms, with gaps between them, so `begins` and `ends` are two arrays.
#pragma once
#include "compute.cuh"
#include "gather.cuh"
#include "gather_by_key.cuh"
#include "scan.cuh"

namespace gunrock {

// Lists of neighbours with integer weights of type T: a graph's own, or rows that the kernel has made (which
// must not be read as constants). Operators use them like a Csr.
template <class T>
struct WeightedLists {
  const edge_t* begins;
  const edge_t* ends;
  const vertex_t* columns;
  const T* sums;           // of rows that were made; else null
  const weight_t* values;  // of a graph; null if every entry weighs 1
  double scale;            // the integer that stands for a float's 1

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

// Rows to be written, for vertices numbered from 0.
template <class T>
struct Rows {
  edge_t* begins;
  edge_t* ends;
  edge_t* room_ends;  // where the rows' rooms end; a room begins where its row begins
  vertex_t* columns;
  T* sums;
  GR_DEVICE WeightedLists<T> lists() const { return {begins, ends, columns, sums, nullptr, 1.0}; }
  GR_DEVICE WeightedLists<T> rooms() const { return {begins, room_ends, columns, sums, nullptr, 1.0}; }
};

// The labels of count vertices, each below count, and what contraction keeps for each label.
struct Labels {
  i64 count;
  const vertex_t* of;   // of each vertex
  const i32* sizes;     // the number of each label's vertices
  edge_t* rooms;        // of each label; zero before the first step
  vertex_t* numbers;    // each occurring label's vertex in the smaller graph
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

// Calls occurs(label, number) for every label that occurs; writes their number to *found.
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

// Moves the ends of rooms to their final places; place[v] is the distance that v's entries move.
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
  static constexpr bool MANY_SHORT = false;  // a row holds many lists
  struct Own {
    edge_t begin;
  };
  const Rows<T>& rows;
  u64 within = 0;  // the weight of the loops that this thread has seen
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

// doubles_loops: a loop's entry counts twice, for graphs that list each loop once but every other edge twice.
template <class T, class Lists>
GR_DEVICE void copy_lists(Context& ctx, const LoopState& s, const Labels& labels, const Lists& lists,
                          const Rows<T>& rows, const edge_t* place, bool doubles_loops) {
  gather<Or>(ctx, s, Range{labels.count}, lists,
             contraction::Copy<T, Lists>(labels, lists, rows, place, doubles_loops));
}

// The rooms that the whole grid combines, at most entries / GIANT_LEAST.
struct Giants {
  vertex_t* vertices;
  u64* count;     // zero before the giants are found
  i64 entries;    // in all rooms; an upper bound will do
  GR_DEVICE i64 found() const { return i64(load_relaxed(count)); }
};
constexpr i64 GIANT_LEAST = 4096;

// The longest room that one block combines: a quarter of its share, but at least GIANT_LEAST.
GR_DEVICE i64 longest_for_block(const Context& ctx, i64 entries) {
  const i64 share = entries / (4 * ctx.blocks);
  return share < GIANT_LEAST ? GIANT_LEAST : share;
}

// A part of the step that copies lists: finds the rooms that the whole grid combines.
template <class T>
GR_DEVICE void find_giants(Context& ctx, i64 count, const Rows<T>& rows, const Giants& found) {
  static_assert(by_key::warp_max<T>() <= GIANT_LEAST, "a giant is no warp's");
  find_longer(ctx, count, rows.rooms(), longest_for_block(ctx, found.entries), found.vertices, found.count);
}

namespace contraction {

// A giant's table, in the slots that belong to its room. There are no more keys than rows.
template <class T>
GR_DEVICE by_key::Table<T, false> table_of(const KeySlots<T>& slots, const Row& room, i64 count) {
  const i64 most = i64(room.length) < count ? i64(room.length) : count;
  return {slots.keys + 2 * i64(room.begin), slots.sums + 2 * i64(room.begin), u32(2 * most)};
}

// The whole block: sums up a piece in its own table before it adds to the shared one. A few keys have most of
// the entries, and atomics on one address queue up.
template <class T>
GR_DEVICE void sum_piece(Context& ctx, const Rows<T>& rows, i64 begin, i64 end,
                         const by_key::Table<T, false>& all) {
  using KeyTable = by_key::KeyTable<T, u64>;
  constexpr int BATCH = 4;
  constexpr u32 TRIES = 4;
  auto& storage = ctx.shared.as<KeyTable>();
  const by_key::Table<T> own = {storage.keys, storage.sums, u32(by_key::slots_of_warp<T>() * WARPS)};
  block_sync();  // the previous piece no longer uses the table
  own.clear(thread_id(), BLOCK);
  block_sync();
  for (i64 e = begin + thread_id(); e < end; e += BATCH * BLOCK) {
    vertex_t u[BATCH];
    T x[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const bool inside = e + k * BLOCK < end;
      u[k] = inside ? rows.columns[e + k * BLOCK] : by_key::FREE;
      x[k] = inside ? rows.sums[e + k * BLOCK] : T(0);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (u[k] != by_key::FREE && !own.add_within(u[k], x[k], TRIES)) all.add(u[k], x[k]);
  }
  block_sync();
  for (u32 i = u32(thread_id()); i < own.capacity; i += u32(BLOCK))
    if (own.keys[i] != by_key::FREE) all.add(own.keys[i], own.sums[i]);
}

}  // namespace contraction

// Combines `count` rows; the rooms that are too long for warps are known. Adds the weight of all loops to
// *within and clears the giants' tables.
template <class T>
GR_DEVICE void combine_rows(Context& ctx, const LoopState& s, i64 count, const Rows<T>& rows,
                            const BlockLists& known, const Giants& giants, const KeySlots<T>& slots,
                            u64* within) {
  contraction::Combine<T> combine(rows);
  const BlockLists by_blocks = {known.vertices, known.count, longest_for_block(ctx, giants.entries)};
  gather_by_key<Sum<i32>, T>(ctx, s, Range{count}, rows.rooms(), by_blocks, slots, combine);
  fold_grid<Sum<u64>>(ctx, combine.within, within);
  for (i64 i = 0; i < giants.found(); ++i) {
    const vertex_t v = giants.vertices[i];
    const Row room = rows.rooms().row(v);
    contraction::table_of(slots, room, count).clear(ctx.rank(), ctx.threads());
    if (ctx.rank() == 0) rows.ends[v] = room.begin;
  }
}

// A step of its own: sums up the giants' entries.
template <class T>
GR_DEVICE void sum_giants(Context& ctx, i64 count, const Rows<T>& rows, const Giants& giants,
                          const KeySlots<T>& slots) {
  constexpr i64 PIECE = 8192;
  i64 next = ctx.block;  // the next piece for this block, counted from this giant's first
  for (i64 i = 0; i < giants.found(); ++i) {
    const Row room = rows.rooms().row(giants.vertices[i]);
    const auto table = contraction::table_of(slots, room, count);
    const i64 pieces = (i64(room.length) + PIECE - 1) / PIECE;
    for (; next < pieces; next += ctx.blocks) {
      const i64 begin = room.begin + next * PIECE;
      const i64 end = begin + PIECE < i64(room.end()) ? begin + PIECE : i64(room.end());
      ctx.count_edges(end - begin > thread_id() ? (end - begin - thread_id() + BLOCK - 1) / BLOCK : 0);
      contraction::sum_piece(ctx, rows, begin, end, table);
    }
    next -= pieces;
  }
}

// A step of its own: writes the giants' sums to their rooms.
template <class T>
GR_DEVICE void place_giants(Context& ctx, i64 count, const Rows<T>& rows, const Giants& giants,
                            const KeySlots<T>& slots, u64* within) {
  u64 loops = 0;
  for (i64 i = 0; i < giants.found(); ++i) {
    const vertex_t v = giants.vertices[i];
    const auto table = contraction::table_of(slots, rows.rooms().row(v), count);
    for_each_index(ctx, table.capacity, [&](i64 slot) {
      const vertex_t key = load_relaxed(&table.keys[slot]);
      if (key == by_key::FREE) return;
      const T sum = load_relaxed(&table.sums[slot]);
      const edge_t place = atomic_add(&rows.ends[v], edge_t(1));
      rows.columns[place] = key;
      rows.sums[place] = sum;
      if (key == v) loops += u64(sum);
    });
  }
  fold_grid<Sum<u64>>(ctx, loops, within);
}

}  // namespace gunrock
