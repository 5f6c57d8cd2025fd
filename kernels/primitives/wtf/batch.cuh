// Who to follow for many users at once: the stages of pipeline.cuh, in groups of ROW users, one column per user. An
// edge costs one cache line for all users of a group or, if only the circles' edges count, for the users whose
// circles have it.
//
//   BEGIN       clears what the previous group left
//   RANK        power iteration of rows (ppr/rows.cuh); a column keeps its values once it has converged
//   CIRCLE      selection of each column's best, which marks each vertex with the circles that it is in
//   FOLLOWED    a gather over in-edges counts each vertex's followers in every circle, and notes if the user is
//               one; circles are sorted, and begin with their first scores
//   FORWARD     a gather over in-edges: what the followers in each circle pass on
//   BACKWARD    a gather over the circles' out-edges: what the authorities return
//   RECOMMEND   selection of the best scores, which LIST sorts
//
// Scores are added as whole numbers of 2^-62, as in pipeline.cuh, so a user's answer is the same as in a run of its
// own, except for the rounding of ranks and of returned scores.
#pragma once
#define GR_WARP_ROWS 1  // a warp is as wide as a row
#include "operators/select_rows.cuh"
#include "../ppr/rows.cuh"
#include "salsa_unit.cuh"

struct Problem {
  vertex_t* recommendations;  // for each user the best first; -1 after them
  float* scores;              // the scores of the recommendations
  vertex_t* circle;           // for each user, the best first; -1 after them
  u64* clock;                 // five times in ns for each group, as in pipeline.cuh
  const vertex_t* users;      // a row for each group; -1 after the last
  i64 groups;
  rank_t* shares;             // two arrays of n rows, in turn, a row of zeros before each
  double* totals;             // three slots in turn of two rows: L1 changes, dangling ranks
  vertex_t* long_in_lists;
  i32* long_in_count;
  vertex_t* long_out_lists;
  i32* long_out_count;        // as LongLists has them
  u64* marks;                 // of each vertex: the circles that it is in and, above them, the users that it is
  u32* reached;               // of each vertex: true if it has a follower in any circle
  u32* followers;             // n rows: followers in the circle; with EXCLUDED if the user is one
  u64* passed;                // n rows: by a hub along each edge, in units of 2^-62
  double* returned;           // n rows: by an authority along each edge
  float* authority_scores;    // n rows, zero except for candidates
  i32* hubs;                  // a row: members of the circle who follow anyone
  u32* histograms;            // for both selections
  u64* prefixes;
  i64* left;
  vertex_t* picks;
  float* pick_values;
  i32* pick_counts;           // for both selections
  i64 room;                   // picks per column
  double damping;
  double tolerance;
  i64 max_iterations;
  i64 circle_size;
  i64 salsa_iterations;
  i64 wanted;                 // recommendations
};

constexpr u32 EXCLUDED = 0x80000000u;

enum Phase { BEGIN, RANK, CIRCLE, FOLLOWED, FORWARD, BACKWARD, RECOMMEND, LIST };

GR_DEVICE u32 circles_of(const Problem& p, vertex_t v) { return u32(p.marks[v]); }

// Over in-edges: followers are counted, or pass on their scores.
struct FromFollowers : ChosenRowFunctor {
  using Mark = u64;
  const Problem& p;
  bool counts;  // counts followers
  bool last;    // scores are those of the last round
  GR_DEVICE FromFollowers(const Problem& problem, bool first, bool ends)
      : p(problem), counts(first), last(ends) {}

  GR_DEVICE bool wants(vertex_t v) { return counts || p.reached[v] != 0; }
  GR_DEVICE u64 mark(vertex_t u) { return counts ? p.marks[u] : u64(circles_of(p, u)); }
  // A count holds the number of followers who are users above the number of all followers.
  GR_DEVICE u64 value(const Nothing&, vertex_t u, u64 mark, int column) {
    const u64 mine = mark >> column & (u64(1) << ROW | 1);
    return counts || mine == 0 ? mine : p.passed[i64(u) * ROW + column];
  }
  GR_DEVICE void finish(vertex_t v, const Nothing&, const u64 (&totals)[COLUMNS]) {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c) finish_column(v, i64(v) * ROW + column_at(c), totals[c]);
  }

 private:
  GR_DEVICE void finish_column(vertex_t v, i64 at, u64 total) {
    if (counts) {
      p.followers[at] = u32(total) | (total >> ROW ? EXCLUDED : 0u);
      if (u32(total) != 0) store_relaxed(&p.reached[v], 1u);
      return;
    }
    const u32 followers = p.followers[at];
    const double score = double(total) * UNIT;
    if (last) p.authority_scores[at] = followers & EXCLUDED ? 0.0f : float(score);
    else p.returned[at] = followers & ~EXCLUDED ? score / double(followers & ~EXCLUDED) : 0.0;
  }
};

