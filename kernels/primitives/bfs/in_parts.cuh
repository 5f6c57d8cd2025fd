// Breadth-first search over several devices (core/several_devices.cuh), by the search of in_step.cuh.
//
// A device finds only its own vertices. In a pull, they look through their in-edges for a parent in the
// frontier. In a push, the device expands the whole frontier, but only along the edges that lead to its own
// vertices. These edges are the lists of ctx.graph.csr here, which has rows for all vertices; ctx.graph.reverse
// has rows for the device's own vertices only.
//
// So labels and predecessors stay on their device, and each vertex is claimed by one device. All that the other
// devices need of a level is the bitmap of the vertices found: one exchange of contiguous words per level. The
// first level is the source's list, of which each device has a part, so the source itself is not exchanged. The
// direction is chosen as on one device (direction.cuh), from what all have received, so all choose alike.
// Options: GR_MARK_PRED, GR_DIRECTION (of enum Direction), GR_COUNT_IN_EDGES (as in in_step.cuh).
#pragma once
#include "core/enactor.cuh"
#include "operators/convert.cuh"
#include "operators/gather.cuh"
#include "operators/pull.cuh"
#include "operators/team_frontier.cuh"
#include "primitives/bfs/depths.cuh"
#include "primitives/bfs/direction.cuh"

struct Problem {
  i32* labels;        // of this device's vertices, from its first: depth, -1 while unvisited
  vertex_t* preds;    // of this device's vertices; or null
  edge_t* degrees;    // of this device's vertices: out-degrees; null if they equal the in-degrees, which the rows give
  u32* bitmaps;       // in the symmetric heap: three frontiers in turn
  i64 bitmap_stride;  // words
  u64* sizes;         // in the symmetric heap: the frontiers' sizes
  i64 source;
  double alpha;
  double beta;
};

constexpr bool MARK_PRED = GR_MARK_PRED;
constexpr bool COUNTS_IN_EDGES = GR_COUNT_IN_EDGES;
constexpr bool BEGINS_WITH_LIST = DIRECTION != PULL_ONLY;  // if so, there are lists by source

// A step's finds: own vertices, under their numbers in the whole graph.
struct Level {
  const Problem& p;
  const Csr& inward;
  Depths depths;
  u32* next;  // frontier
  i32 depth;  // of the vertices found
  u64 found = 0, edges = 0, in_edges = 0;  // found by this thread, the edges out of them and into them
  GR_DEVICE Level(const Context& ctx, const Problem& problem, u32* bits, i32 d)
      : p(problem), inward(ctx.graph.reverse), depths{problem.labels, ctx.peers.begin}, next(bits), depth(d) {}

  GR_DEVICE void add(vertex_t v, edge_t out_edges, vertex_t parent) {
    found += 1;
    edges += u64(out_edges);
    count_in_edges(v);
    if constexpr (MARK_PRED) p.preds[v - depths.first] = parent;
  }
  GR_DEVICE void count_in_edges(vertex_t v) {
    if constexpr (COUNTS_IN_EDGES) in_edges += u64(inward.row(v).length);
  }
  GR_DEVICE edge_t edges_of(vertex_t v) const {
    return p.degrees ? load_constant(&p.degrees[v - depths.first]) : inward.row(v).length;
  }
};

struct Push : EdgeFunctor {
  static constexpr bool WARP_SEARCH = true;
  Level& level;
  GR_DEVICE explicit Push(Level& found) : level(found) {}
  GR_DEVICE IsNew peek(bool asked, vertex_t, vertex_t d, edge_t) {
    return level.depths.looks_new(asked, d);
  }
  GR_DEVICE IsNew visit(bool asked, vertex_t, vertex_t d, edge_t) {
    return level.depths.claim(asked, d, level.depth);
  }
  GR_DEVICE void apply(vertex_t s, vertex_t d, edge_t) {
    bitmap_set(level.next, d);
    level.add(d, level.edges_of(d), s);
  }
};

