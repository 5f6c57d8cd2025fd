// Sorted, clean rows from edges, on all cores of the CPU.
//
// Edges are packed into keys and scattered to buckets of neighbouring rows, through small buffers
// that are written out a cache line at a time. Each bucket is then radix-sorted by the bits in which
// its keys differ, freed of duplicates and moved up to the one before while it is in the cache. Keys are
// 32 bits wide if a column and a row within its bucket fit: then no memory is touched but that of the
// columns, which take the keys' place.
//
// Or this is done in passes of some buckets each: then only the keys of one pass need room at a time,
// besides the finished columns.
//
// The edges come from a source (arrays.hpp, drawn.hpp, market.hpp) that gives them twice: for counting,
// so that every key has its place, and for scattering (in each pass). A source has
//   template <class Visit> bool each(int part, Visit visit)
// which calls visit(row, column, weight) for every edge of one of `parts` parts, always in the same
// order, and returns false if it fails. There are more parts than threads, which draw them one by one:
// some cores are slower than others.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// How keys are made and kept; gunrock_cli/graph/rows/native.py fills it.
struct Shape {
  i64 buckets;
  i32 n;       // vertices
  i32 first_row, rows;        // the rows to make, counted from 0: all, or some
  i32 first_column, columns;  // the columns to keep
  i32 shift;  // rows of a bucket: 1 << shift
  i32 bits;   // of a column index in a key
  i32 threads, parts;
  i32 key_bytes;  // 4 or 8
  i32 both, keep_loops, keep_duplicates;
  i32 degree_bytes;  // 4 or 8
  i32 heaviest;  // not 0: of equal keys the heaviest is kept, not the lightest

  i64 bucket(i32 row) const { return row >> shift; }
  template <class K>
  K key(i32 row, i32 column) const {
    return K(row & ((1 << shift) - 1)) << bits | K(column);
  }
  template <class K>
  K column(K key) const {
    return key & K((u64(1) << bits) - 1);
  }
  // An edge becomes no key, one or two.
  template <class Place>
  void directed(i32 row, i32 column, Place place) const {
    if (row == column) {
      if (keep_loops) within(row, column, place);
      return;
    }
    within(row, column, place);
    if (both) within(column, row, place);
  }

 private:
  template <class Place>
  void within(i32 row, i32 column, Place place) const {
    const u32 counted = u32(row) - u32(first_row);
    if (counted < u32(rows) && u32(column) - u32(first_column) < u32(columns)) place(i32(counted), column);
  }
};

// The output, and the buckets of this pass. Keys may be stored where their columns go, or beyond.
struct Rows {
  void* keys;      // of this pass
  void* weights;   // the keys', if any
  i32* columns;    // of all passes
  void* values;    // the columns', if any
  i64* places;     // of the next key, by part and bucket
  i64* starts;     // by bucket, and one more
  void* degrees;   // by row, zeroed
  i64 first, last; // the buckets of this pass
  i64 m;           // columns made so far

  // The begin of a bucket's keys among those of the pass.
  i64 at(i64 bucket) const { return starts[bucket] - starts[first]; }
};

// In place of a weight if there are none.
struct NoWeight {};
template <class W>
constexpr bool IS_WEIGHT = !std::is_same<W, NoWeight>::value;

// body(i) for i in [0, threads), on threads at the same time; if there is no room for a thread's stack, the
// first thread does its work.
template <class Body>
void on_all(int threads, Body body) {
  std::vector<std::thread> team;
  int started = 1;
  try {
    for (; started < threads; ++started) team.emplace_back(body, started);
  } catch (const std::system_error&) {
  }
  body(0);
  for (int i = started; i < threads; ++i) body(i);
  for (std::thread& member : team) member.join();
}

// body(part) for every part, drawn by the threads; false where any body returned false.
template <class Body>
bool for_each_part(const Shape& s, Body body) {
  std::atomic<int> next{0};
  std::atomic<bool> ok{true};
  on_all(s.threads, [&](int) {
    for (int part; (part = next++) < s.parts;)
      if (!body(part)) ok = false;
  });
  return ok;
}

// Counts keys by part and bucket and turns the counts into places. Returns the number of keys, or -1 if
// the source fails.
template <class Source>
i64 count_keys(const Shape& s, Source& source, const Rows& rows) {
  const bool ok = for_each_part(s, [&](int part) {
    std::vector<i64> counts(s.buckets);
    const auto count = [&](i32 row, i32) { ++counts[s.bucket(row)]; };
    const bool parsed = source.each(part, [&](i32 u, i32 v, auto) { s.directed(u, v, count); });
    std::copy(counts.begin(), counts.end(), rows.places + part * s.buckets);
    return parsed;
  });
  i64 sum = 0;
  for (i64 b = 0; b < s.buckets; ++b) {
    rows.starts[b] = sum;
    for (int p = 0; p < s.parts; ++p) sum += std::exchange(rows.places[p * s.buckets + b], sum);
  }
  rows.starts[s.buckets] = sum;
  return ok ? sum : -1;
}

