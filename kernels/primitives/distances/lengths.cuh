// Shortest paths from many sources, each search by a block of its own in arrays of its own: by weight, or by hops to
// the nearest vertices alone. Near and far as in Davidson and others 2014, within a block: vertices nearer than a
// threshold are relaxed until nothing changes, and then the threshold rises; what is below it is final.
//
// Options: GR_LANES, that share a list; GR_WEIGHTED, else every edge has length 1; GR_CHECK_RANGE, if a length may
// leave the range of weight_t; and GR_PER, what is kept of each search:
//   PER_SOURCE   its totals
//   PER_PAIR     all lengths
//   PER_NEAREST  as keys the `nearest` vertices besides the source, in no order; it ends once they are final
#pragma once
#define GR_STAGED_BYTES (1152 / WARPS + 16)  // Counts
#include "core/bitmap.cuh"
#include "math/distance.cuh"
#include "math/monoid.cuh"
#include "operators/lists_by_groups.cuh"
#include "operators/reduce.cuh"
#include "operators/select.cuh"
#include "primitives/distances/by_blocks.cuh"

enum Per { PER_SOURCE, PER_PAIR, PER_NEAREST };
constexpr Per PER = Per(GR_PER);

struct Problem {
  const i32* starts;
  i64 sources;
  const i64* portion;  // as in together.cuh
  weight_t within;     // no longer path is followed
  weight_t delta;      // by which the threshold rises
  weight_t* lengths;   // n for each room: UNREACHED between two searches
  vertex_t* queues;    // five of n for each room
  u32* queued;         // two bitmaps for each room: what is in a near queue and in a far one; clear between searches
  i64 stride;          // words of a bitmap
  i64 rooms;           // the number of blocks that may work at a time
  i64* reached;        // the answer
  double* sums;
  double* harmonic;
  weight_t* farthest;
  weight_t* pairs;     // as found; elsewhere, what stands for no path
  u64* keys;           // `nearest` for each source
  i64 nearest;
  u32* out_of_range;   // 1 if a path was too long for weight_t, and no other leads to its end
};

// A vertex's length, and of equal ones its number: no two keys are equal.
GR_DEVICE u64 key_of(weight_t length, vertex_t v) { return u64(to_bits(length)) << 32 | u32(v); }

// A block's arrays, and its work on one source after another.
struct Room {
  using Lists = ListsByGroups<GR_LANES>;
  struct Counts {
    int near[2], far[2];  // of the queues, each the present one and the next in turn
    int touched;          // vertices that have a length
    int taken;            // of the nearest
    u32 least;            // bits of a length
    u32 lost;             // 1 if a path was too long
    u32 bins[BINS];
  };

  Context& ctx;
  const Problem& p;
  weight_t* lengths;
  vertex_t *near[2], *far[2], *touched;
  u32 *in_near, *in_far;
  Counts& counts;

  GR_DEVICE Room(Context& context, const Problem& problem)
      : ctx(context), p(problem), counts(context.shared.as<Counts>()) {
    const i64 n = ctx.graph.n;
    lengths = p.lengths + ctx.block * n;
    vertex_t* const queues = p.queues + ctx.block * 5 * n;
    near[0] = queues;
    near[1] = queues + n;
    far[0] = queues + 2 * n;
    far[1] = queues + 3 * n;
    touched = queues + 4 * n;
    in_near = p.queued + ctx.block * 2 * p.stride;
    in_far = in_near + p.stride;
  }

  GR_DEVICE static void clear(Context& ctx, const Problem& p) {
    for_each_index(ctx, p.rooms * ctx.graph.n, [&](i64 i) { p.lengths[i] = UNREACHED; });
    for_each_index(ctx, p.rooms * 2 * p.stride, [&](i64 i) { p.queued[i] = 0; });
  }

