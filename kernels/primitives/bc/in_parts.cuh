// Betweenness centrality from one source over several devices (core/several_devices.cuh), by in_step.cuh's sums.
//
// A device finds its own vertices level by level, counts the paths to them, and keeps their scores. It sends
// the others what they need of its vertices (TeamLevels): on the way out, a level's vertices and the number of
// paths to each; on the way back, the divisors of vertices with a score. (Vertices without a score pass up the
// same as when they were found.) Each device has a bitmap of a level, which says whose values count, and the
// values of all vertices.
//
// Forward, sparse levels are expanded along the edges that lead to a device's own vertices, in lists of all
// vertices (PUSH), and a step of its own counts the paths to the vertices found (COUNT). If fewer edges are
// left than the frontier has, unvisited vertices look for it and count at once (PULL). On a directed graph
// ctx.graph.csr has the edges out of the device's own vertices, which the way back needs, so it always pulls.
//
// Backward, a level takes its scores from the level below or, if that has far fewer edges, is sent them along
// the same lists (UPWARD, SCORE), as in in_step.cuh [D-up-1].
#pragma once
#include "core/enactor.cuh"
#include "math/wide_sum.cuh"
#include "operators/advance.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/team_frontier.cuh"
#include "operators/team_levels.cuh"
#include "operators/tiles.cuh"

struct Problem {
  i32* labels;       // of this device's vertices, from its first: depth, -1 while unvisited
  edge_t* degrees;   // of this device's vertices: out-degrees
  float* scores;     // of this device's vertices: dependencies, zero at first
  double* sums;      // of this device's vertices: sums sent up to them, zero at first; null without sends_up
  u64* counts;       // of this device's vertices: shortest paths, as words of wide_number.cuh; zero at first
  i32* level_starts;  // where in the list of this device's vertices each level begins; the first is 0
  i64* level_edges;   // edges out of each of the first LEVELS levels, over all devices
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* received;    // in the symmetric heap, like the next three, which TeamLevels uses: vertices by level
  u64* divisors;     // of all vertices: their counts or, with a score, count / (1 + score) [D-divisor-1]
  u32* levels;       // bitmaps, clear at first
  i64 bitmap_stride;
  u64* notes;        // LevelNotes
  i64 source;
  i64 directed;
  i64 sends_up;      // true if a level may be sent its scores; false for a directed graph
};

// What a device sends with a level's vertices.
struct LevelNote {
  u64 first, members;  // as TeamLevels has them
  u64 edges;           // out of its part of the level
  u64 several;  // 0 if one path leads to each of the source's neighbours among its own vertices
};

constexpr i32 LEVELS = 1024;  // levels that may be sent scores: there are too many paths to deeper ones for doubles
constexpr i64 DEARER = 2;     // cost of an atomic in probes [D-up-1]

// What a vertex passes up is 1 over its divisor: its score counts as zero until the backward pass finds it to
// be greater.
GR_DEVICE void set_count(const Problem& p, i64 begin, vertex_t v, u64 word) {
  p.counts[v - begin] = word;
  p.divisors[v] = word;
}
GR_DEVICE Wide passed_up(u64 divisor) {
  const Wide x = from_word(divisor);
  return {1 / x.mantissa, -x.exponent};
}

// Sums what vertices pass up. Several divisors are loaded before the first division.
struct SumPassedUp : WideSum {
  using Value = u64;
  GR_DEVICE static void add(Wide& total, u64 divisor) { WideSum::add(total, passed_up(divisor)); }
};

// True if doubles hold the number of paths to any vertex of a level, and its reciprocal: at each level a path
// has at most `edges` to choose from.
GR_DEVICE bool is_plain(i64 edges, i32 level) {
  i32 bits = 1;
  while (edges >>= 1) ++bits;
  return i64(level) * bits < 900;
}