// The keys (and weights) that wait to be written to a bucket: a cache line each, and their number.
template <class K, class W>
struct alignas(64) Waiting {
  static constexpr int MOST = 64 / sizeof(K) - 1;
  K keys[MOST];
  K held;
  W weights[MOST];
};
template <class K>
struct alignas(64) Waiting<K, NoWeight> {
  static constexpr int MOST = 64 / sizeof(K) - 1;
  K keys[MOST];
  K held;
};

// Keys (and weights) of one part on their way to the buckets.
template <class K, class W>
class Scatter {
 public:
  // `ends`: by bucket, where the next part's keys begin.
  Scatter(const Shape& shape, const Rows& rows, const i64* ends, int part)
      : s(shape), first(rows.first), count(rows.last - rows.first), lines(count),
        place(rows.places + part * shape.buckets + first), ends(ends + first),
        origin(rows.starts[first]), keys((K*)rows.keys), weights((W*)rows.weights) {}

  void put(i32 row, i32 column, W weight) {
    const i64 b = s.bucket(row) - first;
    if (u64(b) >= u64(count)) return;  // of another pass
    Line& line = lines[b];
    if constexpr (IS_WEIGHT<W>) line.weights[line.held] = weight;
    line.keys[line.held] = s.template key<K>(row, column);
    if (++line.held == Line::MOST) write(b, Line::MOST);  // a size that the compiler knows
  }

  // True if the buckets are exactly full: a file that is written to between two looks can differ.
  bool finish() {
    for (i64 b = 0; b < count; ++b) write(b, int(lines[b].held));
    return !burst && std::equal(ends, ends + count, place);
  }

 private:
  using Line = Waiting<K, W>;

  // `b` counts from the pass's first.
  void write(i64 b, int held) {
    if (place[b] + held > ends[b]) burst = true;
    else {
      const i64 at = place[b] - origin;
      std::memcpy(keys + at, lines[b].keys, held * sizeof(K));
      if constexpr (IS_WEIGHT<W>) std::memcpy(weights + at, lines[b].weights, held * sizeof(W));
      place[b] += held;
    }
    lines[b].held = 0;
  }

  const Shape& s;
  const i64 first, count;  // buckets of the pass
  std::vector<Line> lines;
  i64* place;
  const i64* ends;
  const i64 origin;
  K* keys;
  W* weights;
  bool burst = false;
};

