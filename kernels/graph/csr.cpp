// Sorted, clean rows from a list of edges, on all cores of the CPU (gunrock_cli/graph/native.py).
//
// Edges are packed into keys and scattered to buckets of neighbouring rows, through small buffers
// that are written out a cache line at a time. Each bucket is then radix-sorted, with what its keys
// have in common left out, and freed of duplicates while it is in the cache. Keys are 32 bits wide
// where a column and a row within its bucket fit: then columns take their place, and no memory is
// touched that the rows do not need in the end.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

namespace {

struct Shape {
  i32 n;
  int shift;   // rows of a bucket: 1 << shift
  int bits;    // of a column index in a key
  i64 buckets;
  bool both, keep_loops, keep_duplicates;

  i64 bucket(i32 row) const { return row >> shift; }
  template <class K>
  K key(i32 row, i32 column) const {
    return K(row & ((1 << shift) - 1)) << bits | K(column);
  }
};

template <class Body>
void on_all(int threads, Body body) {
  std::vector<std::thread> team;
  for (int i = 1; i < threads; ++i) team.emplace_back(body, i);
  body(0);
  for (std::thread& member : team) member.join();
}

// visit(row, column, index of the edge) for every directed edge that one thread has to place.
template <class Visit>
void each(const Shape& s, const i32* src, const i32* dst, i64 begin, i64 end, Visit visit) {
  for (i64 i = begin; i < end; ++i) {
    const i32 u = src[i], v = dst[i];
    if (u == v) {
      if (s.keep_loops) visit(u, v, i);
      continue;
    }
    visit(u, v, i);
    if (s.both) visit(v, u, i);
  }
}

// Keys (and weights) on their way to a bucket.
template <class K, class W>
struct Scatter {
  static constexpr int LINE = 64 / sizeof(K) - 1;
  struct alignas(64) Line {  // a cache line with how much of it is filled
    K keys[LINE];
    K held;
  };
  std::vector<Line> lines;
  std::vector<W> weights;
  std::vector<i64>& place;
  K* out;
  W* weights_out;

  Scatter(std::vector<i64>& where, K* keys_to, W* weights_to)
      : lines(where.size()), weights(weights_to ? where.size() * LINE : 0), place(where),
        out(keys_to), weights_out(weights_to) {}

  void flush(i64 b) { write(b, int(lines[b].held)); }
  void put(i64 b, K key, const W* weight) {
    Line& line = lines[b];
    if (weights_out) weights[b * LINE + i64(line.held)] = *weight;
    line.keys[line.held] = key;
    if (++line.held == LINE) write(b, LINE);  // a size that the compiler knows
  }

 private:
  void write(i64 b, int count) {
    std::memcpy(out + place[b], lines[b].keys, count * sizeof(K));
    if (weights_out) std::memcpy(weights_out + place[b], &weights[b * LINE], count * sizeof(W));
    place[b] += count;
    lines[b].held = 0;
  }
};

template <class K>
void radix_sort(K* keys, i64 count, int key_bits, std::vector<K>& scratch) {
  if (count < 512) {
    std::sort(keys, keys + count);
    return;
  }
  constexpr int DIGIT = 11, SIZE = 1 << DIGIT, MOST = (64 + DIGIT - 1) / DIGIT;
  const int digits = (key_bits + DIGIT - 1) / DIGIT;
  const auto digit = [](K key, int d) { return key >> (d * DIGIT) & (SIZE - 1); };
  i64 places[MOST][SIZE];
  for (int d = 0; d < digits; ++d) std::fill_n(places[d], SIZE, 0);
  for (i64 i = 0; i < count; ++i)
    for (int d = 0; d < digits; ++d) ++places[d][digit(keys[i], d)];
  if (i64(scratch.size()) < count) scratch.resize(count);
  K *from = keys, *to = scratch.data();
  for (int d = 0; d < digits; ++d) {
    i64 sum = 0;
    for (i64& place : places[d]) sum += std::exchange(place, sum);
    for (i64 i = 0; i < count; ++i) to[places[d][digit(from[i], d)]++] = from[i];
    std::swap(from, to);
  }
  if (from != keys) std::copy(from, from + count, keys);
}

template <class K, class W>
void sort_weighted(K* keys, W* weights, i64 count, std::vector<std::pair<K, W>>& scratch) {
  scratch.resize(count);
  for (i64 i = 0; i < count; ++i) scratch[i] = {keys[i], weights[i]};
  std::sort(scratch.begin(), scratch.end());
  for (i64 i = 0; i < count; ++i) {
    keys[i] = scratch[i].first;
    weights[i] = scratch[i].second;
  }
}

// Sort one bucket, drop duplicates, count its rows. Returns how many keys stay.
template <class K, class W>
i64 finish(const Shape& s, i64 bucket, K* keys, W* weights, i64 count, i64* row_counts,
           std::vector<K>& scratch, std::vector<std::pair<K, W>>& pairs) {
  if (weights) sort_weighted(keys, weights, count, pairs);
  else radix_sort(keys, count, s.bits + s.shift, scratch);
  i64* rows = row_counts + (bucket << s.shift);
  i64 kept = 0;
  for (i64 i = 0; i < count; ++i) {
    if (!s.keep_duplicates && kept > 0 && keys[i] == keys[kept - 1]) continue;
    keys[kept] = keys[i];
    if (weights) weights[kept] = weights[i];
    ++kept;
    ++rows[keys[i] >> s.bits];
  }
  return kept;
}

template <class K, class W>
i64 sort_edges(const Shape& s, const i32* src, const i32* dst, const W* weights, i64 count,
               int threads, K* keys, W* sorted_weights, i64* starts, i64* kept,
               i64* row_counts) {
  std::vector<std::vector<i64>> places(threads, std::vector<i64>(s.buckets));
  auto part = [&](int i) { return count * i / threads; };
  on_all(threads, [&](int t) {
    each(s, src, dst, part(t), part(t + 1), [&](i32 u, i32, i64) { ++places[t][s.bucket(u)]; });
  });
  i64 sum = 0;
  for (i64 b = 0; b < s.buckets; ++b) {
    starts[b] = sum;
    for (auto& place : places) sum += std::exchange(place[b], sum);
  }
  starts[s.buckets] = sum;
  on_all(threads, [&](int t) {
    Scatter<K, W> scatter(places[t], keys, sorted_weights);
    each(s, src, dst, part(t), part(t + 1), [&](i32 u, i32 v, i64 i) {
      scatter.put(s.bucket(u), s.key<K>(u, v), weights ? weights + i : nullptr);
    });
    for (i64 b = 0; b < s.buckets; ++b) scatter.flush(b);
  });
  std::atomic<i64> next{0}, total{0};
  on_all(threads, [&](int) {
    std::vector<K> scratch;
    std::vector<std::pair<K, W>> pairs;
    for (i64 b; (b = next++) < s.buckets;) {
      W* own = sorted_weights ? sorted_weights + starts[b] : nullptr;
      kept[b] = finish(s, b, keys + starts[b], own, starts[b + 1] - starts[b], row_counts,
                       scratch, pairs);
      total += kept[b];
    }
  });
  return total;
}

// Both kinds of weights.
template <class K>
i64 sort_edges(const Shape& s, const i32* src, const i32* dst, const void* weights, i64 count,
               bool floats, int threads, void* keys, void* sorted_weights, i64* starts, i64* kept,
               i64* row_counts) {
  if (floats)
    return sort_edges(s, src, dst, (const float*)weights, count, threads, (K*)keys,
                      (float*)sorted_weights, starts, kept, row_counts);
  return sort_edges(s, src, dst, (const i32*)weights, count, threads, (K*)keys,
                    (i32*)sorted_weights, starts, kept, row_counts);
}

// Buckets one after another, without the gaps between them.
void close_gaps(i32* values, i64 buckets, const i64* starts, const i64* kept) {
  i64 to = 0;
  for (i64 b = 0; b < buckets; to += kept[b++])
    if (to != starts[b]) std::memmove(values + to, values + starts[b], kept[b] * sizeof(i32));
}

}  // namespace

