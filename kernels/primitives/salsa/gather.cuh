// SALSA: hubs and authorities by a random walk that goes forward and back. Lempel and Moran (2001); Gunrock,
// section 5.5.
//
// From a hub the walk takes any edge forward, from an authority any edge back. The answer is two such walks,
// seen at every other vertex: one begins evenly at the hubs and is seen there, one at the authorities. Both
// cross the same edges, so each half-step, a gather over all out-lists or all in-lists like PageRank's, moves
// them together as a pair. A vertex keeps its shares, what it passes on along each edge (rank / degree). Nobody
// reads a side that is being written, so there is one array per side.
//
//   hubs' side         authority walk on its way | hub walk, the answer
//   authorities' side  authority walk, the answer | hub walk on its way
//
// GR_SALSA_SEEDS: one walk, seen on both sides. It begins at seeds on the hubs' side and, whenever it comes back
// there, begins again at one of them with some probability.
// Numbers by degree are as in hits.cuh.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE.
#pragma once
#if !GR_SALSA_SEEDS
#define GR_STAGED_BYTES 1280  // per warp: 160 pairs of floats, while its part of a window holds 96 [D-stage-2]
#endif
#include "core/enactor.cuh"
#include "operators/by_degree.cuh"
#include "primitives/pagerank/ranks.cuh"

struct Problem {
  rank_t* hubs;         // the answer
  rank_t* authorities;
  rank_t* hub_shares;   // a Word for each vertex
  rank_t* authority_shares;
  rank_t* restarts;     // GR_SALSA_SEEDS: what each hub gets in every iteration in addition
  double* changes;      // SLOTS in turn: changes made by half-steps, in L1
  vertex_t* long_in_lists;
  i32* long_in_counts;  // as LongLists has them
  vertex_t* long_out_lists;
  i32* long_out_counts;
  double even;          // each hub's first value, without seeds
  double onward;        // with seeds: the chance not to begin again
  double tolerance;
  i64 max_iterations;
  vertex_t* hub_order;  // the vertex of each number, on either side; null if every vertex has its own number
  vertex_t* authority_order;
};

constexpr Shape SHAPE = Shape(GR_LISTS);  // of both sides' lists, so that they share the code
constexpr bool SEEDED = GR_SALSA_SEEDS;

#if GR_SALSA_SEEDS
using Word = rank_t;
using Words = Sum<rank_t>;
GR_DEVICE rank_t hub_of(Word x) { return x; }
GR_DEVICE rank_t authority_of(Word x) { return x; }
#else
using Word = Pair<rank_t>;
using Words = SumPair<rank_t>;
GR_DEVICE rank_t hub_of(const Word& x) { return x.second; }
GR_DEVICE rank_t authority_of(const Word& x) { return x.first; }
#endif
constexpr int CACHED_PREFIX = CACHED_VALUES<Word, SHAPE>;

// A half-step's changes are read by the next two; the step before a slot's own clears it.
constexpr i64 SLOTS = 4;

struct HalfStep : GatherValues<Words, CACHED_PREFIX> {
  static constexpr bool KEEPS_DEGREE = !SEEDED && SHAPE == EVEN_LISTS;
  struct Own {
    rank_t share;   // the share that is part of the answer
    edge_t degree;  // with KEEPS_DEGREE
  };
  const Csr& lists;
  Word* to;
  bool hubs;           // true if hubs are gathered, false for authorities
  bool begins;         // the hubs' walk has not begun yet
  const Problem& p;
  rank_t even;         // each hub's first value
  double change = 0;

  GR_DEVICE HalfStep(Context& ctx, const Csr& csr, const Word* source, Word* target, bool to_hubs,
                     bool first, const Problem& problem)
      : GatherValues(ctx, source, ctx.graph.n), lists(csr), to(target), hubs(to_hubs), begins(first),
        p(problem), even(rank_t(problem.even)) {}

  GR_DEVICE rank_t answer(const Word& x) const { return hubs ? hub_of(x) : authority_of(x); }
  GR_DEVICE Own own(vertex_t v, edge_t length) const {
    if constexpr (!KEEPS_DEGREE) return {answer(to[v]), 0};
    const auto* shares = reinterpret_cast<const rank_t*>(&to[v]);  // of the authorities' walk, then of the hubs' walk
    return {shares[hubs], length};
  }
  GR_DEVICE bool finish(vertex_t v, const Own& own, const typename Words::Total& sum) {
    const rank_t degree = rank_t(KEEPS_DEGREE ? own.degree : lists.row(v).length);
    if (degree == 0) return false;  // no walk comes here
    const Word fresh = share(v, sum, degree);
    change += moved(answer(fresh), own.share, degree);
    to[v] = fresh;
    return false;
  }