// Discovers own vertices along the edges of a level. Each edge out of the source is a path; these are counted
// as integers.
struct Discover : EdgeFunctor {
  const Problem& p;
  i64 begin;
  i32 depth;  // of the vertices that this step reaches
  GR_DEVICE Discover(const Context& ctx, const Problem& problem, i32 d)
      : p(problem), begin(ctx.peers.begin), depth(d) {}

  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t) {
    return depth == 1 || load_relaxed(&p.labels[d - begin]) == -1;
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t) {
    const i32 before = atomic_cas(&p.labels[d - begin], -1, depth);
    if (depth == 1 && before != 0) atomic_add(&p.counts[d - begin], u64(1));
    return before == -1;
  }
};

// Counts the shortest paths to an own vertex: the sum over its in-neighbours one level up.
struct CountPaths : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const u32* above;  // the bitmap of that level
  i64 begin;
  i32 depth;         // of the vertices whose paths are counted
  bool discover;     // for vertices not yet visited
  bool single;       // one path leads to each in-neighbour
  u64* several;      // LevelNote's word
  u64 edges = 0;     // out of the vertices that this thread has finished
  GR_DEVICE CountPaths(const Context& ctx, const Problem& problem, Control& control, const u32* bits, i32 d,
                       bool unvisited, bool one_path)
      : p(problem), above(bits), begin(ctx.peers.begin), depth(d), discover(unvisited),
        single(one_path), several(&control.counters[1]) {}

  GR_DEVICE bool wants(vertex_t v) const { return !discover || p.labels[v - begin] == -1; }
  GR_DEVICE Bit peek(bool asked, vertex_t u, vertex_t, edge_t) const { return bitmap_holds(asked, above, u); }
  GR_DEVICE Wide value(vertex_t u, edge_t) const { return from_word(single ? ONE : p.divisors[u]); }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) {
    if (sum.mantissa == 0) return false;
    const u64 word = to_word(sum);
    set_count(p, begin, v, word);
    if (depth == 1 && word != ONE) store_relaxed(several, u64(1));  // parallel edges
    if (discover) p.labels[v - begin] = depth;
    edges += u64(load_constant(&p.degrees[v - begin]));
    return true;
  }
};

// The source's neighbours, once their paths have been counted.
struct FirstLevel : VertexFunctor {
  const Problem& p;
  i64 begin;
  u64 edges = 0, several = 0;
  GR_DEVICE FirstLevel(const Context& ctx, const Problem& problem)
      : p(problem), begin(ctx.peers.begin) {}
  GR_DEVICE bool visit(item_t v) {
    const u64 count = p.counts[v - begin];
    several += count > 1;
    set_count(p, begin, vertex_t(v), to_word({double(count), 0}));
    edges += u64(load_constant(&p.degrees[v - begin]));
    return true;
  }
};

// Sets the score of an own vertex, to which `count` paths lead.
GR_DEVICE void set_score(const Problem& p, i64 begin, vertex_t v, const Wide& count, double score) {
  p.scores[v - begin] = float(score);
  p.divisors[v] = to_word({count.mantissa / (1 + score), count.exponent});
}

// The source's dependency on v, as in in_step.cuh.
struct Dependency : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const u32* below;  // bitmap of the level below
  i64 begin;
  GR_DEVICE Dependency(const Context& ctx, const Problem& problem, const u32* bits)
      : p(problem), below(bits), begin(ctx.peers.begin) {}

  GR_DEVICE Bit peek(bool asked, vertex_t w, vertex_t, edge_t) const { return bitmap_holds(asked, below, w); }
  GR_DEVICE u64 value(vertex_t w, edge_t) const { return p.divisors[w]; }
  GR_DEVICE bool finish(vertex_t v, const Wide& sum) const {
    if (sum.mantissa == 0) return false;  // no vertex below depends on it: the score stays zero
    const Wide count = from_word(p.counts[v - begin]);
    set_score(p, begin, v, count, count.mantissa * sum.mantissa * power_of_two(count.exponent + sum.exponent));
    return true;  // it has a new value to send
  }
};

// Computes the same sums from below: adds w's share to the sums of this device's vertices one level up.
struct SendUp : EdgeFunctor {
  struct Carry {
    double share;
  };
  const Problem& p;
  i64 begin;
  i32 above;
  GR_DEVICE SendUp(const Context& ctx, const Problem& problem, i32 level)
      : p(problem), begin(ctx.peers.begin), above(level) {}

