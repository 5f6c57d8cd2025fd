// Vertex coloring by Jones and Plassmann, the largest degree first, for lists that are short but not very
// short: in_order.cuh's method, without sorting. Vertices are put into classes by priority. Within a class they
// keep the order of their numbers, in which neighbours share cache lines; of two in a class the smaller goes
// first.
//
// A degree gets a share of the classes in proportion to its vertices, at least one class, and a vertex's random
// number picks one of these. Chains within a class are short: it has at most about one in 63 vertices. One byte
// holds a vertex's whole state: its color, or OPEN and its class; class 0 is colored first.
// Options: GR_LANES, the number of threads that share a list.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/histogram.cuh"
#include "operators/in_classes.cuh"
#include "operators/scan.cuh"

struct Problem {
  u8* words;
  vertex_t* order;
  u32* by_degree;  // vertices of each degree; zero before
  u32* places;     // by class, then part: the number of the class's vertices in the part, then where they begin
  u64* sums;       // for a scan
  i64 seed;
};

constexpr i64 LONGEST_CLASSED = 63;  // longest list: a set of colors is a word of 64 bits
constexpr u8 OPEN = 128;
constexpr i64 DEGREE_COUNT = LONGEST_CLASSED + 1;
constexpr i64 CLASS_COUNT = OPEN;
constexpr int CLASS_BITS = 7;
constexpr i64 PARTS = 8192;  // contiguous parts of the vertices; one warp orders each

struct Table {
  u32 parts[DEGREE_COUNT];  // the number of classes of each degree
  u32 first[DEGREE_COUNT];
  u32 counts[WARPS][CLASS_COUNT];  // of a part
};

struct ByClass {
  const Problem& p;
  struct Own {
    vertex_t v;
    u32 word;
  };
  using Word = u8;
  GR_DEVICE Own own(vertex_t v) const { return {v, p.words[v]}; }
  GR_DEVICE Word ask(vertex_t u) const { return load_relaxed(&p.words[u]); }
  GR_DEVICE bool waits(const Own& own, vertex_t u, Word word) const {
    return word == own.word ? u < own.v : word >= OPEN && word < own.word;
  }
  GR_DEVICE i32 number(Word word) const { return word < OPEN ? word : -1; }
  GR_DEVICE void finish(vertex_t v, i32 number) const { store_relaxed(&p.words[v], u8(number)); }
};

enum Phase { DEGREES, CLASSES, PLACES, COLOR };

struct Enactor : WholeGridEnactor {
  static constexpr bool NEVER_SINGLE_BLOCK = false;  // measured in both forms: [D-gate-1]

  enum Step : u32 { COUNT, CLASSIFY, SUM, SCAN, PLACE, PAINT };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n;
    const auto of_class = [&](i64 i) { return u64(p.places[i]); };
    switch (s.step) {
      case COUNT:
        ctx.show(DEGREES, 0, n, 0);
        count_degrees(ctx, ctx.graph.csr, p.by_degree);
        break;
      case CLASSIFY:
        ctx.show(CLASSES, 0, n, 0);
        classify(ctx, p, ctx.shared.as<Table>());
        break;
      case SUM:
        sum_chunks(ctx, CLASS_COUNT * PARTS, of_class, p.sums);
        break;
      case SCAN:
        scan_chunks(ctx, CLASS_COUNT * PARTS, of_class, p.sums,
                    [&](i64 i, u64 before, u64) { p.places[i] = u32(before); });
        break;
      case PLACE:
        ctx.show(PLACES, 0, n, 0);
        place(ctx, p, ctx.shared.as<Table>());
        break;
      case PAINT:
        ctx.show(COLOR, 0, n, ctx.graph.m);
        smallest_free_in_classes<GR_LANES>(ctx, ctx.graph.csr, p.order, n, ByClass{p});
        return false;
    }
    return true;
  }

 private:
  // The whole warp: f(part) for each of its parts.
  template <class F>
  GR_DEVICE static void for_each_part(Context& ctx, F f) {
    const i64 warps = i64(ctx.blocks) * WARPS;
    for (i64 part = i64(ctx.block) * WARPS + warp_id(); part < PARTS; part += warps) f(part);
  }

  // The whole block: the classes of each degree, at most CLASS_COUNT in all.
  GR_DEVICE static void make_table(const Problem& p, i64 n, Table& table) {
    constexpr i64 SPARE = CLASS_COUNT - DEGREE_COUNT;
    for (i64 d = thread_id(); d < DEGREE_COUNT; d += BLOCK)
      table.parts[d] = p.by_degree[d] ? 1 + u32(i64(p.by_degree[d]) * (SPARE - 1) / n) : 0;
    block_sync();
    for (i64 d = thread_id(); d < DEGREE_COUNT; d += BLOCK) {
      u32 first = 0;
      for (i64 larger = d + 1; larger < DEGREE_COUNT; ++larger) first += table.parts[larger];
      table.first[d] = first;
    }
    block_sync();
  }

  GR_DEVICE static void classify(Context& ctx, const Problem& p, Table& table) {
    const i64 n = ctx.graph.n;
    u32* const counts = table.counts[warp_id()];
    make_table(p, n, table);
    for_each_part(ctx, [&](i64 part) {
      for (i64 c = lane_id(); c < CLASS_COUNT; c += WARP) counts[c] = 0;
      warp_sync();
      for (i64 v = part * n / PARTS + lane_id(); v < (part + 1) * n / PARTS; v += WARP) {
        const edge_t degree = ctx.graph.csr.row(v).length;
        const u32 number = random_number(vertex_t(v), u32(p.seed));
        const u32 c = table.first[degree] + u32(u64(~number) * table.parts[degree] >> 32);
        p.words[v] = u8(OPEN | c);
        atomic_add(&counts[c], 1u);
      }
      warp_sync();
      for (i64 c = lane_id(); c < CLASS_COUNT; c += WARP) p.places[c * PARTS + part] = counts[c];
      warp_sync();
    });
  }

  GR_DEVICE static void place(Context& ctx, const Problem& p, Table& table) {
    const i64 n = ctx.graph.n;
    u32* const next = table.counts[warp_id()];
    for_each_part(ctx, [&](i64 part) {
      for (i64 c = lane_id(); c < CLASS_COUNT; c += WARP) next[c] = p.places[c * PARTS + part];
      warp_sync();
      const i64 end = (part + 1) * n / PARTS;
      for (i64 base = part * n / PARTS; base < end; base += WARP) {
        const i64 v = base + lane_id();
        const u32 c = v < end ? p.words[v] - OPEN : 0;
        const u32 twins = lanes_with(v < end, c);
        const u32 before = popcount(twins & ((1u << lane_id()) - 1)), at = next[c];
        warp_sync();  // all lanes have read
        if (v < end) {
          p.order[at + before] = vertex_t(v);
          if (before == 0) next[c] = at + popcount(twins);
        }
        warp_sync();
      }
    });
  }

  // The whole warp: the lanes that are `inside` and have class c, too.
  GR_DEVICE static u32 lanes_with(bool inside, u32 c) {
    u32 same = warp_ballot(inside);
    GR_UNROLL
    for (int bit = 0; bit < CLASS_BITS; ++bit) {
      const bool set = c >> bit & 1;
      const u32 lanes = warp_ballot(set);
      same &= set ? lanes : ~lanes;
    }
    return same;
  }
};
