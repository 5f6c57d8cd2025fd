// Betweenness centrality from one source. Brandes (2001); Gunrock, section 5.3.
//
// Forward: BFS; each level's frontier is kept (`order`). The shortest paths to its vertices are counted in pull
// form: a vertex sums the counts of its in-neighbours one level up. If a level is discovered by push, its
// counts follow one step later: the sum reads only words that were final at the last barrier, so it shares the
// step with the advance that discovers the next level, and there is one barrier per level. If fewer edges are
// left than the frontier has, unvisited vertices look for the frontier and sum at once (Beamer's bottom-up
// step, but through the whole list).
//
// Backward: the kept levels in reverse, also in pull form: a vertex sums over its out-neighbours one level
// down. The only atomics are those that claim vertices and fill the queue.
//
// Sometimes the level below has far fewer edges, as when the neighbours of a hub have most of the graph's. Then
// its vertices send their shares up instead, by atomics, and the level takes their sums in a step of its own
// (GR_BC_EITHER). The sums are plain doubles, so this is only done if there cannot be too many paths for them.
//
// A level's members are looked up in a bitmap (LevelBits), a fraction of the labels' size.
//
// Options: GR_BC_EITHER; GR_BC_PUSH, backward by an advance over in-edges that adds to the vertices one level
// up, by atomics; GR_BC_REBUILD, which keeps no level: a filter over all vertices finds it again by its depth.
// With either of the last two a level is a queue on the way back, filled in the step that works on the level
// below.
//
// Counts of paths grow exponentially with the depth (10^1200 on a lattice of 2000 x 2000) and differ by
// hundreds of orders of magnitude within a level, so each has an exponent of its own.
#pragma once
#include "core/enactor.cuh"
#include "math/wide_sum.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/tiles.cuh"
#include "primitives/bfs/depths.cuh"
#include "primitives/relay.cuh"

struct Problem {
  i32* labels;          // depth, -1 while unvisited
  u64* counts;          // of shortest paths, as words of wide_number.cuh
  u64* ratios;          // (1 + score) / count
  float* scores;        // dependencies, zero at first
  double* sums;         // sums made by atomics, zero at first; not if GR_BC_EITHER and GR_BC_PUSH are both off
  u32* bits;            // GR_BC_EITHER: LevelBits, clear at first
  vertex_t* order;      // vertices by level; this and the next two are unused with GR_BC_REBUILD
  i32* level_starts;    // where in `order` each level begins; the first is 0
  i64* level_edges;     // out of each level
  i64 source;
  i64 simple;  // true without parallel edges: one path leads to each neighbour of the source
};

// A vertex's score counts as zero until the backward pass finds it to be greater.
GR_DEVICE void set_count(const Problem& p, vertex_t v, u64 word) {
  const Wide count = from_word(word);
  p.counts[v] = word;
  p.ratios[v] = to_word({1 / count.mantissa, -count.exponent});
}

// Bitmaps of four levels in turn: a level and those beside it, which a step may read while it fills or clears
// another. Only the words of a level's members are cleared, so that a small level costs little [D-bits-1].
struct LevelBits {
  static constexpr bool KEPT = GR_BC_EITHER;
  u32* words;
  i64 stride;
  GR_DEVICE LevelBits(const Problem& p, i64 n) : words(p.bits), stride(bitmap_words(n)) {}

  GR_DEVICE u32* at(i32 level) const { return words + level % 4 * stride; }
  GR_DEVICE void fill(Context& ctx, i32 level, const Listed<vertex_t>& members) const {
    for_each_index(ctx, members.count, [&](i64 i) { bitmap_set(at(level), members.items[i]); });
  }
  GR_DEVICE void clear(Context& ctx, i32 level, const Listed<vertex_t>& members) const {
    for_each_index(ctx, members.count,
                   [&](i64 i) { store_relaxed(&at(level)[members.items[i] / 32], 0u); });
  }
};