  GR_DEVICE void fetch(vertex_t w, vertex_t, edge_t, Carry& carry) {
    const Wide share = passed_up(p.divisors[w]);
    carry.share = share.mantissa * power_of_two(share.exponent);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t v, edge_t, Carry&) { return p.labels[v - begin] == above; }
  GR_DEVICE bool visit(vertex_t, vertex_t v, edge_t, Carry& carry) {
    atomic_add(&p.sums[v - begin], carry.share);
    return false;
  }
};

// Makes scores of the sums that a level's vertices were sent; keeps those with a score, which is to be sent.
struct TakeSum : VertexFunctor {
  const Problem& p;
  i64 begin;
  GR_DEVICE TakeSum(const Context& ctx, const Problem& problem) : p(problem), begin(ctx.peers.begin) {}
  GR_DEVICE bool visit(item_t v) const {
    const double sum = load_relaxed(&p.sums[v - begin]);
    if (sum == 0) return false;
    const Wide count = from_word(p.counts[v - begin]);
    set_score(p, begin, vertex_t(v), count, count.mantissa * sum * power_of_two(count.exponent));
    return true;
  }
};

// --- the enactor ----------------------------------------------------------------------------------
enum Phase { BEGIN, RECEIVE, PUSH, COUNT, PULL, BACKWARD, UPWARD, SCORE, EXCHANGE, CHOOSE };

struct State : LoopState {
  i32 phase = BEGIN;
  i32 level = 0;         // the level that the next step works on
  bool back = false;     // on the way back
  bool exchange_due = false;    // a level is to be sent
  bool single = false;   // one path leads to each of the source's neighbours
  i32 seen = 0;          // own vertices in the levels above
  i32 deepest = 0;       // deepest level; on the way back
  u32 exchanges = 0;          // the number of exchanges of levels so far
  i64 explored = 0;      // edges out of all vertices of the levels so far
  Count frontier = {0, 0, 0, 0};  // the size of `level`, over all devices
};

using Levels = TeamLevels<u64, LevelNote>;
GR_DEVICE Levels levels_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bounds, p.received, p.divisors, p.levels, p.bitmap_stride, (LevelNote*)p.notes, s.exchanges};
}

struct LevelExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.exchange_due; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control& control, State& s) {
    s.exchange_due = false;
    const u64 count = unpack(load_relaxed(&ctx.tail(s.step)->size)).count;
    ctx.show(EXCHANGE, s.level, i64(count), 0);
    if (s.back) {
      const u64 first = u64(load_cached(&p.level_starts[s.level]));
      levels_of(ctx, p, s).exchange(ctx, {first, u64(load_cached(&p.level_starts[s.level + 1])) - first, 0, 0});
      return;
    }
    LevelNote note = {u64(s.seen), count, 0, 0};
    if (ctx.rank() == 0) {  // this thread's note is the one that is sent
      note.edges = load_relaxed(&control.counters[0]);
      note.several = load_relaxed(&control.counters[1]);
      store_relaxed(&control.counters[0], u64(0));
      store_relaxed(&control.counters[1], u64(0));
    }
    levels_of(ctx, p, s).exchange_level(ctx, s.level, note);
  }
};

