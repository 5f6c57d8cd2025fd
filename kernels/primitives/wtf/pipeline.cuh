// Who to follow (Geil, Wang and Owens 2014, after Gupta and others 2013): personalized PageRank from a user finds
// its circle of trust, the K vertices that rank best. SALSA (Lempel and Moran 2000) goes back and forth between
// these, the hubs, and all whom they follow, the authorities. The best authorities that the user does not follow yet
// are the recommendations.
//
// One enactor runs one stage after the other, so that nothing waits for the host; `clock` records when each began.
//   RANK        power iteration (ppr/iteration.cuh)
//   CIRCLE      selection of the vertices that rank best
//   FOLLOWED    an advance counts followers, and finds the authorities
//   HUBS        the circle's first scores
//   FORWARD     an advance: a hub passes its score on to those whom it follows, in equal parts
//   BACKWARD    a gather: an authority passes its score on to its followers
//   SCORE       the scores of all authorities
//   EXCLUDE     an advance: drops those whom the user follows
//   RECOMMEND   selection of the best, which LIST sorts
// Advances and selections of different stages share their code: one call serves all.
//
// Scores are added as whole numbers of 2^-62, so the order of the atomics makes no difference. Neither does a
// gather's order, as a block has room for all long lists of a circle that it meets. So the answer has the same bits
// in every run if the ranks have.
// Options: GR_LISTS.
#pragma once
#include "operators/filter.cuh"
#include "operators/select.cuh"
#include "../ppr/iteration.cuh"
#include "salsa_unit.cuh"

struct Problem {
  float* scores;             // the answer: of authorities that are not excluded; 0 for all other vertices
  vertex_t* recommendations; // the best authorities, the best first; -1 after them
  vertex_t* circle;          // the user's circle, the best first; -1 after them
  u64* clock;                // five times in ns: when ranks, circle, SALSA and recommendations began; the end
  rank_t* ranks;
  rank_t* shares;            // two arrays of n, in turn
  double* totals;            // three slots in turn of {L1 change, dangling rank}
  u32* seed_bits;            // a bitmap
  double seed_weight;
  vertex_t* long_lists;
  i32* long_counts;          // as LongLists has them
  i32* followers;            // of each vertex, in the circle
  vertex_t* authorities;
  u64* sums;                 // two arrays of n, in turn: scores of authorities, in units of 2^-62
  double* passed;            // by a hub along each edge
  i64* counts;               // by Count; zero before
  u32* histograms;           // for both selections
  i64 user;
  double damping;
  double tolerance;
  i64 max_iterations;
  i64 circle_size;
  i64 salsa_iterations;
  i64 wanted;                // recommendations
};

// Counts for later steps: the members of the circle who follow anyone; all its members, their edges and which
// queue they are in; the authorities. (In the State they would take registers in all steps.)
enum Count { HUBS_COUNTED, MEMBERS, EDGES, TURN, AUTHORITIES };

enum Phase { RANK, BEGIN, CIRCLE, FOLLOWED, HUBS, FORWARD, BACKWARD, SCORE, EXCLUDE, RECOMMEND, LIST };

// What is done with the vertices that a frontier's vertices follow.
struct Follow : EdgeFunctor {
  struct Carry {
    u64 share;
  };
  const Problem& p;
  Phase stage;
  u64* sums;
  GR_DEVICE Follow(const Problem& problem, Phase now, u64* into) : p(problem), stage(now), sums(into) {}

  GR_DEVICE void fetch(vertex_t s, vertex_t, edge_t, Carry& carry) {
    if (stage == FORWARD) carry.share = in_units(p.passed[s]);
  }
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t, Carry&) { return true; }
  // Keeps an authority when it is first met.
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    if (stage == FOLLOWED) return atomic_add(&p.followers[d], 1) == 0;
    if (stage == FORWARD) atomic_add(&sums[d], carry.share);
    else store_relaxed(&p.scores[d], 0.0f);
    return false;
  }
};