 private:
  // The change of v's answer. Wider only because many are added up; wide from the start if lists are short
  // [D-pairs-1].
  GR_DEVICE static double moved(rank_t now, rank_t before, rank_t degree) {
    if constexpr (SHAPE == SHORT_LISTS) return magnitude(double(now) - double(before)) * double(degree);
    else return double(magnitude(now - before) * degree);
  }
#if GR_SALSA_SEEDS
  GR_DEVICE Word share(vertex_t v, double sum, rank_t degree) const {
    return rank_t(hubs ? double(p.restarts[v]) + p.onward * sum : sum) / degree;
  }
#else
  GR_DEVICE Word share(vertex_t, const Pair<double>& sum, rank_t degree) const {
    return {rank_t(sum.first) / degree, (begins ? even : rank_t(sum.second)) / degree};
  }
#endif
};

enum Phase { AUTHORITIES, HUBS, BEGIN };

// All vertices take part in every step: not for a single block.
struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n, half = i64(s.step) - 1;
    if (s.step == 0) {
      ctx.show(BEGIN, 0, n, 0);
      find_long_lists<SHAPE>(ctx, ctx.graph.reverse, in_lists(p));
      find_long_lists<SHAPE>(ctx, ctx.graph.csr, out_lists(p));
      return true;
    }
    // Without seeds the authorities' walk must be on its way before both are.
    const i64 turn = SEEDED ? half : half - 1, iteration = turn / 2;
    const bool begins = turn < 0, hubs = begins || turn % 2 == 1;
    ctx.show(begins ? BEGIN : hubs ? HUBS : AUTHORITIES, iteration, n, ctx.graph.m);
    if (!hubs && is_done(ctx, p, control, iteration, half)) {
      ctx.show(AUTHORITIES, iteration, n, 0);  // no lists: there is nothing left to do
      make_ranks(ctx, p);
      return false;
    }
    if (ctx.rank() == 0) {
      store_relaxed(change(p, half + 1), 0.0);
      store_relaxed(&control.counters[(half + 1) % 3], u64(0));
    }
    Word *of_hubs = (Word*)p.hub_shares, *of_authorities = (Word*)p.authority_shares;
    const Csr& lists = hubs ? ctx.graph.csr : ctx.graph.reverse;
    HalfStep work(ctx, lists, hubs ? of_authorities : of_hubs, hubs ? of_hubs : of_authorities, hubs,
                  begins, p);
    gather<Words, AllLists<SHAPE>>(ctx, s, Range{n}, lists, work,
                                   {&control.counters[half % 3], hubs ? out_lists(p) : in_lists(p)});
    fold_grid<Sum<double>>(ctx, work.change, change(p, half));
    return true;
  }

 private:
  GR_DEVICE static LongLists in_lists(const Problem& p) { return {p.long_in_lists, p.long_in_counts}; }
  GR_DEVICE static LongLists out_lists(const Problem& p) {
    return {p.long_out_lists, p.long_out_counts};
  }
  GR_DEVICE static double* change(const Problem& p, i64 half) { return &p.changes[half % SLOTS]; }

  GR_DEVICE static bool is_done(const Context& ctx, const Problem& p, Control& control, i64 iteration,
                                i64 half) {
    if (iteration > 0 && load_relaxed(change(p, half - 1)) < p.tolerance &&
        load_relaxed(change(p, half - 2)) < p.tolerance)
      return true;
    if (iteration < p.max_iterations) return false;
    note_limit(ctx, control);
    return true;
  }

  GR_DEVICE static void make_ranks(Context& ctx, const Problem& p) {
    const Word *of_hubs = (const Word*)p.hub_shares, *of_authorities = (const Word*)p.authority_shares;
    for_each_index(ctx, ctx.graph.n, [&](i64 row) {
      p.hubs[vertex_of(p.hub_order, row)] = hub_of(of_hubs[row]) * rank_t(ctx.graph.csr.row(row).length);
      p.authorities[vertex_of(p.authority_order, row)] =
          authority_of(of_authorities[row]) * rank_t(ctx.graph.reverse.row(row).length);
    });
  }
};