struct Pull : GatherFunctor {
  static constexpr bool PEEKS = true, EMPTY_LISTS = false;
  using Own = edge_t;  // its out-degree
  Level& level;
  const u32* frontier;
  GR_DEVICE Pull(Level& found, const u32* bits) : level(found), frontier(bits) {}
  GR_DEVICE IsNew wants(vertex_t v) { return level.depths.is_new(v); }
  GR_DEVICE Bit peek(bool asked, vertex_t u, vertex_t, edge_t) {
    return bitmap_holds(asked, frontier, u);  // [D-near-1]
  }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE edge_t own(vertex_t v, edge_t length) const {
    return level.p.degrees ? level.edges_of(v) : length;
  }
  GR_DEVICE bool finish(vertex_t v, edge_t out_edges, const Entry& parent) {
    if (!parent.found()) return true;  // a candidate of the next pull
    *level.depths.at(v) = level.depth;
    level.add(v, out_edges, parent.u);
    if constexpr (WARP == 1) mark(u32(v) / 32, 1u << (u32(v) % 32));
    return false;
  }
  GR_DEVICE void mark(i64 word, u32 bits) { atomic_or(&level.next[word], bits); }
};

enum Phase { BEGIN, PUSH, PULL, TO_QUEUE, EXCHANGE };

struct State : LoopState {
  i32 phase = BEGIN;
  i32 depth = 0;               // of the frontier
  u32 turns = 0;               // of the bitmaps
  bool all_candidates = true;  // no list of pull candidates yet
  bool pulled = false;         // by Beamer's test pull is entered once, as in Gunrock
  Count frontier = {0, 0, 0, 0};  // of all devices
  i64 unreached = 0;           // vertices that no frontier has held
  i64 unexplored = 0;          // edges out of unreached vertices
  i64 open = 0;                // edges into vertices that have not been found, if these are counted
};

GR_DEVICE TeamFrontier frontier_of(const Context& ctx, const Problem& p, State& s) {
  return {ctx.peers, p.bitmaps, p.bitmap_stride, (Count*)p.sizes, s.turns};
}

struct FoundExchange : SeveralDevices {
  GR_DEVICE static bool due(const State& s) { return s.phase != TO_QUEUE; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, State& s) {
    ctx.show(EXCHANGE, s.depth, ctx.peers.count(), 0);
    const u64 candidates = s.phase == PULL ? unpack(load_relaxed(&ctx.tail(s.step)->size)).count : 0;
    frontier_of(ctx, p, s).exchange(ctx, candidates);
  }
};