extern "C" {

// How many keys there can be at most; the buffers of the next call need that many. -1 where an edge
// ends outside of 0 .. n - 1.
i64 gr_count_directed(i32 n, const i32* src, const i32* dst, i64 count, int both, int keep_loops) {
  i64 loops = 0;
  u32 largest = 0;  // negative ends are the largest
  for (i64 i = 0; i < count; ++i) {
    loops += src[i] == dst[i];
    largest = std::max(largest, std::max(u32(src[i]), u32(dst[i])));
  }
  if (count > 0 && largest >= u32(n)) return -1;
  return (count - loops) * (both ? 2 : 1) + (keep_loops ? loops : 0);
}

// Returns m. Keys are `key_bytes` wide (4 or 8). `kind`: 0 no weights, 1 int32, 2 float32. `starts` has
// buckets + 1 entries, `kept` has buckets, `row_counts` (zeroed) n.
i64 gr_sort_edges(i32 n, int shift, int bits, i64 buckets, int both, int keep_loops,
                  int keep_duplicates, const i32* src, const i32* dst, const void* weights,
                  i64 count, int kind, int threads, int key_bytes, void* keys,
                  void* sorted_weights, i64* starts, i64* kept, i64* row_counts) {
  const Shape s{n, shift, bits, buckets, both != 0, keep_loops != 0, keep_duplicates != 0};
  const auto sort = key_bytes == 4 ? sort_edges<u32> : sort_edges<u64>;
  return sort(s, src, dst, weights, count, kind == 2, threads, keys, sorted_weights, starts, kept,
              row_counts);
}

// Make columns of the keys, without the gaps between the buckets, and close those of the weights
// (32 bits wide). Columns of 4-byte keys take their place; others go to `columns`.
void gr_emit(int bits, i64 buckets, int threads, int key_bytes, void* keys, i32* weights,
             const i64* starts, const i64* kept, i32* columns) {
  std::vector<i64> to(buckets + 1);
  for (i64 b = 0; b < buckets; ++b) to[b + 1] = to[b] + kept[b];
  std::atomic<i64> next{0};
  const u64 mask = (u64(1) << bits) - 1;
  on_all(threads, [&](int) {
    for (i64 b; (b = next++) < buckets;) {
      if (key_bytes == 4) {
        u32* own = (u32*)keys + starts[b];
        for (i64 i = 0; i < kept[b]; ++i) own[i] &= u32(mask);
      } else {
        const u64* own = (const u64*)keys + starts[b];
        for (i64 i = 0; i < kept[b]; ++i) columns[to[b] + i] = i32(own[i] & mask);
      }
    }
  });
  if (key_bytes == 4) close_gaps((i32*)keys, buckets, starts, kept);
  if (weights) close_gaps(weights, buckets, starts, kept);
}
}