// Tests if a vertex is at one level. The level's bits are not written while they are read.
struct IsAt {
  const i32* labels;
  const u32* bits;
  i32 level;
  GR_DEVICE IsAt(const Problem& p, i64 n, i32 wanted)
      : labels(p.labels), bits(LevelBits::KEPT ? LevelBits(p, n).at(wanted) : nullptr), level(wanted) {}
  GR_DEVICE bool operator()(vertex_t v) const {
    if constexpr (LevelBits::KEPT && WARP == 1) return bits[u32(v) / 32] >> (u32(v) % 32) & 1;  // half the instructions
    else if constexpr (LevelBits::KEPT) return bits[v / 32] >> (v % 32) & 1;
    else return load_relaxed(&labels[v]) == level;
  }
  // Looks if `asked`. Where bits are kept, a GPU's answer may still be loading [D-bits-2].
  GR_DEVICE auto operator()(bool asked, vertex_t v) const {
    if constexpr (LevelBits::KEPT && WARP > 1) return bitmap_holds(asked, bits, v);
    else return asked && (*this)(v);
  }
};

// Counts the shortest paths to a vertex: the sum over its in-neighbours one level up.
struct CountPaths : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  i32 above;      // level of the in-neighbours that count
  IsAt is_above;
  bool discover;  // for vertices not yet visited: those with a path join the level below
  bool single;    // one path leads to each in-neighbour
  GR_DEVICE CountPaths(const Problem& problem, i64 n, i32 level, bool unvisited)
      : p(problem), above(level), is_above(problem, n, level), discover(unvisited),
        single(level == 1 && problem.simple) {}

  GR_DEVICE bool wants(vertex_t v) const { return !discover || load_relaxed(&p.labels[v]) == -1; }
  // Labels are being written, but none that is or becomes `above`.
  GR_DEVICE auto peek(bool asked, vertex_t u, vertex_t, edge_t) const { return is_above(asked, u); }
  GR_DEVICE u64 word(vertex_t u, edge_t) const { return single ? ONE : p.counts[u]; }
  GR_DEVICE Wide value(vertex_t u, edge_t e) const { return from_word(word(u, e)); }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) const {
    if (sum.mantissa == 0) return false;
    set_count(p, v, to_word(sum));
    if (discover) store_relaxed(&p.labels[v], above + 1);
    return discover;
  }
};

// Sets v's score, to which `count` paths lead.
GR_DEVICE void set_score(const Problem& p, vertex_t v, const Wide& count, double score) {
  p.scores[v] = float(score);
  p.ratios[v] = to_word({(1 + score) / count.mantissa, -count.exponent});
}

// The source's dependency on v: sum over w one level down of sigma(v)/sigma(w) (1 + delta(w)). A path to v
// extends to w, so sigma(v) <= sigma(w) and a ratio never overflows. The sum is of (1 + delta(w)) / sigma(w);
// sigma(v) is multiplied in at the end.
struct Dependency : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  IsAt is_below;
  GR_DEVICE Dependency(const Problem& problem, i64 n, i32 level)
      : p(problem), is_below(problem, n, level) {}

  GR_DEVICE auto peek(bool asked, vertex_t w, vertex_t, edge_t) const { return is_below(asked, w); }
  GR_DEVICE u64 word(vertex_t w, edge_t) const { return p.ratios[w]; }
  GR_DEVICE Wide value(vertex_t w, edge_t e) const { return from_word(word(w, e)); }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) const {
    if (sum.mantissa == 0) return false;  // no vertex below depends on it: the score stays zero
    const Wide count = from_word(p.counts[v]);
    set_score(p, v, count,
              count.mantissa * sum.mantissa * power_of_two(count.exponent + sum.exponent));
    return false;
  }
};

// Computes the same sums from below: adds w's ratio to the sums of its in-neighbours one level up.
struct SendUp : EdgeFunctor {
  struct Carry {
    double ratio;
  };
  const Problem& p;
  IsAt is_above;
  GR_DEVICE SendUp(const Problem& problem, i64 n, i32 level) : p(problem), is_above(problem, n, level) {}

  GR_DEVICE void fetch(vertex_t w, vertex_t, edge_t, Carry& carry) {
    const Wide ratio = from_word(p.ratios[w]);
    carry.ratio = ratio.mantissa * power_of_two(ratio.exponent);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t v, edge_t, Carry&) { return is_above(v); }
  GR_DEVICE bool visit(vertex_t, vertex_t v, edge_t, Carry& carry) {
    atomic_add(&p.sums[v], carry.ratio);
    return false;
  }
};

// True if doubles hold the number of paths to any vertex of a level, and its reciprocal.
GR_DEVICE bool is_plain(i64 max_degree, i32 level) {
  i32 bits = 1;
  while (max_degree >>= 1) ++bits;
  return i64(level) * bits < 900;
}