// Sorts items by key, stably; `key` returns an item's key.
template <class Item, class Key>
void radix_sort(Item* items, i64 count, int key_bits, std::vector<Item>& scratch, Key key) {
  if (count < 64) {  // by insertion: the tables would cost more
    for (i64 i = 1, to; i < count; ++i) {
      const Item item = items[i];
      for (to = i; to > 0 && key(item) < key(items[to - 1]); --to) items[to] = items[to - 1];
      items[to] = item;
    }
    return;
  }
  constexpr int DIGIT = 11, SIZE = 1 << DIGIT, MOST = (64 + DIGIT - 1) / DIGIT;
  const int digits = (key_bits + DIGIT - 1) / DIGIT;
  const auto digit = [&](const Item& item, int d) { return key(item) >> (d * DIGIT) & (SIZE - 1); };
  i64 places[MOST][SIZE];
  for (int d = 0; d < digits; ++d) std::fill_n(places[d], SIZE, 0);
  for (i64 i = 0; i < count; ++i)
    for (int d = 0; d < digits; ++d) ++places[d][digit(items[i], d)];
  if (i64(scratch.size()) < count) scratch.resize(count);
  Item *from = items, *to = scratch.data();
  for (int d = 0; d < digits; ++d) {
    i64 sum = 0;
    for (i64& place : places[d]) sum += std::exchange(place, sum);
    for (i64 i = 0; i < count; ++i) to[places[d][digit(from[i], d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != items) std::copy(from, from + count, items);
}

// Sorts the keys of buckets, one after another.
template <class K, class W>
class Sorter {
 public:
  Sorter(const Shape& shape, const Rows& to) : s(shape), rows(to) {}

  // Sorts one bucket, drops duplicates, counts its rows. Returns how many keys are kept.
  i64 sort(i64 bucket) {
    K* keys = (K*)rows.keys + rows.at(bucket);
    const i64 count = rows.starts[bucket + 1] - rows.starts[bucket];
    if constexpr (!IS_WEIGHT<W>) {
      radix_sort(keys, count, s.bits + s.shift, scratch, [](K key) { return key; });
      return keep(bucket, keys, count);
    } else {
      W* weights = (W*)rows.weights + rows.at(bucket);
      items.resize(count);
      for (i64 i = 0; i < count; ++i) items[i] = {keys[i], weights[i]};
      radix_sort(items.data(), count, s.bits + s.shift, item_scratch,
                 [](const Item& item) { return item.key; });
      return keep(bucket, keys, weights, count);
    }
  }

  // Puts the columns (and weights) of a sorted bucket where they belong, which is never behind them.
  void move(i64 bucket, i64 kept, i64 to) {
    const K* keys = (const K*)rows.keys + rows.at(bucket);
    i32* columns = rows.columns + to;
    if (sizeof(K) == sizeof(i32)) {
      std::memmove((void*)columns, keys, kept * sizeof(i32));
    } else {
      for (i64 i = 0; i < kept; ++i) {
        const i32 column = i32(keys[i]);
        std::memcpy((char*)(columns + i), &column, sizeof(i32));  // other types than the keys
      }
    }
    if constexpr (IS_WEIGHT<W>)
      std::memmove((W*)rows.values + to, (W*)rows.weights + rows.at(bucket), kept * sizeof(W));
  }

 private:
  struct Item {
    K key;
    W weight;
  };

  // The column of a key; counts it in its row's degree.
  K counted(i64 bucket, K key) {
    const i64 row = (bucket << s.shift) + i64(key >> s.bits);
    if (s.degree_bytes == 4) ++((i32*)rows.degrees)[row];
    else ++((i64*)rows.degrees)[row];
    return s.column(key);
  }

  i64 keep(i64 bucket, K* keys, i64 count) {
    i64 kept = 0;
    K before = count > 0 ? ~keys[0] : 0;
    for (i64 i = 0; i < count; ++i) {
      const K key = keys[i];
      if (key == before && !s.keep_duplicates) continue;
      keys[kept++] = counted(bucket, before = key);
    }
    return kept;
  }

  // Keeps the least weight of equal keys, or the greatest, or all in the order of their weights: the
  // result does not depend on the order of the edges.
  i64 keep(i64 bucket, K* keys, W* weights, i64 count) {
    i64 kept = 0;
    for (i64 i = 0, end; i < count; i = end) {
      for (end = i + 1; end < count && items[end].key == items[i].key;) ++end;
      if (end > i + 1)
        std::sort(&items[i], &items[i] + (end - i),
                  [](const Item& a, const Item& b) { return a.weight < b.weight; });
      const i64 one = s.heaviest ? end - 1 : i;
      for (i64 j = s.keep_duplicates ? i : one; j < (s.keep_duplicates ? end : one + 1); ++j) {
        keys[kept] = counted(bucket, items[j].key);
        weights[kept++] = items[j].weight;
      }
    }
    return kept;
  }

  const Shape& s;
  const Rows& rows;
  std::vector<K> scratch;
  std::vector<Item> items, item_scratch;
};

template <class K, class W, class Source>
i64 sort_keys(const Shape& s, Source& source, const Rows& rows) {
  // The places of all parts before any begins, and of one more.
  std::vector<i64> begins(rows.places, rows.places + s.parts * s.buckets);
  begins.insert(begins.end(), rows.starts + 1, rows.starts + s.buckets + 1);
  const bool ok = for_each_part(s, [&](int part) {
    Scatter<K, W> scatter(s, rows, &begins[(part + 1) * s.buckets], part);
    const bool parsed = source.each(part, [&](i32 u, i32 v, W weight) {
      s.directed(u, v, [&](i32 row, i32 column) { scatter.put(row, column, weight); });
    });
    return scatter.finish() && parsed;
  });
  if (!ok) return -1;
  // Buckets are moved in their order, each by the thread that sorted it and has it in its cache.
  std::atomic<i64> next{rows.first}, moved{rows.first};
  i64 m = rows.m;
  on_all(s.threads, [&](int) {
    Sorter<K, W> sorter(s, rows);
    for (i64 b; (b = next++) < rows.last;) {
      const i64 kept = sorter.sort(b);
      while (moved.load(std::memory_order_acquire) != b) std::this_thread::yield();
      sorter.move(b, kept, m);
      m += kept;
      moved.store(b + 1, std::memory_order_release);
    }
  });
  return m;
}

// Called after count_keys, with room for the keys of a pass: returns the number of columns so far, or -1
// if the source fails now.
template <class W, class Source>
i64 sort_edges(const Shape& s, Source& source, const Rows& rows) {
  return s.key_bytes == 4 ? sort_keys<u32, W>(s, source, rows) : sort_keys<u64, W>(s, source, rows);
}