  GR_DEVICE void run(i64 place) const {
    const vertex_t source = p.starts[place];
    begin(source);
    weight_t threshold = threshold_after(weight_t(0), p.delta);
    int side = 0;
    for (;; side ^= 1) {
      settle(threshold, side);
      if (counts.far[side] == 0 || is_enough(side)) break;
      threshold = rise(threshold, side);
    }
    const weight_t bound = counts.far[side] == 0 ? UNREACHED : threshold;  // nearer lengths are final
    if (CHECK_RANGE && bound == UNREACHED && counts.lost) look_for_lost();
    if constexpr (PER == PER_SOURCE) add_up(place);
    else if constexpr (PER == PER_NEAREST) keep_nearest(place, source, bound);
    else for_each_touched([&](vertex_t v) { p.pairs[v * p.sources + place] = lengths[v]; });
    block_sync();
    for_each_touched([&](vertex_t v) { store_relaxed(&lengths[v], UNREACHED); });
    for_each(far[side], counts.far[side], [&](vertex_t v) { take_out(in_far, v); });
    block_sync();
  }

 private:
  static constexpr bool CHECK_RANGE = GR_CHECK_RANGE;

  GR_DEVICE void begin(vertex_t source) const {
    if (thread_id() == 0) {
      counts.near[0] = counts.touched = 1;
      counts.near[1] = counts.far[0] = counts.far[1] = counts.taken = 0;
      counts.lost = 0;
      lengths[source] = 0;
      near[0][0] = touched[0] = source;
    }
    block_sync();
  }

  template <class F>
  GR_DEVICE static void for_each(const vertex_t* vertices, int count, F f) {
    for (int i = thread_id(); i < count; i += BLOCK) f(vertices[i]);
  }
  template <class F>
  GR_DEVICE void for_each_touched(F f) const { for_each(touched, counts.touched, f); }

  // A core shares its arrays with nobody.
  GR_DEVICE static weight_t lower(weight_t* length, weight_t to) {
    if constexpr (WARP > 1) return atomic_min(length, to);
    const weight_t before = *length;
    if (closer(to, before)) *length = to;
    return before;
  }
  GR_DEVICE static void put(u32* bits, vertex_t* queue, int* count, vertex_t v) {
    const u32 bit = 1u << (v % 32);
    if (load_relaxed(&bits[v / 32]) & bit) return;
    if constexpr (WARP > 1) {
      if (atomic_or(&bits[v / 32], bit) & bit) return;
    } else {
      bits[v / 32] |= bit;
    }
    queue[reserve(count)] = v;
  }
  GR_DEVICE static void take_out(u32* bits, vertex_t v) {
    if constexpr (WARP > 1) atomic_and(&bits[v / 32], ~(1u << (v % 32)));
    else bits[v / 32] &= ~(1u << (v % 32));
  }

  // Relaxes what is near until nothing changes; then both near queues are empty.
  GR_DEVICE void settle(weight_t threshold, int side) const {
    for (int now = 0; counts.near[now] > 0; now ^= 1) {
      const int count = counts.near[now];
      for_each(near[now], count, [&](vertex_t v) { take_out(in_near, v); });
      block_sync();  // what becomes nearer from now on is in the next queue
      Lists::for_each(near[now], 0, count, [&](vertex_t v, bool there) {
        if (there) relax(v, threshold, now ^ 1, side);
      });
      block_sync();
      if (thread_id() == 0) counts.near[now] = 0;
      block_sync();
    }
  }

  GR_DEVICE void relax(vertex_t v, weight_t threshold, int next, int side) const {
    const weight_t from = load_relaxed(&lengths[v]);
    const Csr& lists = ctx.graph.csr;
    Lists{ctx}.for_each_entry(lists, v, [&](vertex_t u, edge_t e) {
      const weight_t reach = longer(from, GR_WEIGHTED ? load_constant(&lists.values[e]) : weight_t(1));
      if (closer(p.within, reach)) {
        if (CHECK_RANGE && p.within == UNREACHED) store_relaxed(&counts.lost, 1u);
        return;
      }
      if (CHECK_RANGE && reach == UNREACHED) store_relaxed(&counts.lost, 1u);
      if (!closer(reach, load_relaxed(&lengths[u]))) return;
      const weight_t before = lower(&lengths[u], reach);
      if (!closer(reach, before)) return;
      if (before == UNREACHED) touched[reserve(&counts.touched)] = u;
      if (closer(reach, threshold)) put(in_near, near[next], &counts.near[next], u);
      else put(in_far, far[side], &counts.far[side], u);
    });
  }