// Sends sums up from below at all levels (GR_BC_PUSH): what w passes on to each of its in-neighbours one level
// up.
struct PassUp : EdgeFunctor {
  struct Carry {
    Wide ratio;
  };
  const Problem& p;
  i32 above;
  GR_DEVICE PassUp(const Problem& problem, i32 level) : p(problem), above(level) {}

  GR_DEVICE void fetch(vertex_t w, vertex_t, edge_t, Carry& carry) {
    const Wide count = from_word(p.counts[w]);
    carry.ratio = {(1 + p.sums[w]) / count.mantissa, -count.exponent};
  }
  GR_DEVICE bool peek(vertex_t, vertex_t v, edge_t, Carry&) { return p.labels[v] == above; }
  GR_DEVICE bool visit(vertex_t, vertex_t v, edge_t, Carry& carry) {
    const Wide count = from_word(p.counts[v]);
    atomic_add(&p.sums[v], carry.ratio.mantissa * count.mantissa *
                               power_of_two(carry.ratio.exponent + count.exponent));
    return false;
  }
};

// --- the enactor --------------------------------------------------------------------------------
struct Discover : EdgeFunctor {
  const Problem& p;
  i32 depth;    // of the vertices that this step reaches
  bool direct;  // few edges: latency counts, not traffic, so go straight to the atomic
  bool count;   // the vertices reached are the source's neighbours: one path leads to each
  GR_DEVICE Discover(const Context& ctx, const Problem& problem, i32 d, u64 edges)
      : p(problem), depth(d), direct(is_latency_bound(ctx, edges)),
        count(d == 1 && p.simple) {}

  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) {
    // A core never goes straight to the atomic, as its compiler would test for that at every edge: BC on
    // cnr-2000 took 1.06 to 1.15 times as long.
    if constexpr (WARP == 1) return depths().looks_new(asked, d);
    const IsNew label = depths().looks_new(asked && !direct, d);
    return direct && asked ? IsNew{-1} : label;
  }
  GR_DEVICE IsNew visit(bool asked, vertex_t, vertex_t d, edge_t) { return depths().claim(asked, d, depth); }
  GR_DEVICE void apply(vertex_t, vertex_t d, edge_t) {
    if (count) set_count(p, d, ONE);
  }
  GR_DEVICE Depths depths() const { return {p.labels, 0}; }
};

// True if a level is a queue on the way back, rather than a slice of `order`.
constexpr bool QUEUED = GR_BC_PUSH || GR_BC_REBUILD;

struct KeepLevel : VertexFunctor {
  const i32* labels;
  i32 level;
  GR_DEVICE KeepLevel(const i32* depths, i32 wanted) : labels(depths), level(wanted) {}
  GR_DEVICE bool visit(item_t v) { return labels[v] == level; }
};

enum Phase { BEGIN, FORWARD, BACKWARD, PULL, UPWARD, SCORE };

struct Enactor {
  struct State : LoopState {
    i32 phase = BEGIN;
    i32 level = 0;         // the level that the next step works on
    i32 seen = 0;          // vertices in the levels above
    i32 deepest = 0;       // deepest level; backward
    bool counted = true;   // the paths to this level are counted (the source's are)
    i64 explored = 0;      // edges out of the levels above
    Size last = {0, 0};    // forward: the level before `level`
    Size coming = {0, 0};  // the level that the backward pass would work on next
    u32 beside = 0;        // vertices of the levels whose bits that step would fill and clear
    i64 unexplored = 0;    // edges out of the levels below
    Pace<SEEN_SOON> pace;
  };

  // Only forward, and for good: the other kernel makes the way back by itself.
  GR_DEVICE static bool leaves(const State& s) {
    return s.phase == FORWARD &&
           s.pace.template calls_for_running_ahead<LEVELS_LEFT / 2>(s.in.edges, s.unexplored);
  }

