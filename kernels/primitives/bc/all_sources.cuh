// Betweenness centrality from all sources at once: each block works through sources of its own, one after
// another, in arrays of its own. Brandes (2001).
//
// A search of a small graph is too little work for a whole grid, and ends before the host can begin the next.
// Here a block's threads wait only for each other, and the host launches once [D-sources-1].
//
// Per source, as in in_step.cuh: the pass that finds the next level also counts the shortest paths to a level's
// vertices (over their in-neighbours one level up). Then, level by level in reverse, a vertex sums over its
// out-neighbours one level down. A few lanes share a list, however long it is: while they walk it, other blocks
// have other sources to work on.
#pragma once
#include "core/enactor.cuh"
#include "math/wide_number.cuh"
#include "operators/lists_by_groups.cuh"

struct Problem {
  i32* depths;        // this and the next four: n entries for each room (n + 2 in level_starts)
  vertex_t* order;    // vertices by level
  i32* level_starts;  // where in `order` each level begins
  u64* counts;        // of shortest paths, as words of wide_number.cuh
  u64* ratios;        // (1 + score) / count
  double* totals;     // of each vertex over all sources, zero at first
  i64 rooms;          // the number of blocks that may work at a time
};

enum Phase { SEARCH };

// A block's own arrays, and its work on one source after another.
struct Room {
  using Lists = ListsByGroups<8>;
  using Lanes = Lists::Lanes;
  struct Found {
    int count;  // vertices in `order`
  };

  Context& ctx;
  const Problem& p;
  Lists lists;
  i32* depths;
  vertex_t* order;
  i32* level_starts;
  u64* counts;
  u64* ratios;
  int* found;

  GR_DEVICE Room(Context& context, const Problem& problem) : ctx(context), p(problem), lists{context} {
    const i64 n = ctx.graph.n, first = ctx.block * n;
    depths = p.depths + first;
    order = p.order + first;
    level_starts = p.level_starts + ctx.block * (n + 2);
    counts = p.counts + first;
    ratios = p.ratios + first;
    found = &ctx.shared.as<Found>().count;
  }

  // Before the first source; each search leaves the room clear.
  GR_DEVICE void clear() const {
    for (i64 v = thread_id(); v < ctx.graph.n; v += BLOCK) depths[v] = -1;
    block_sync();
  }

  GR_DEVICE void run(vertex_t source) const {
    const i32 deepest = forward(source);
    for (i32 level = deepest - 1; level > 0; --level) {  // the source's own score is zero
      backward(level);
      block_sync();
    }
    for (i64 i = thread_id(); i < *found; i += BLOCK) depths[order[i]] = -1;
    block_sync();
  }

 private:
  // Finds the levels and counts the paths; returns the last level.
  GR_DEVICE i32 forward(vertex_t source) const {
    if (thread_id() == 0) {
      depths[source] = 0;
      order[0] = source;
      counts[source] = ONE;
      level_starts[0] = 0;
      *found = 1;
    }
    block_sync();
    for (i32 level = 0, begin = 0;; ++level) {
      const i32 end = *found;
      if (thread_id() == 0) level_starts[level + 1] = end;
      block_sync();  // all threads must know where the level ends before any adds to the next
      if (begin == end) return level - 1;
      Lists::for_each(order, begin, end, [&](vertex_t v, bool there) { count_and_discover(v, there, level); });
      block_sync();
      begin = end;
    }
  }

  // Counts the paths to a vertex, and finds its neighbours that have no level yet.
  GR_DEVICE void count_and_discover(vertex_t v, bool there, i32 level) const {
    const bool directed = ctx.graph.directed();
    Wide sum;
    if (there)
      lists.for_each_neighbor(ctx.graph.reverse, v, [&](vertex_t u) {
        const i32 depth = load_relaxed(&depths[u]);
        if (depth == -1) {
          if (!directed) discover(u, level + 1);
        } else if (depth == level - 1) {
          sum.add(counts[u]);
        }
      });
    if (there && directed)
      lists.for_each_neighbor(ctx.graph.csr, v, [&](vertex_t w) {
        if (load_relaxed(&depths[w]) == -1) discover(w, level + 1);
      });
    sum = of_group(sum);
    if (!there || Lanes::lane() != 0 || level == 0) return;
    counts[v] = to_word(sum);
    const Wide count = from_word(counts[v]);
    ratios[v] = to_word({1 / count.mantissa, -count.exponent});
  }

  GR_DEVICE void discover(vertex_t w, i32 depth) const {
    if (atomic_cas(&depths[w], -1, depth) == -1) order[reserve(found)] = w;
  }

  // The scores of a level: a vertex sums the ratios of its neighbours one level down, times its own count.
  GR_DEVICE void backward(i32 level) const {
    Lists::for_each(order, level_starts[level], level_starts[level + 1], [&](vertex_t v, bool there) {
      Wide sum;
      if (there)
        lists.for_each_neighbor(ctx.graph.csr, v, [&](vertex_t w) {
          if (depths[w] == level + 1) sum.add(ratios[w]);
        });
      sum = of_group(sum);
      if (!there || Lanes::lane() != 0 || sum.mantissa == 0) return;
      const Wide count = from_word(counts[v]);
      const double score = count.mantissa * sum.mantissa * power_of_two(count.exponent + sum.exponent);
      ratios[v] = to_word({(1 + score) / count.mantissa, -count.exponent});
      atomic_add(&p.totals[v], score);
    });
  }

  GR_DEVICE static Wide of_group(Wide sum) {
    GR_UNROLL
    for (int d = 1; d < Lanes::SIZE; d *= 2) {
      const double mantissa = warp_exchange(sum.mantissa, d);
      const i32 exponent = warp_exchange(sum.exponent, d);
      sum.add(mantissa, exponent);
    }
    return sum;
  }
};

struct Enactor : WholeGridEnactor {
  static constexpr i64 TURNS = 16;  // sources of a block per step

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n, working = ctx.blocks < p.rooms ? ctx.blocks : p.rooms;
    const i64 first = s.step * TURNS * working;
    if (first >= n) return false;
    ctx.show(SEARCH, s.step, n - first < TURNS * working ? n - first : TURNS * working, 0);
    if (ctx.block >= working) return true;
    const Room room(ctx, p);
    if (s.step == 0) room.clear();
    for (i64 turn = 0, source = first + ctx.block; turn < TURNS && source < n; ++turn, source += working)
      room.run(vertex_t(source));
    return true;
  }
};