  // Shares out what is far; returns the next threshold. What has become nearer than the last one is final.
  GR_DEVICE weight_t rise(weight_t threshold, int side) const {
    const int count = counts.far[side];
    if (thread_id() == 0) counts.least = to_bits(UNREACHED);
    block_sync();
    for_each(far[side], count, [&](vertex_t v) {
      if (!closer(lengths[v], threshold)) atomic_min(&counts.least, to_bits(lengths[v]));
    });
    block_sync();
    const weight_t next = threshold_after(from_key(counts.least), p.delta);
    for_each(far[side], count, [&](vertex_t v) {
      if (!closer(lengths[v], next)) {
        far[side ^ 1][reserve(&counts.far[side ^ 1])] = v;
        return;
      }
      take_out(in_far, v);
      if (!closer(lengths[v], threshold)) put(in_near, near[0], &counts.near[0], v);
    });
    block_sync();
    if (thread_id() == 0) counts.far[side] = 0;
    block_sync();
    return next;
  }

  // True if as many as are wanted, and the source, are final.
  GR_DEVICE bool is_enough(int side) const {
    return PER == PER_NEAREST && counts.touched - counts.far[side] > p.nearest;
  }

  // A path was too long: if a vertex was reached by no other, the answer does not have its length.
  GR_DEVICE void look_for_lost() const {
    Lists::for_each(touched, 0, counts.touched, [&](vertex_t v, bool there) {
      if (!there) return;
      Lists{ctx}.for_each_neighbor(ctx.graph.csr, v, [&](vertex_t u) {
        if (lengths[u] == UNREACHED) store_relaxed(p.out_of_range, 1u);
      });
    });
  }

  GR_DEVICE void add_up(i64 place) const {
    double sum = 0, harmonic = 0;
    if (thread_id() == 0) counts.least = 0;
    block_sync();
    for_each_touched([&](vertex_t v) {
      const double length = double(lengths[v]);
      sum += length;
      if (length > 0) harmonic += 1 / length;
      atomic_max(&counts.least, to_bits(lengths[v]));
    });
    sum = fold_block<Sum<double>>(ctx, sum);
    harmonic = fold_block<Sum<double>>(ctx, harmonic);
    block_sync();
    if (thread_id() != 0) return;
    p.reached[place] = counts.touched;
    p.sums[place] = sum;
    p.harmonic[place] = harmonic;
    p.farthest[place] = from_key(counts.least);
  }

  // f(key) for the vertices besides the source whose lengths are final.
  template <class F>
  GR_DEVICE void for_each_key(vertex_t source, weight_t bound, F f) const {
    for_each_touched([&](vertex_t v) {
      if (v != source && closer(lengths[v], bound)) f(key_of(lengths[v], v));
    });
  }

  // The least keys are found by radix, as in select.cuh.
  GR_DEVICE void keep_nearest(i64 place, vertex_t source, weight_t bound) const {
    u64 last = 0;  // of the keys to keep, from what is known of it: its first digits
    i64 left = p.nearest;
    for (int shift = 64 - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
      for (int b = thread_id(); b < BINS; b += BLOCK) counts.bins[b] = 0;
      block_sync();
      for_each_key(source, bound, [&](u64 key) {
        if (key >> shift >> DIGIT_BITS == last) atomic_add(&counts.bins[key >> shift & (BINS - 1)], 1u);
      });
      block_sync();
      int bin = 0;
      for (; bin < BINS - 1 && i64(counts.bins[bin]) < left; ++bin) left -= counts.bins[bin];
      last = last << DIGIT_BITS | u64(bin);
      const i64 inside = counts.bins[bin];
      block_sync();
      if (inside <= left) {  // all of them
        last = ((last + 1) << shift) - 1;
        break;
      }
    }
    u64* const kept = p.keys + place * p.nearest;
    for_each_key(source, bound, [&](u64 key) {
      if (key <= last) kept[reserve(&counts.taken)] = key;
    });
  }
};

enum Phase { CLEAR, SEARCH };

struct Enactor : ByBlocks<Room, Problem, CLEAR, SEARCH> {};