  // Asked about small in-frontiers only. The backward pass has no in-frontier if its levels are slices of
  // `order`; an empty frontier may lead to its first step.
  GR_DEVICE static bool fits_block(const State& s) {
    if (s.phase == PULL || s.phase == SCORE || leaves(s)) return false;
    if (QUEUED && (s.phase == BACKWARD || s.in.count == 0)) return false;  // the next level may be large
    if (s.phase != BACKWARD && s.in.count > 0)  // the step clears the bits of the level before the last
      return !LevelBits::KEPT || s.coming.count <= u32(SINGLE_BLOCK_EDGES);
    return s.coming.edges <= u64(SINGLE_BLOCK_EDGES) && s.coming.count <= u32(SINGLE_BLOCK_EDGES) &&
           (!LevelBits::KEPT || s.beside <= u32(SINGLE_BLOCK_EDGES));
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(s.phase, s.level, s.in);
    if (s.phase == BEGIN) {
      seed<V>(ctx, s, item_t(p.source));
      s.phase = FORWARD;
      return true;
    }
    if (s.phase == PULL) {
      ctx.show(PULL, s.level - 1, s.last);
      discover_by_pull(ctx, p, s, s.level - 1);
      s.phase = FORWARD;
      return true;
    }
    if (s.phase == FORWARD) {
      if (s.in.count > 0) {
        if (leaves(s)) {
          leave_at(s, s.level);
          return false;
        }
        if (RELAYS) s.pace.add(s.in.edges);
        forward(ctx, p, s);
        return true;
      }
      // This level is empty, and nobody depends on the vertices of the last level.
      s.phase = BACKWARD;
      s.deepest = s.level - 1;
      s.level -= GR_BC_PUSH ? 1 : 2;
      if (QUEUED) {
        queue_level(ctx, p, s);
        return s.level > 0;
      }
    }
    if (s.level <= 0) {  // the source's own score is zero
      ctx.show(BACKWARD, 0, {0, 0});
      return false;
    }
    if (GR_BC_EITHER && s.phase == SCORE) {
      take_sums(ctx, p, s);
      return true;
    }
    if (QUEUED) backward_queued(ctx, p, s);
    else backward(ctx, p, s);
    return true;
  }

 private:
  // Counts the paths to this level, if they are not counted yet, and discovers the next.
  GR_DEVICE static void forward(Context& ctx, const Problem& p, State& s) {
    const i64 n = ctx.graph.n;
#if !GR_BC_REBUILD
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t v) { p.order[s.seen + i] = vertex_t(v); });
    if constexpr (LevelBits::KEPT) {
      const LevelBits bits(p, n);
      bits.fill(ctx, s.level, Listed<vertex_t>{ctx.in(s).queue.items, i64(s.in.count)});
      if (s.level > 1) bits.clear(ctx, s.level - 2, kept_level(p, s.level - 2));
    }
    if (ctx.rank() == 0) {
      store_relaxed(&p.level_starts[s.level + 1], s.seen + i32(s.in.count));
      store_relaxed(&p.level_edges[s.level], i64(s.in.edges));
    }
