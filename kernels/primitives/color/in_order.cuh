// Vertex coloring by Jones and Plassmann (1993), the largest degree first: a vertex takes the smallest color
// that none of its neighbours of higher priority has. Whatever the schedule, the result is that of a loop over
// the vertices by falling priority.
//
// The vertices are sorted in that order and colored in it, each as soon as the neighbours before it have colors
// (operators/in_order.cuh). R-MAT graphs have chains of thousands, through a core of few vertices: with a
// barrier per link these would take most of the time.
//
// Sorting uses the distribution of its keys. A histogram gives where a degree's vertices begin. Their random
// numbers are evenly spread, so a vertex's number gives its place up to a few others (a bucket), which one
// thread sorts.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/histogram.cuh"
#include "operators/in_order.cuh"
#include "operators/scan.cuh"

struct Problem {
  i32* colors;      // words for operators/in_order.cuh
  vertex_t* order;
  u32* by_degree;   // vertices of each degree; zero before
  u32* before;      // vertices of larger degrees, the largest degree first
  u32* filled;      // of each bucket; zero before
  u32* first;       // where each bucket begins
  u64* sums;        // for a scan
  u32* tickets;     // two, zero before
  i64 seed;
};

enum Phase { DEGREES, BUCKETS, PLACES, SORT, COLOR };

struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // otherwise its own loops are slower [D-gate-1]

  enum Step : u32 { COUNT, SUM_DEGREES, SCAN_DEGREES, FILL, SUM_BUCKETS, SCAN_BUCKETS, PLACE, ORDER, PAINT };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n, longest = ctx.graph.csr.max_degree;
    const auto of_degree = [&](i64 i) { return u64(p.by_degree[longest - i]); };
    const auto of_bucket = [&](i64 i) { return u64(p.filled[i]); };
    switch (s.step) {
      case COUNT:
        ctx.show(DEGREES, 0, n, 0);
        count_degrees(ctx, ctx.graph.csr, p.by_degree);
        break;
      case SUM_DEGREES:
        sum_chunks(ctx, longest + 1, of_degree, p.sums);
        break;
      case SCAN_DEGREES:
        scan_chunks(ctx, longest + 1, of_degree, p.sums,
                    [&](i64 i, u64 before, u64) { p.before[i] = u32(before); });
        break;
      case FILL:
        ctx.show(BUCKETS, 0, n, 0);
        for_each_index(ctx, n, [&](i64 v) { atomic_add(&p.filled[bucket_of(ctx, p, v)], 1u); });
        break;
      case SUM_BUCKETS:
        sum_chunks(ctx, n, of_bucket, p.sums);
        break;
      case SCAN_BUCKETS:
        scan_chunks(ctx, n, of_bucket, p.sums,
                    [&](i64 i, u64 before, u64) { p.first[i] = u32(before); });
        break;
      case PLACE:
        ctx.show(PLACES, 0, n, 0);
        for_each_index(ctx, n, [&](i64 v) {
          const u32 bucket = bucket_of(ctx, p, v);
          p.order[p.first[bucket] + atomic_add(&p.filled[bucket], ~0u) - 1] = vertex_t(v);
        });
        break;
      case ORDER:
        ctx.show(SORT, 0, n, 0);
        for_each_index(ctx, n, [&](i64 bucket) { sort_bucket(p, bucket, n); });
        break;
      case PAINT:
        ctx.show(COLOR, 0, n, ctx.graph.m);
        smallest_free_in_order(ctx, ctx.graph.csr, whole_order(ctx, p));
        break;
      default:
        return false;
    }
    return true;
  }

 private:
  GR_DEVICE static u32 number(const Problem& p, vertex_t v) { return random_number(v, u32(p.seed)); }

  // A degree has as many buckets as vertices; greater numbers come first.
  GR_DEVICE static u32 bucket_of(const Context& ctx, const Problem& p, i64 v) {
    const i64 degree = ctx.graph.csr.row(v).length, before = p.before[ctx.graph.csr.max_degree - degree];
    return u32(before) + u32(u64(~number(p, vertex_t(v))) * p.by_degree[degree] >> 32);
  }

  GR_DEVICE static void sort_bucket(const Problem& p, i64 bucket, i64 n) {
    const i64 begin = p.first[bucket], end = bucket + 1 < n ? i64(p.first[bucket + 1]) : n;
    for (i64 i = begin + 1; i < end; ++i) {
      const vertex_t v = p.order[i];
      i64 at = i;
      for (; at > begin && number(p, p.order[at - 1]) < number(p, v); --at) p.order[at] = p.order[at - 1];
      p.order[at] = v;
    }
    for (i64 i = begin; i < end; ++i) p.colors[p.order[i]] = ~i32(i);
  }

  GR_DEVICE static InOrder whole_order(const Context& ctx, const Problem& p) {
    const i64 longest = ctx.graph.csr.max_degree;
    const i64 long_lists = longest > i64(SHORT_LIST) ? p.before[longest - SHORT_LIST] : 0;
    return {p.order, long_lists, ctx.graph.n, p.colors, &p.tickets[0], &p.tickets[1]};
  }
};