struct Enactor {
  using Team = FoundExchange;
  using State = ::State;

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    TeamFrontier frontier = frontier_of(ctx, p, s);
    const bool more = choose(ctx, p, frontier, s);
    ctx.show(s.phase == BEGIN && BEGINS_WITH_LIST ? PUSH : s.phase, s.depth, i64(s.frontier.vertices),
             i64(s.frontier.edges));
    if (!more) return false;
    if (s.phase == TO_QUEUE) {
      const Csr& csr = ctx.graph.csr;
      bitmap_to_queue(ctx, s, frontier.bits(), [&](item_t v) { return csr.row(v).length > 0; });
      return true;
    }
    if (s.phase == BEGIN && !BEGINS_WITH_LIST) {
      begin(ctx, p, frontier);
    } else {
      ++s.depth;
      Level level(ctx, p, frontier.next(), s.depth);
      if (s.phase == BEGIN) {
        advance_list<Kind::none>(ctx, s, vertex_t(p.source), Push(level));
        if (ctx.rank() == 0 && ctx.peers.owns(p.source)) level.count_in_edges(vertex_t(p.source));
      } else if (s.phase == PUSH) {
        advance<V>(ctx, s, Push(level));
      } else {
        gather<First, pulling::PullTiers, Kind::plain>(ctx, s, candidates(ctx, s), ctx.graph.reverse,
                                                       Pull(level, frontier.bits()));
        s.all_candidates = false;
      }
      s.unreached -= i64(s.frontier.vertices);
      if (s.phase != BEGIN) s.unexplored -= i64(s.frontier.edges);
      fold_grid<Sum<u64>>(ctx, level.found, &frontier.next_size()->vertices);
      fold_grid<Sum<u64>>(ctx, level.edges, &frontier.next_size()->edges);
      if constexpr (COUNTS_IN_EDGES) fold_grid<Sum<u64>>(ctx, level.in_edges, &frontier.next_size()->in_edges);
      frontier.clear_spare(ctx);
    }
    frontier.turn();
    return true;
  }

 private:
  // The source's owner finds it.
  GR_DEVICE static void begin(Context& ctx, const Problem& p, const TeamFrontier& frontier) {
    if (ctx.rank() != 0 || !ctx.peers.owns(p.source)) return;
    bitmap_set(frontier.next(), vertex_t(p.source));
    const Level source(ctx, p, frontier.next(), 0);
    *frontier.next_size() = {1, u64(source.edges_of(vertex_t(p.source))), 0, 0};
  }

  GR_DEVICE static OwnOrListed candidates(const Context& ctx, const State& s) {
    if (s.all_candidates) return {nullptr, ctx.peers.begin, ctx.peers.count()};
    return {ctx.in(s).queue.items, 0, i64(s.in.count)};
  }

  // Chooses what this step does, by the size of the frontier; false if the frontier is empty.
  GR_DEVICE static bool choose(const Context& ctx, const Problem& p, const TeamFrontier& frontier,
                               State& s) {
    if (s.step == 0) {
      if (BEGINS_WITH_LIST) s.frontier = {1, u64(ctx.graph.csr.row(p.source).length), 0};
      s.unreached = ctx.graph.n;
      s.unexplored = s.open = ctx.graph.m;
      return true;
    }
    if (s.phase == TO_QUEUE) {
      s.phase = PUSH;
      return true;
    }
    const u64 before = s.frontier.vertices;
    s.frontier = frontier.size();
    s.open -= i64(s.frontier.in_edges);
    // A device knows a part of the source's list; but each of its edges has found a vertex, unless it is a loop or a
    // repetition, which only makes a pull look dearer.
    if (BEGINS_WITH_LIST && s.step == 1) s.unexplored -= i64(s.frontier.vertices);
    if (s.frontier.vertices == 0) return false;
    if (s.phase == PULL) {
      if (s.frontier.candidates == 0) return false;
      if (DIRECTION == OPTIMIZED && to_push(ctx, p, s, before)) s.phase = TO_QUEUE;
    } else {
      const bool pull = DIRECTION == PULL_ONLY || (DIRECTION == OPTIMIZED && to_pull(ctx, p, s));
      s.all_candidates = true;  // a list would be of older candidates
      s.pulled = s.pulled || pull;
      s.phase = pull ? PULL : TO_QUEUE;
    }
    return true;
  }

  GR_DEVICE static bool to_pull(const Context& ctx, const Problem& p, const State& s) {
    const i64 edges = i64(s.frontier.edges), others = s.unexplored - edges;
    if (p.alpha != BY_COST) return !s.pulled && is_dense(p.alpha, edges, others);
    if (!s.pulled && ctx.graph.n > CACHED_VERTICES * ctx.peers.devices && is_dense(DENSE_ALPHA, edges, others)) return true;
    return pull_pays({edges, s.unreached - i64(s.frontier.vertices), candidate_edges(s)});
  }
  // By cost, for a device's share.
  GR_DEVICE static bool to_push(const Context& ctx, const Problem& p, const State& s, u64 before) {
    if (p.alpha != BY_COST)
      return is_sparse(p.beta, s.frontier.vertices, ctx.graph.n) && s.frontier.vertices < before;
    const i64 edges = i64(s.frontier.edges), devices = ctx.peers.devices;
    return push_pays(ctx.peers.threads, {edges / devices, i64(s.frontier.candidates) / devices,
                                         candidate_edges(s) / devices});
  }
  // Edges into vertices that have not been found, as in in_step.cuh.
  GR_DEVICE static i64 candidate_edges(const State& s) {
    if (!COUNTS_IN_EDGES) return s.unexplored - i64(s.frontier.edges);
    return s.open < s.unexplored ? s.open : s.unexplored;
  }
};