struct Enactor {
  using Team = LevelExchange;
  using State = ::State;

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.phase == CHOOSE) s.phase = s.back ? way_back(ctx, p, s) : way_on(ctx, p, s);
    switch (s.phase) {
      case BEGIN:
        ctx.show(BEGIN, 0, s.in);
        begin(ctx, p, control, s);
        return true;
      case RECEIVE:
        receive(ctx, p, s);
        return true;
      case PUSH:
        ctx.show(PUSH, s.level, s.in);
        advance<V, Kind::plain>(ctx, s, Discover(ctx, p, s.level + 1));
        s.phase = COUNT;
        return true;
      case COUNT:
        ctx.show(COUNT, s.level, i64(s.in.count), 0);
        count(ctx, p, control, s);
        return true;
      case PULL:
        pull(ctx, p, control, s);
        return true;
      case UPWARD:
        send_up(ctx, p, s);
        return true;
      case SCORE:
        return take_sums(ctx, p, s);
      default:
        return backward(ctx, p, s);
    }
  }

 private:
  GR_DEVICE static void begin(Context& ctx, const Problem& p, Control& control, State& s) {
    if (ctx.peers.owns(p.source)) {
      auto collect = levels_of(ctx, p, s).found(ctx, s, 0, 0);
      if (ctx.rank() == 0) {
        set_count(p, ctx.peers.begin, vertex_t(p.source), ONE);
        collect.push(item_t(p.source));
        store_relaxed(control.counters, u64(p.degrees[p.source - ctx.peers.begin]));
      }
      collect.flush();
    }
    s.exchange_due = true;
    s.phase = CHOOSE;
  }

  // Prepares the exchange of the vertices found for the next level.
  GR_DEVICE static void exchange_found(Context& ctx, Control& control, State& s, u64 edges) {
    fold_grid<Sum<u64>>(ctx, edges, control.counters);
    ++s.level;
    s.exchange_due = true;
    s.phase = CHOOSE;
  }

  // After the exchange of a level: how to find the next one.
  GR_DEVICE static Phase way_on(Context& ctx, const Problem& p, State& s) {
    const Levels received = levels_of(ctx, p, s);
    u64 several = 0;
    s.frontier = {0, 0, 0};
    for (i64 device = 0; device < ctx.peers.devices; ++device) {
      const LevelNote note = received.note(device);
      s.frontier.vertices += note.members;
      s.frontier.edges += note.edges;
      several += note.several;
    }
    s.single = several == 0;
    if (s.frontier.vertices == 0) {  // nobody depends on the vertices of the last level
      s.back = true;
      s.deepest = s.level - 1;
      s.level -= 2;
      return BACKWARD;
    }
    s.explored += i64(s.frontier.edges);
    s.seen += i32(s.in.count);
    if (ctx.rank() == 0) {
      store_relaxed(&p.level_starts[s.level + 1], s.seen);
      if (s.level < LEVELS) store_relaxed(&p.level_edges[s.level], i64(s.frontier.edges));
    }
    received.clear_ahead(ctx, s.level);
    return p.directed || i64(s.frontier.edges) > ctx.graph.m - s.explored ? PULL : RECEIVE;
  }

  // Prepares what the next step reads, from the level received: a frontier or, on the way back, the bitmap of a
  // level, which was cleared for other levels.
  GR_DEVICE static void receive(Context& ctx, const Problem& p, State& s) {
    const Levels levels = levels_of(ctx, p, s);
    if (s.back) {
      ctx.show(RECEIVE, s.level + 1, levels.members(ctx.peers.device).count, 0);
      levels.fill_again(ctx, s.level + 1);
      s.phase = BACKWARD;
    } else {
      ctx.show(RECEIVE, s.level, i64(s.frontier.vertices), 0);
      levels.queue(ctx, s);
      s.phase = PUSH;
    }
  }

  // Unvisited vertices look for the level, and count the paths from there.
  GR_DEVICE static void pull(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(PULL, s.level, i64(s.frontier.vertices), i64(s.frontier.edges));
    const Levels levels = levels_of(ctx, p, s);
    const OwnOrListed own{nullptr, ctx.peers.begin, ctx.peers.count()};
    CountPaths paths(ctx, p, control, levels.bits(s.level), s.level + 1, true, s.level == 1 && s.single);
    auto collect = levels.found(ctx, s, s.level + 1, s.seen);
    gather_into<WideSum, HubTiers>(ctx, own, ctx.graph.reverse, paths, collect);
    exchange_found(ctx, control, s, paths.edges);
  }

  // Counts the paths to the vertices that a push found one step earlier.
  GR_DEVICE static void count(Context& ctx, const Problem& p, Control& control, State& s) {
    const Levels levels = levels_of(ctx, p, s);
    auto collect = levels.found(ctx, s, s.level + 1, s.seen);
    if (s.level == 0) {
      FirstLevel first(ctx, p);
      filter_into(ctx, members(ctx.in(s)), first, collect);
      fold_grid<Sum<u64>>(ctx, first.several, &control.counters[1]);
      exchange_found(ctx, control, s, first.edges);
      return;
    }
    CountPaths paths(ctx, p, control, levels.bits(s.level), s.level + 1, false, s.level == 1 && s.single);
    gather_into<WideSum, HubTiers>(ctx, members(ctx.in(s)), ctx.graph.reverse, paths, collect);
    exchange_found(ctx, control, s, paths.edges);
  }

  // On the way back: this device's part of a level, from the divisors received for the level below.
  GR_DEVICE static bool backward(Context& ctx, const Problem& p, State& s) {
    if (s.level <= 0) {  // the source's own score is zero
      ctx.show(BACKWARD, 0, 0, 0);
      return false;
    }
    const Listed<vertex_t> own = own_part(ctx, p, s.level);
    ctx.show(BACKWARD, s.level, own.count, 0);
    const Csr& out_edges = p.directed ? ctx.graph.csr : ctx.graph.reverse;
    const Levels levels = levels_of(ctx, p, s);
    auto collect = levels.changed(ctx, s);
    gather_into<SumPassedUp, LevelTiers>(ctx, own, out_edges, Dependency(ctx, p, levels.bits(s.level + 1)),
                                         collect);
    return exchange_scored(ctx, p, s);
  }

  // The level below, which has its scores by now, sends its shares up.
  GR_DEVICE static void send_up(Context& ctx, const Problem& p, State& s) {
    const Levels levels = levels_of(ctx, p, s);
    i64 vertices = 0;
    for (i64 device = 0; device < ctx.peers.devices; ++device) {
      const Listed<vertex_t> part = levels.members(device);
      vertices += part.count;
      advance_over<TileSchedule<NEVER, NEVER>>(ctx, part, ctx.graph.csr, SendUp(ctx, p, s.level));
      block_sync();  // the next advance's tiles use the block's scratch
    }
    ctx.show(UPWARD, s.level, vertices, load_relaxed(&p.level_edges[s.level + 1]));
    s.phase = SCORE;
  }

  // Makes scores of the sums that this device's part of a level was sent.
  GR_DEVICE static bool take_sums(Context& ctx, const Problem& p, State& s) {
    const Listed<vertex_t> own = own_part(ctx, p, s.level);
    ctx.show(SCORE, s.level, own.count, 0);
    TakeSum take(ctx, p);
    auto collect = levels_of(ctx, p, s).changed(ctx, s);
    filter_into(ctx, own, take, collect);
    return exchange_scored(ctx, p, s);
  }

  GR_DEVICE static Listed<vertex_t> own_part(const Context& ctx, const Problem& p, i32 level) {
    const i32 start = load_relaxed(&p.level_starts[level]);
    return {p.received + ctx.peers.begin + start, load_relaxed(&p.level_starts[level + 1]) - start};
  }

  // A level has its scores; those above zero have been sent.
  GR_DEVICE static bool exchange_scored(Context& ctx, const Problem& p, State& s) {
    if (!Levels::keeps(s.level, s.deepest)) levels_of(ctx, p, s).clear(ctx, s.level);
    s.exchange_due = true;
    s.phase = CHOOSE;
    return s.level > 1;
  }

  // Goes on to the level above.
  GR_DEVICE static Phase way_back(Context& ctx, const Problem& p, State& s) {
    const i32 below = s.level--;
    if (sends_up(ctx, p, below)) return UPWARD;
    return Levels::keeps(below, s.deepest) ? BACKWARD : RECEIVE;
  }

  // True if a level has far fewer edges than the one above. All devices answer alike.
  GR_DEVICE static bool sends_up(const Context& ctx, const Problem& p, i32 level) {
    if (!p.sends_up || level < 2 || level >= LEVELS || !is_plain(ctx.graph.m, level)) return false;
    return DEARER * load_relaxed(&p.level_edges[level]) < load_relaxed(&p.level_edges[level - 1]);
  }
};