struct Backward : GatherFunctor {
  const Problem& p;
  const Csr& csr;
  const u64* sums;
  GR_DEVICE Backward(const Problem& problem, const Csr& edges, const u64* from)
      : p(problem), csr(edges), sums(from) {}
  GR_DEVICE double value(vertex_t d, edge_t) { return double(sums[d]) * UNIT / double(p.followers[d]); }
  GR_DEVICE bool finish(vertex_t v, double score) {
    const edge_t degree = csr.row(v).length;
    p.passed[v] = degree > 0 ? score / double(degree) : 0.0;
    return false;
  }
};

// Most steps visit all vertices.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    Phase stage = BEGIN;
    u32 round = 0;  // of SALSA
    Selection select;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    switch (s.stage) {
      case BEGIN:
      case RANK: return rank(ctx, p, control, s);
      case CIRCLE:
      case RECOMMEND: return select(ctx, p, s);
      case FOLLOWED:
      case FORWARD:
      case EXCLUDE: return follow(ctx, p, s);
      case HUBS: return begin_salsa(ctx, p, s);
      case BACKWARD: return backward(ctx, p, s);
      case SCORE: return score(ctx, p, s);
      default: return list(ctx, p, s);
    }
  }

 private:
  GR_DEVICE static bool rank(Context& ctx, const Problem& p, Control& control, State& s) {
    const PowerIteration power{p.ranks, p.shares, p.totals, {p.long_lists, p.long_counts},
                               {p.seed_bits, p.seed_weight}, p.damping, p.tolerance, p.max_iterations,
                               nullptr};
    if (s.step == 0) {
      note_time(ctx, p, 0);
      ctx.show(BEGIN, 0, ctx.graph.n, 0);
      power.begin(ctx);
      s.stage = RANK;
      return true;
    }
    const i64 iteration = i64(s.step) - 1;
    const bool done = power.done(ctx, control, iteration);
    ctx.show(RANK, iteration, ctx.graph.n, done ? 0 : ctx.graph.m);
    if (!done) {
      power.iterate(ctx, control, s, iteration);
      return true;
    }
    power.make_ranks(ctx, iteration);
    s.stage = CIRCLE;
    s.select = Selection(p.circle_size);
    return true;
  }

  // Puts the best of all vertices except the user into the next frontier: by ranks the circle, by scores the
  // recommendations.
  GR_DEVICE static bool select(Context& ctx, const Problem& p, State& s) {
    const bool by_rank = s.stage == CIRCLE;
    if (by_rank && s.select.digits == 0) note_time(ctx, p, 1);
    ctx.show(s.stage, s.select.digits, ctx.graph.n, 0);
    const float* values = by_rank ? p.ranks : p.scores;
    auto value = [&](i64 v) { return v == p.user ? 0.0f : values[v]; };
    u32* histograms = p.histograms + (by_rank ? 0 : HISTOGRAM_WORDS);
    if (s.select.narrow(ctx, histograms, ctx.graph.n, value)) return true;
    filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr,
              Where([&](item_t v) { return s.select.takes(value(v), v); }));
    s.stage = by_rank ? FOLLOWED : LIST;
    return true;
  }

  // The circle as a frontier; known from the step after FOLLOWED on.
  GR_DEVICE static Size circle_frontier(const Problem& p) {
    return {u32(p.counts[MEMBERS]), u64(p.counts[EDGES])};
  }

  GR_DEVICE static bool follow(Context& ctx, const Problem& p, State& s) {
    // From the circle, which is still where it was selected, or from the user.
    const bool kept = s.stage == FORWARD;
    const Size size = kept ? circle_frontier(p) : s.in;
    const u32 turn = kept ? u32(p.counts[TURN]) : s.step;
    ctx.show(s.stage, s.round, size);
    u64* sums = p.sums + (s.round % 2) * ctx.graph.n;
    advance<V, V>(ctx, ctx.kept(turn, size), ctx.out(s), ctx.graph.csr, Follow(p, s.stage, sums));
    if (s.stage == FOLLOWED) {
      note_time(ctx, p, 2);
      note_circle(ctx, p, s);
      s.stage = HUBS;
    } else if (s.stage == FORWARD) {
      s.stage = s.round + 1 < p.salsa_iterations ? BACKWARD : SCORE;
    } else {
      s.stage = RECOMMEND;
      s.select = Selection(p.wanted);
    }
    return true;
  }

  // Records the circle, sorted, and the number of its members who follow anyone.
  GR_DEVICE static void note_circle(Context& ctx, const Problem& p, State& s) {
    if (ctx.rank() == 0) {
      p.counts[MEMBERS] = i64(s.in.count);
      p.counts[EDGES] = i64(s.in.edges);
      p.counts[TURN] = i64(s.step);
    }
    rank_items(ctx, members(ctx.in(s)), [&](i64 v) { return p.ranks[v]; },
               [&](i64 place, i64 v) { p.circle[place] = vertex_t(v); });
    i64 hubs = 0;
    compute(ctx, s, [&](item_t v) { hubs += ctx.graph.csr.row(v).length > 0; });
    fold_grid<Sum<i64>>(ctx, hubs, &p.counts[HUBS_COUNTED]);
  }

  // Every hub that follows anyone begins with the same score, and these sum to 1.
  GR_DEVICE static bool begin_salsa(Context& ctx, const Problem& p, State& s) {
    ctx.show(HUBS, 0, s.in);
    if (ctx.rank() == 0) p.counts[AUTHORITIES] = i64(s.in.count);
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t v) { p.authorities[i] = vertex_t(v); });
    const double each = 1.0 / double(p.counts[HUBS_COUNTED]);
    for_each_index(ctx, p.counts[MEMBERS], [&](i64 i) {
      const edge_t degree = ctx.graph.csr.row(p.circle[i]).length;
      if (degree > 0) p.passed[p.circle[i]] = each / double(degree);
    });
    s.stage = FORWARD;
    return true;
  }

  GR_DEVICE static bool backward(Context& ctx, const Problem& p, State& s) {
    ctx.show(BACKWARD, s.round, circle_frontier(p));
    // The circle has at most as many vertices as a block has threads, so one block would walk all of it
    // [D-spread-1].
    gather<Sum<double>, SpreadTiers>(ctx, s, Listed<vertex_t>{p.circle, p.counts[MEMBERS]}, ctx.graph.csr,
                                     Backward(p, ctx.graph.csr, p.sums + (s.round % 2) * ctx.graph.n));
    ++s.round;
    u64* next = p.sums + (s.round % 2) * ctx.graph.n;
    for_each_index(ctx, p.counts[AUTHORITIES], [&](i64 i) { next[p.authorities[i]] = 0; });
    s.stage = FORWARD;
    return true;
  }

  GR_DEVICE static bool score(Context& ctx, const Problem& p, State& s) {
    note_time(ctx, p, 3);
    ctx.show(SCORE, s.round, p.counts[AUTHORITIES], 0);
    const u64* sums = p.sums + (s.round % 2) * ctx.graph.n;
    for_each_index(ctx, p.counts[AUTHORITIES], [&](i64 i) {
      const vertex_t v = p.authorities[i];
      p.scores[v] = float(double(sums[v]) * UNIT);
    });
    seed<V>(ctx, s, item_t(p.user));
    s.stage = EXCLUDE;
    return true;
  }

  GR_DEVICE static bool list(Context& ctx, const Problem& p, State& s) {
    ctx.show(LIST, 0, i64(s.in.count), 0);
    rank_items(ctx, members(ctx.in(s)), [&](i64 v) { return p.scores[v]; },
               [&](i64 place, i64 v) { p.recommendations[place] = vertex_t(v); });
    if (ctx.rank() == 0) p.scores[p.user] = 0;
    note_time(ctx, p, 4);
    return false;
  }

  GR_DEVICE static void note_time(const Context& ctx, const Problem& p, int which) {
    if (ctx.rank() == 0) p.clock[which] = clock_ns();
  }
};