#endif
    s.explored += i64(s.in.edges);
    s.unexplored = ctx.graph.m - s.explored;
    // Pulls if fewer edges are left. (Not by a single block: the finds might not fit its queue.) On a core
    // testing a vertex costs as much as an edge [D-cores-8].
    const i64 probes = WARP == 1 ? n : 0;
    const bool pull = !ctx.single_block && i64(s.in.edges) > ctx.graph.m - s.explored + probes;
    if (!s.counted)
      gather<WideSum, LevelTiers>(ctx, s, members(ctx.in(s)), ctx.graph.reverse,
                                  CountPaths(p, n, s.level - 1, false));
    if (!pull) {
      advance<V, V>(ctx, s, Discover(ctx, p, s.level + 1, s.in.edges));
    } else if (s.counted && !LevelBits::KEPT) {
      ctx.show(PULL, s.level, s.in);
      discover_by_pull(ctx, p, s, s.level);
    } else {
      s.phase = PULL;  // the counts that it sums, and the level's bits, are final in the next step
    }
    s.counted = pull || (s.level == 0 && p.simple);
    s.seen += i32(s.in.count);
    s.beside = s.coming.count;
    s.coming = s.last;
    s.last = s.in;
    ++s.level;
  }

  // Unvisited vertices look for neighbours at level `above`, and count the paths from there.
  GR_DEVICE static void discover_by_pull(Context& ctx, const Problem& p, const State& s, i32 above) {
    gather<WideSum, HubTiers, V>(ctx, s, Range{ctx.graph.n}, ctx.graph.reverse,
                                 CountPaths(p, ctx.graph.n, above, true));
  }

  GR_DEVICE static Listed<vertex_t> kept_level(const Problem& p, i32 level) {
    const i32 start = load_relaxed(&p.level_starts[level]);
    return {p.order + start, load_relaxed(&p.level_starts[level + 1]) - start};
  }

  // Works on a level that is a slice of `order`.
  GR_DEVICE static void backward(Context& ctx, const Problem& p, State& s) {
    const Listed<vertex_t> level = kept_level(p, s.level);
    const i64 edges = load_relaxed(&p.level_edges[s.level]);
    if constexpr (GR_BC_EITHER) {
      constexpr int DEARER = 2;  // cost of an atomic in probes [D-up-1]
      constexpr i64 STEP_COST = 4;  // cost, in probes per thread, of one more step: SCORE [D-up-2]
      const i64 below = load_relaxed(&p.level_edges[s.level + 1]);
      const i64 upward = DEARER * below + STEP_COST * ctx.threads();
      if (!ctx.single_block && upward < edges && is_plain(ctx.graph.csr.max_degree, s.level + 1)) {
        const Listed<vertex_t> children = kept_level(p, s.level + 1);
        ctx.show(UPWARD, s.level, children.count, below);
        advance_over<TileSchedule<NEVER, NEVER>>(ctx, children, ctx.graph.reverse,
                                              SendUp(p, ctx.graph.n, s.level));
        s.phase = SCORE;
        return;
      }
    }
    if (GR_TRACE) ctx.show(BACKWARD, s.level, level.count, edges);
    gather<WideSum, LevelTiers>(ctx, s, level, ctx.graph.csr,
                                Dependency(p, ctx.graph.n, s.level + 1));
    go_up(ctx, p, s);
  }

  // Makes scores of the sums that a level's vertices were sent.
  GR_DEVICE static void take_sums(Context& ctx, const Problem& p, State& s) {
    const Listed<vertex_t> level = kept_level(p, s.level);
    ctx.show(SCORE, s.level, level.count, 0);
    for_each_index(ctx, level.count, [&](i64 i) {
      const vertex_t v = level.items[i];
      const double sum = load_relaxed(&p.sums[v]);
      if (sum == 0) return;
      const Wide count = from_word(p.counts[v]);
      set_score(p, v, count, count.mantissa * sum * power_of_two(count.exponent));
    });
    s.phase = BACKWARD;
    go_up(ctx, p, s);
  }

  GR_DEVICE static void go_up(Context& ctx, const Problem& p, State& s) {
    if constexpr (LevelBits::KEPT) {
      const LevelBits bits(p, ctx.graph.n);
      bits.fill(ctx, s.level - 1, kept_level(p, s.level - 1));
      if (s.level + 2 <= s.deepest) bits.clear(ctx, s.level + 2, kept_level(p, s.level + 2));
      s.beside = s.level > 1 ? u32(kept_level(p, s.level - 2).count) : 0;
      if (s.level < s.deepest) s.beside += u32(kept_level(p, s.level + 1).count);
    }
    --s.level;
    s.coming = {u32(kept_level(p, s.level).count), u64(load_relaxed(&p.level_edges[s.level]))};
  }

  // Works on a level that is a queue, and meanwhile queues the level above.
  GR_DEVICE static void backward_queued(Context& ctx, const Problem& p, State& s) {
#if GR_BC_PUSH
    compute(ctx, s, [&](item_t w) { p.scores[w] = float(p.sums[w]); });
    if (s.level > 1) advance<V>(ctx, s, ctx.graph.reverse, PassUp(p, s.level - 1));
#else
    gather<WideSum, LevelTiers>(ctx, s, members(ctx.in(s)), ctx.graph.csr,
                                Dependency(p, ctx.graph.n, s.level + 1));
#endif
    --s.level;
    block_sync();  // both operators use the block's scratch
    queue_level(ctx, p, s);
  }

  // Makes a queue of the next level.
  GR_DEVICE static void queue_level(Context& ctx, const Problem& p, const State& s) {
    if (s.level <= 0) return;
    const Csr& next = GR_BC_PUSH ? ctx.graph.reverse : ctx.graph.csr;
#if GR_BC_REBUILD
    filter<V>(ctx, s, Range{ctx.graph.n}, next, KeepLevel(p.labels, s.level));
#else
    const i32 start = load_relaxed(&p.level_starts[s.level]);
    const i32 end = load_relaxed(&p.level_starts[s.level + 1]);
    filter<V>(ctx, s, Listed<vertex_t>{p.order + start, end - start}, next, VertexFunctor{});
#endif
  }
};