// Over the circles' out-edges: members get back what the vertices they follow return.
struct FromFollowed : ChosenRowFunctor {
  struct Own {
    u32 circles;
    edge_t degree;
  };
  const Problem& p;
  const Csr& csr;
  GR_DEVICE FromFollowed(const Problem& problem, const Csr& edges) : p(problem), csr(edges) {}

  GR_DEVICE bool wants(vertex_t v) { return circles_of(p, v) != 0; }
  GR_DEVICE u32 mark(vertex_t) { return 1; }
  GR_DEVICE Own own(vertex_t v) { return {circles_of(p, v), csr.row(v).length}; }
  GR_DEVICE double value(const Own& own, vertex_t u, u32, int column) {
    return own.circles >> column & 1 ? p.returned[i64(u) * ROW + column] : 0.0;
  }
  GR_DEVICE void finish(vertex_t v, const Own& own, const double (&scores)[COLUMNS]) {
    GR_UNROLL
    for (int c = 0; c < COLUMNS; ++c)
      if (own.degree > 0 && (own.circles >> column_at(c) & 1))
        p.passed[i64(v) * ROW + column_at(c)] = in_units(scores[c] / double(own.degree));
  }
};

// Every step visits all vertices.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    Phase stage = BEGIN;
    u32 group = 0;
    u32 iteration = 0;  // of the ranks
    u32 round = 0;      // of SALSA
    u32 gathers = 0;
    RowSelection select;
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const bool ranks = s.stage == RANK;
    ctx.show(s.stage, ranks ? s.iteration : s.round, ctx.graph.n, ranks ? ctx.graph.m : 0);
    switch (s.stage) {
      case BEGIN: return begin(ctx, p, control, s);
      case RANK: return rank(ctx, p, control, s);
      case CIRCLE:
      case RECOMMEND: return select(ctx, p, s);
      case FOLLOWED: return begin_salsa(ctx, p, control, s);
      case FORWARD: return forward(ctx, p, control, s);
      case BACKWARD: return backward(ctx, p, control, s);
      default: return list(ctx, p, s);
    }
  }

 private:
  GR_DEVICE static const vertex_t* users(const Problem& p, const State& s) {
    return p.users + i64(s.group) * ROW;
  }

  GR_DEVICE static PowerRows power(const Problem& p, const State& s) {
    return {p.shares, p.totals, users(p, s), {p.long_in_lists, p.long_in_count}, nullptr, p.damping,
            p.tolerance, p.max_iterations};
  }

  GR_DEVICE static RowPicks picks(const Problem& p, bool of_ranks) {
    return {p.picks, p.pick_values, p.pick_counts + (of_ranks ? 0 : ROW), p.room};
  }

  GR_DEVICE static bool begin(Context& ctx, const Problem& p, Control& control, State& s) {
    note_time(ctx, p, s, 0);
    const PowerRows ranks = power(p, s);
    if (s.group == 0) {
      ranks.begin(ctx);
      find_long_rows(ctx, ctx.graph.csr, {p.long_out_lists, p.long_out_count});
    }
    const vertex_t* seeds = users(p, s);
    rank_t* shares = ranks.shares_of(ctx, 0);
    for_each_index(ctx, ctx.graph.n * ROW, [&](i64 i) {
      const i64 v = i / ROW;
      const edge_t degree = ctx.graph.csr.row(v).length;
      shares[i] = v == seeds[i % ROW] ? 1 / rank_t(degree > 1 ? degree : 1) : rank_t(0);
      p.authority_scores[i] = 0;
    });
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      p.marks[v] = 0;
      p.reached[v] = 0;
    });
    for_each_index(ctx, 2 * ROW_HISTOGRAM_WORDS, [&](i64 i) { p.histograms[i] = 0; });
    for_each_index(ctx, ROW, [&](i64 column) {
      const vertex_t seed = seeds[column];
      const bool dangling = seed >= 0 && ctx.graph.csr.row(seed).length == 0;
      p.totals[column] = 0;
      p.totals[ROW + column] = dangling ? 1 : 0;
      p.totals[2 * ROW + column] = p.totals[3 * ROW + column] = 0;
      p.hubs[column] = p.pick_counts[column] = p.pick_counts[ROW + column] = 0;
    });
    if (ctx.rank() == 0) store_relaxed(&control.counters[0], u64(0));
    s.iteration = s.round = 0;
    s.stage = RANK;
    return true;
  }

  GR_DEVICE static bool rank(Context& ctx, const Problem& p, Control& control, State& s) {
    const PowerRows ranks = power(p, s);
    if (ranks.done(ctx, control, s.iteration)) {
      note_time(ctx, p, s, 1);
      s.stage = CIRCLE;
      s.select = RowSelection(p.circle_size);
      return select(ctx, p, s);
    }
    ranks.iterate<true>(ctx, control, s.iteration);
    ++s.iteration;
    return true;
  }

  // Selects the best of each column except its user: by ranks the circle, by scores the recommendations.
  GR_DEVICE static bool select(Context& ctx, const Problem& p, State& s) {
    const bool by_rank = s.stage == CIRCLE;
    if (!by_rank && s.select.digits == 0) note_time(ctx, p, s, 3);
    const vertex_t* seeds = users(p, s);
    vertex_t user[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) user[c] = load_constant(&seeds[column_at(c)]);
    const float* values = by_rank ? power(p, s).shares_of(ctx, s.iteration) : p.authority_scores;
    const Csr& csr = ctx.graph.csr;
    auto value = [&](i64 v, int column, int place) {
      const float x = values[v * ROW + column];
      if (v == user[place]) return 0.0f;
      const edge_t degree = by_rank ? csr.row(v).length : 1;
      return degree > 1 ? x * rank_t(degree) : x;
    };
    RowKeys keys;
    const RowSpace space{p.histograms + (by_rank ? 0 : ROW_HISTOGRAM_WORDS), p.prefixes, p.left};
    if (s.select.narrow(ctx, space, ctx.graph.n, value, keys)) return true;
    const RowPicks found = picks(p, by_rank);
    for_each_row(ctx, ctx.graph.n, value, [&](i64 v, int column, int place, float x) {
      if (!keys.takes(place, x, v)) return;
      found.add(column, v, x);
      if (!by_rank) return;
      atomic_add(&p.marks[v], u64(1) << column);
      if (csr.row(v).length > 0) atomic_add(&p.hubs[column], 1);
    });
    if (by_rank)
      for_each_index(ctx, ROW, [&](i64 column) {
        if (seeds[column] >= 0) atomic_add(&p.marks[seeds[column]], u64(1) << (ROW + column));
      });
    s.stage = by_rank ? FOLLOWED : LIST;
    return true;
  }

  // The tickets of a step that gathers; the tickets of the next such step are cleared meanwhile.
  GR_DEVICE static u64* tickets(const Context& ctx, Control& control, State& s) {
    u64* const mine = &control.counters[4 + s.gathers % 2];
    ++s.gathers;
    if (ctx.rank() == 0) store_relaxed(&control.counters[4 + s.gathers % 2], u64(0));
    return mine;
  }

  GR_DEVICE static void over_in_edges(Context& ctx, const Problem& p, Control& control, State& s,
                                      bool counts) {
    FromFollowers functor(p, counts, s.round + 1 == p.salsa_iterations);
    gather_rows<Sum<u64>>(ctx, ctx.graph.reverse, functor, tickets(ctx, control, s),
                          {p.long_in_lists, p.long_in_count});
  }

  // Every hub that follows anyone begins with the same score; a circle's scores sum to 1.
  GR_DEVICE static bool begin_salsa(Context& ctx, const Problem& p, Control& control, State& s) {
    note_time(ctx, p, s, 2);
    picks(p, true).sorted(ctx, [&](int column, i64 place, vertex_t v, float) {
      p.circle[(i64(s.group) * ROW + column) * p.circle_size + place] = v;
      const edge_t degree = ctx.graph.csr.row(v).length;
      const double each = 1.0 / double(p.hubs[column]);
      if (degree > 0) p.passed[i64(v) * ROW + column] = in_units(each / double(degree));
    });
    over_in_edges(ctx, p, control, s, true);
    s.stage = FORWARD;
    return true;
  }

  GR_DEVICE static bool forward(Context& ctx, const Problem& p, Control& control, State& s) {
    over_in_edges(ctx, p, control, s, false);
    ++s.round;
    s.stage = s.round < p.salsa_iterations ? BACKWARD : RECOMMEND;
    s.select = RowSelection(p.wanted);
    return true;
  }

  GR_DEVICE static bool backward(Context& ctx, const Problem& p, Control& control, State& s) {
    FromFollowed functor(p, ctx.graph.csr);
    gather_rows<Sum<double>>(ctx, ctx.graph.csr, functor, tickets(ctx, control, s),
                             {p.long_out_lists, p.long_out_count});
    s.stage = FORWARD;
    return true;
  }

  GR_DEVICE static bool list(Context& ctx, const Problem& p, State& s) {
    picks(p, false).sorted(ctx, [&](int column, i64 place, vertex_t v, float score) {
      const i64 at = (i64(s.group) * ROW + column) * p.wanted + place;
      p.recommendations[at] = v;
      p.scores[at] = score;
    });
    note_time(ctx, p, s, 4);
    ++s.group;
    s.stage = BEGIN;
    return s.group < p.groups;
  }

  GR_DEVICE static void note_time(const Context& ctx, const Problem& p, const State& s, int which) {
    if (ctx.rank() == 0) p.clock[5 * i64(s.group) + which] = clock_ns();
  }
};
