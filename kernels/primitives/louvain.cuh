// Communities by modularity: local moving, contraction, level by level. Louvain (Blondel and others, 2008); in
// parallel: Lu and others (2015), Naim and others (2017), nu-Louvain (Sahu, 2024).
//
// A level begins with every vertex in a community of its own. DECIDE: each active vertex of the round finds the
// community of most gain among its own and its neighbours', from the state that the last step left. MOVE: the
// vertices that found a better community go there, and activate their neighbours. No step reads what it writes,
// and all sums are of integers, so communities are the same in every run and on every backend. If all vertices
// decided at once, neighbours would follow each other round for ever. So a round has one of every SHARES
// neighbouring numbers, picked by a hash, and an iteration is SHARES rounds. Of two vertices in one round, each
// alone in its community, the one of larger number goes to the other. When few have moved, communities become
// the vertices of the next level (operators/contraction.cuh), unless this level added too little.
//
// A refining pass goes through levels again, from the graph's own vertices in their present communities, as
// Leiden does (Traag, Waltman and van Eck, 2019). At each of its levels vertices first move as above. Then
// every community is SPLIT: its vertices start alone and join only others within the community. The resulting
// parts are the vertices of the next level, in the communities that they were in. So ever larger parts of
// communities may move to others. If splitting leaves too many parts, communities are UNITEd, and levels go on
// as in the first pass, unless modularity has not risen since the pass before.
//
// GR_LEIDEN goes through levels as Leiden from the first pass on, and more strictly. Parts only grow: a vertex alone
// joins a part of its community that has an edge to it, unless that is a vertex that decides in the same round, and
// whoever is joined stays. So a part is connected, and so is every vertex of every level. When few parts join, each
// community's parts that edges connect within it become one, and these are the answer: communities are connected, and
// what was taken apart had only lost by being together. (Traag's choice among the parts that gain is random; here the
// part of most gain is joined, and whether parts are well connected is not asked.)
//
// Let W be the sum of all weights over both directions (a loop's counted twice), k(v) the sum of v's edges,
// K(c) the sum of the edges of c's vertices, and w(v, c) the sum of the edges between v and c except v's loop.
// Joining c then gains v
//   2 / W^2 * (W * w(v, c) - resolution * k(v) * K(c without v))
// The resolution is `ratio` / 2^`shift`. Compared is the gain times W^2 * 2^shift / 2: an integer, which fits 64 bits
// (GR_WIDE 0) or 128 (1). The constant Potts model (CPM; Traag, Van Dooren and Nesterov, 2011) takes the numbers of
// vertices in place of k and K, and leaves out the first W: then the gain times 2^shift is compared. Either way k is
// called a vertex's strength.
// Options: GR_WIDE, GR_SHARES, GR_REFINES (0 without refining passes), GR_LEIDEN (needs GR_REFINES).
#pragma once
#include "core/enactor.cuh"
#include "math/int128.cuh"
#include "operators/compute.cuh"
#include "operators/contraction.cuh"

#if GR_WIDE
using total_t = i64;  // sums of weights
#else
using total_t = i32;
#endif

struct Problem {
  vertex_t* communities;  // the answer
  vertex_t* levels;       // the communities of each level's vertices, one level after the other
  u64* sizes;             // LEVEL_WORDS for each level, see below; the first set belongs to no level
  vertex_t* joined;       // of each vertex of the level: its community
  vertex_t* wanted;       // of each vertex of the level: the community that it goes to
  u32* active;            // of each vertex of the level: true if a neighbour has moved since it last decided
  total_t* strengths;     // k of each vertex; 0 before
  total_t* totals;        // K of each community
  i32* members;           // of each community
  vertex_t* wholes;       // for each vertex, the community that is split
  vertex_t* firsts;       // for each of those communities, its first part's number in the next level
  edge_t* rooms;          // this and the next six: what contraction needs
  edge_t* room_ends;
  edge_t* place;
  vertex_t* numbers;
  u64* scan_sums;
  vertex_t* long_lists;
  vertex_t* giants;
  edge_t* begins;         // of the rows of odd levels, and of even levels
  edge_t* ends;
  vertex_t* columns;      // three parts of `entries`: rows of even levels, for tables, rows of odd levels
  total_t* sums;
  i64 entries;
  i64 room;               // vertices of a pass that `levels` has room for; the next pass has another such room
  i64 factor;             // by which weights count: W, CPM: 1; 0 if there are none
  i64 strength;           // CPM: of the graph's vertices; else 0: the sum of their edges
  i64 loop_weight;        // of all loops, doubled
  i64 ratio;
  i64 shift;
  u64 enough_low;         // what a level must add to modularity, in the integers of `quality_at`
  u64 enough_high;
  i64 max_levels;         // of a pass
  i64 refinements;        // passes after the first, while they improve the answer
  i64 max_iterations;
  i64 few_moves;          // a level's moving ends after an iteration of n / few_moves moves or fewer
  i64 seed;               // of the order in which neighbouring numbers decide
  double scale;
};

// A level's words in `sizes`: its number of vertices; its loops' weight; the sum of its vertices' strengths
// squared, in four parts (the k-th sums the k-th 32 bits of the squares); where in `levels` the communities of
// the previous level's vertices lie, and their number; and the level's standing: ON_THE_WAY from vertices to
// the answer or, as one of the answer's levels, KEPT: modularity rises from each kept level to the next.
enum { VERTICES, WITHIN, SQUARES, PLACE_OF = SQUARES + 4, SOURCES, STANDING, LEVEL_WORDS };
enum { ON_THE_WAY = 1, KEPT = 2 };
constexpr i64 SHARES = GR_SHARES;
enum Limit { MAX_ITERATIONS, MAX_LEVELS, REFINEMENTS };  // as in the primitive's `limits`

// --- exact gains ----------------------------------------------------------------------------------
#if GR_WIDE
using score_t = Int128;
GR_DEVICE score_t score_of(const Problem& p, total_t weight, total_t strength, total_t total) {
  return shifted(product(u64(p.factor), u64(weight)), u32(p.shift)) -
         product(product(u64(strength), u64(total)), u32(p.ratio));
}
GR_DEVICE score_t least_score() { return {0, u64(1) << 63}; }
GR_DEVICE score_t word_score(u64 low, u64 high) { return {low, high}; }
GR_DEVICE score_t squares_sum(const u64* squares) {
  Int128 sum = {squares[0], 0};
  sum = sum + Int128{squares[1] << 32, squares[1] >> 32};
  sum = sum + Int128{0, squares[2]};
  return sum + Int128{0, squares[3] << 32};
}
GR_DEVICE score_t quality_of(const Problem& p, u64 within, const u64* squares) {
  return shifted(product(u64(p.factor), within), u32(p.shift)) -
         product(squares_sum(squares), u32(p.ratio));
}
#else
using score_t = i64;
GR_DEVICE score_t score_of(const Problem& p, total_t weight, total_t strength, total_t total) {
  return ((p.factor * i64(weight)) << p.shift) - p.ratio * i64(strength) * i64(total);
}
GR_DEVICE score_t least_score() { return greatest<i64>() * -1; }
GR_DEVICE score_t word_score(u64 low, u64) { return i64(low); }
GR_DEVICE score_t quality_of(const Problem& p, u64 within, const u64* squares) {
  return ((p.factor * i64(within)) << p.shift) - p.ratio * i64(squares[0]);
}
#endif

// The modularity, times W^2 * 2^shift, of the communities that are a level's vertices. CPM: twice the quality, times
// 2^shift, less what is the same at all levels.
GR_DEVICE score_t quality_at(const Problem& p, i64 level) {
  const u64* words = p.sizes + level * LEVEL_WORDS;
  u64 squares[4];
  GR_UNROLL
  for (int k = 0; k < 4; ++k) squares[k] = load_relaxed(&words[SQUARES + k]);
  return quality_of(p, load_relaxed(&words[WITHIN]), squares);
}

// Sums of squares that a thread has seen.
struct Squares {
  u64 parts[GR_WIDE ? 4 : 1] = {};
  GR_DEVICE void add(total_t strength) {
#if GR_WIDE
    const Int128 square = product(u64(strength), u64(strength));
    parts[0] += u32(square.low);
    parts[1] += square.low >> 32;
    parts[2] += u32(square.high);
    parts[3] += square.high >> 32;
#else
    parts[0] += u64(i64(strength) * strength);
#endif
  }
  // A part of a step, called by the whole grid.
  GR_DEVICE void fold_into(Context& ctx, u64* target) const {
    for (int k = 0; k < (GR_WIDE ? 4 : 1); ++k) fold_grid<Sum<u64>>(ctx, parts[k], &target[k]);
  }
};

// --- local moving ---------------------------------------------------------------------------------
constexpr vertex_t STAY = -1;

// A community's offer; of equal offers staying is best, then the smallest community.
struct Offer {
  score_t score;
  vertex_t community;  // or STAY
};
struct BestOffer {
  using Value = Offer;
  using Total = Offer;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Offer zero() { return {least_score(), greatest<vertex_t>()}; }
  GR_DEVICE static Offer nothing() { return zero(); }
  GR_DEVICE static void join(Offer& a, const Offer& b) {
    if (a.score < b.score || (a.score == b.score && b.community < a.community)) a = b;
  }
  GR_DEVICE static void add(Offer& total, const Offer& x) { join(total, x); }
  GR_DEVICE static Offer widen(const Offer& x) { return x; }
  GR_DEVICE static void merge(Offer& total, const Offer& x) { join(total, x); }
  GR_DEVICE static Offer exchange(const Offer& x, int distance) {
#if GR_WIDE
    return {{warp_exchange(x.score.low, distance), warp_exchange(x.score.high, distance)},
            warp_exchange(x.community, distance)};
#else
    return {warp_exchange(x.score, distance), warp_exchange(x.community, distance)};
#endif
  }
};

// The vertices of a round: one of every SHARES neighbouring numbers.
struct RoundVertices {
  i64 n;
  i64 count;  // of groups of SHARES
  u32 round, seed;

  GR_DEVICE RoundVertices(i64 vertices, i64 turn, i64 level, i64 order_seed)
      : n(vertices), count((vertices + SHARES - 1) / SHARES), round(u32(turn % SHARES)),
        seed(u32(turn / SHARES) * 0x85ebca6bu + u32(level) * 0xc2b2ae35u + u32(order_seed) * 0x27d4eb2fu) {}
  GR_DEVICE item_t at(i64 group) const {
    u32 h = (u32(group) ^ seed) * 0x9e3779b1u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return item_t(group * SHARES + ((h >> 16) + round) % SHARES);
  }
  GR_DEVICE bool holds(item_t v) const { return v >= 0 && v < n; }
  GR_DEVICE bool has(item_t v) const { return at(v / SHARES) == v; }
};

using Lists = WeightedLists<total_t>;

struct Decide : KeyFunctor {
  struct Own {
    vertex_t community;
    total_t strength;
    bool singleton;
    vertex_t whole;  // the community that it must stay in, or ANY
  };
  static constexpr vertex_t ANY = -1;
  const Problem& p;
  const Lists& lists;
  const RoundVertices& share;
  bool stays_within;
  GR_DEVICE Decide(const Problem& problem, const Lists& rows, const RoundVertices& now, bool within)
      : p(problem), lists(rows), share(now), stays_within(within) {}

  GR_DEVICE bool wants(vertex_t v) {
    if (!share.has(v) || !p.active[v]) return false;
    return !GR_LEIDEN || !stays_within || p.members[p.joined[v]] == 1;
  }
  GR_DEVICE Own own(vertex_t v) {
    const vertex_t community = p.joined[v];
    const bool singleton = p.members[community] == 1;
    return {community, p.strengths[v], singleton, GR_REFINES && stays_within ? p.wholes[v] : ANY};
  }
  GR_DEVICE vertex_t key(vertex_t u) { return p.joined[u]; }
  GR_DEVICE total_t weight(vertex_t u, vertex_t v, edge_t e) {
    return u == v ? total_t(0) : lists.weight(e);
  }
  GR_DEVICE Offer pair(vertex_t, const Own& own, vertex_t community, total_t weight) {
    const bool stays = community == own.community;
    if constexpr (GR_REFINES)  // a part has the number of a vertex of its whole
      if (own.whole != ANY && p.wholes[community] != own.whole) return BestOffer::zero();
    const bool grows = GR_LEIDEN && stays_within && !stays;
    if (own.singleton && (grows || community > own.community) && p.members[community] == 1 && share.has(community))
      return BestOffer::zero();  // that vertex may leave in the same round
    const total_t others = p.totals[community] - (stays ? own.strength : total_t(0));
    return {score_of(p, weight, own.strength, others), stays ? STAY : community};
  }
  GR_DEVICE bool finish(vertex_t v, const Own& own, Offer best) {
    const total_t others = p.totals[own.community] - own.strength;
    BestOffer::join(best, {score_of(p, total_t(0), own.strength, others), STAY});
    p.active[v] = 0;
    p.wanted[v] = best.community;
    return best.community != STAY;
  }
};

// Moves the vertices of the frontier, and activates their neighbours.
struct Move : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  GR_DEVICE explicit Move(const Problem& problem) : p(problem) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t, edge_t) {
    store_relaxed(&p.active[u], 1u);
    return false;
  }
  GR_DEVICE bool finish(vertex_t v, u32) {
    const vertex_t from = p.joined[v], to = p.wanted[v];
    const total_t strength = p.strengths[v];
    p.joined[v] = to;
    atomic_add(&p.totals[from], -strength);
    atomic_add(&p.totals[to], strength);
    atomic_add(&p.members[from], -1);
    atomic_add(&p.members[to], 1);
    return false;
  }
};

#if GR_LEIDEN
#include "primitives/leiden/connect.cuh"
#endif

// The weight of a vertex's entries; a loop counts twice.
struct Weigh : GatherFunctor {
  static constexpr bool PEEKS = true;
  const Problem& p;
  const Lists& lists;
  GR_DEVICE Weigh(const Problem& problem, const Lists& rows) : p(problem), lists(rows) {}
  GR_DEVICE bool peek(vertex_t u, vertex_t v, edge_t e) {
    if (u == v) atomic_add(&p.strengths[v], lists.weight(e));
    return true;
  }
  GR_DEVICE i64 value(vertex_t, edge_t e) { return i64(lists.weight(e)); }
  GR_DEVICE bool finish(vertex_t v, i64 total) {
    atomic_add(&p.strengths[v], total_t(total));  // other threads add its loops, before or after
    return false;
  }
};

// --- the enactor ----------------------------------------------------------------------------------
enum Phase {
  WEIGH, BEGIN, DECIDE, MOVE, SPLIT, SINGLE, CONNECT, UNITE, ROOMS, SCAN, NUMBER, PLACE, COPY, COMBINE, SUM_GIANTS,
  PLACE_GIANTS, REFINE, REGROUP, FLATTEN
};

// How vertices move: from communities of one, which will be contracted; from known communities, to be split; or
// within known communities, whose parts will be contracted or, if too few have joined others, united.
enum class Moving { from_one, from_known, within };
constexpr i64 REFINING = 16;         // from known ones until few_moves times so many stay for one that moves (in
                                     // Leiden's first pass until few_moves do)
constexpr i64 SPLIT_ITERATIONS = 3;  // within known ones in at most so many iterations
constexpr i64 FEW_JOIN = 8;          // of these, until one in so many moves
constexpr i64 FEWEST_JOIN = 16;      // splitting needs at least one move in so many

// Passes over all vertices of a level.
struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = WEIGH;
    Moving moving = Moving::from_one;
    i32 level = 0;
    i32 pass = 0;
    i32 first = 0;        // the pass's first level; its own levels follow
    i32 best_first = 0;   // the first level of the last pass that kept a level
    i32 best = 0;         // the best level of that pass
    bool own_lists = true;  // the level's vertices are the graph's
    i64 n = 0;            // vertices of the level
    i64 turn = 0;         // rounds of the level
    i64 moves = 0;        // in this iteration
    i64 moved = 0;        // in this level
    i64 at = 0;           // where in `levels` the level's communities go
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    ctx.show(s.phase, s.level, s.n, 0);
    switch (s.phase) {
      case WEIGH:
        s.n = ctx.graph.n;
        ctx.show(WEIGH, 0, s.n, ctx.graph.m);
        if (p.factor > 0) weigh(ctx, p, control, s);
        s.phase = p.factor == 0 ? FLATTEN : s.pass > 0 ? REGROUP : BEGIN;
        break;
      case BEGIN:
        if (s.moving == Moving::from_known) {
          clear_communities(ctx, p, s.n);
          s.turn = s.moves = s.moved = 0;
          s.phase = REGROUP;
          break;
        }
        s.phase = begin_level(ctx, p, control, s) ? DECIDE : goes_on(ctx, p, control, s) ? REFINE : FLATTEN;
        break;
      case REFINE:
        refine(ctx, p, control, s);
        s.phase = WEIGH;
        break;
      case REGROUP:
        regroup(ctx, p, s);
        s.phase = s.moving == Moving::from_known ? DECIDE : ROOMS;
        break;
      case SPLIT:
        split(ctx, p, s);
        s.phase = DECIDE;
        break;
#if GR_LEIDEN
      case SINGLE:
        for_each_index(ctx, s.n, [&](i64 v) { p.wanted[v] = vertex_t(v); });
        if (ctx.rank() == 0) store_relaxed(changes(control, s.step + 1), u64(0));
        s.turn = 0;
        s.phase = CONNECT;
        break;
      case CONNECT:
        connect(ctx, p, control, s);
        break;
#endif
      case UNITE:
        unite(ctx, p, s);
        s.phase = REGROUP;
        break;
      case DECIDE: {
        const Lists lists = lists_of(ctx, p, s);
        const RoundVertices share(s.n, s.turn, s.level, p.seed);
        ctx.show(DECIDE, s.level, share.count, 0);
        Decide decide(p, lists, share, s.moving == Moving::within);
        gather_by_key<BestOffer, total_t, Kind::plain>(ctx, s, share, lists, long_lists(p, control),
                                                       tables(p, s.level), decide);
        s.phase = MOVE;
        break;
      }
      case MOVE:
        ctx.show(MOVE, s.level, s.in);
        gather<Or>(ctx, s, members(ctx.in(s)), lists_of(ctx, p, s), Move(p));
        after_move(ctx, p, control, s);
        break;
      case ROOMS:
        room_of_labels(ctx, labels(p, s), lists_of(ctx, p, s));
        s.phase = SCAN;
        break;
      case SCAN:
        sum_labels(ctx, labels(p, s), p.scan_sums);
        s.phase = NUMBER;
        break;
      case NUMBER:
        number_labels(ctx, labels(p, s), p.scan_sums, rows_of(p, ctx.graph.n, s.level + 1),
                      (i64*)&level_words(p, s.level + 1)[VERTICES],
                      [&](i64 community, vertex_t v) { p.strengths[v] = p.totals[community]; });
        s.phase = PLACE;
        break;
      case PLACE:
        place_lists(ctx, labels(p, s), lists_of(ctx, p, s), rows_of(p, ctx.graph.n, s.level + 1),
                    p.place);
        for_each_index(ctx, s.n, [&](i64 v) { p.levels[s.at + v] = p.numbers[p.joined[v]]; });
        if (s.moving == Moving::within) find_first_parts(ctx, p, s);
        if (ctx.rank() == 0) {
          store_relaxed(&level_words(p, s.level + 1)[PLACE_OF], u64(s.at));
          store_relaxed(&level_words(p, s.level + 1)[SOURCES], u64(s.n));
          store_relaxed(&control.counters[0], u64(0));
          store_relaxed(&control.counters[1], u64(0));
        }
        s.phase = COPY;
        break;
      case COPY: {
        const Rows<total_t> rows = rows_of(p, ctx.graph.n, s.level + 1);
        copy_lists(ctx, s, labels(p, s), lists_of(ctx, p, s), rows, p.place, s.own_lists);
        find_lists_for_blocks<total_t>(ctx, next_count(p, s), rows.rooms(),
                                       long_lists(p, control));
        find_giants(ctx, next_count(p, s), rows, giants(p, control));
        s.phase = COMBINE;
        break;
      }
      case COMBINE:
        combine(ctx, p, control, s);
        if (s.moving == Moving::within) take_wholes_up(ctx, p, s);
        if (giants(p, control).found() > 0) s.phase = SUM_GIANTS;
        else next_level(p, s);
        break;
      case SUM_GIANTS:
        ctx.show(SUM_GIANTS, s.level, giants(p, control).found(), 0);
        sum_giants(ctx, next_count(p, s), rows_of(p, ctx.graph.n, s.level + 1), giants(p, control),
                   tables(p, s.level + 1));
        s.phase = PLACE_GIANTS;
        break;
      case PLACE_GIANTS:
        ctx.show(PLACE_GIANTS, s.level, giants(p, control).found(), 0);
        place_giants(ctx, next_count(p, s), rows_of(p, ctx.graph.n, s.level + 1), giants(p, control),
                     tables(p, s.level + 1), &level_words(p, s.level + 1)[WITHIN]);
        next_level(p, s);
        break;
      case FLATTEN:
        ctx.show(FLATTEN, s.level, ctx.graph.n, 0);
        flatten(ctx, p, s);
        if (ctx.rank() == 0) keep_levels(p, s);
        return false;
    }
    return true;
  }

 private:
  GR_DEVICE static u64* level_words(const Problem& p, i64 level) { return p.sizes + level * LEVEL_WORDS; }
  GR_DEVICE static i64 next_count(const Problem& p, const State& s) {
    return i64(load_relaxed(&level_words(p, s.level + 1)[VERTICES]));
  }
  GR_DEVICE static Rows<total_t> rows_of(const Problem& p, i64 n, i64 level) {
    const i64 odd = level % 2;
    return {p.begins + odd * n, p.ends + odd * n, p.room_ends, p.columns + 2 * odd * p.entries,
            p.sums + 2 * odd * p.entries};
  }
  GR_DEVICE static Lists lists_of(const Context& ctx, const Problem& p, const State& s) {
    return s.own_lists ? Lists::of(ctx.graph.csr, p.scale) : rows_of(p, ctx.graph.n, s.level).lists();
  }
  // Two of the three parts: those that do not hold the level's rows.
  GR_DEVICE static KeySlots<total_t> tables(const Problem& p, i64 level) {
    const i64 first = level % 2 ? 0 : p.entries;
    return {p.columns + first, p.sums + first};
  }
  // The level's rows, in their present form or as they were before they were combined.
  GR_DEVICE static BlockLists long_lists(const Problem& p, Control& control) {
    return {p.long_lists, &control.counters[0]};
  }
  GR_DEVICE static Giants giants(const Problem& p, Control& control) {
    return {p.giants, &control.counters[1], p.entries};
  }
  GR_DEVICE static Labels labels(const Problem& p, const State& s) {
    return {s.n, p.joined, p.members, p.rooms, p.numbers};
  }

  GR_DEVICE static void weigh(Context& ctx, const Problem& p, Control& control, const State& s) {
    const Lists lists = lists_of(ctx, p, s);
    if (p.strength > 0) for_each_index(ctx, s.n, [&](i64 v) { p.strengths[v] = total_t(p.strength); });
    else gather<Sum<i64>>(ctx, s, Range{s.n}, lists, Weigh(p, lists));
    if (s.pass > 0) {
      for_each_index(ctx, s.n, [&](i64 v) { p.joined[v] = p.communities[v]; });
      find_lists_for_blocks<total_t>(ctx, s.n, lists, long_lists(p, control));
    }
    if (ctx.rank() == 0 && s.pass == 0) {
      store_relaxed(&level_words(p, 0)[VERTICES], u64(s.n));
      store_relaxed(&level_words(p, 0)[WITHIN], u64(p.loop_weight));
    }
  }

  // Puts every vertex into a community of its own; false after the last level.
  GR_DEVICE static bool begin_level(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.level > 0) {
      const score_t now = quality_at(p, s.level), before = quality_at(p, s.best);
      if (!(before < now)) return false;
      s.best_first = s.first;
      s.best = s.level;
      const bool enough = !(now - before < word_score(p.enough_low, p.enough_high));
      const bool last = s.level - s.first >= p.max_levels;
      if (enough && last) note_limit(ctx, control, MAX_LEVELS);
      if (GR_LEIDEN || !enough || last || s.at + s.n > end_of_room(p, s)) return false;
    }
    s.turn = s.moves = s.moved = 0;
    Squares squares;
    for_each_index(ctx, s.n, [&](i64 v) {
      const total_t strength = p.strengths[v];
      p.joined[v] = vertex_t(v);
      p.totals[v] = strength;
      p.members[v] = 1;
      p.active[v] = 1;
      p.rooms[v] = 0;
      squares.add(strength);
    });
    if (s.level == 0) {
      squares.fold_into(ctx, level_words(p, 0) + SQUARES);
      find_lists_for_blocks<total_t>(ctx, s.n, lists_of(ctx, p, s), long_lists(p, control));
    }
    if constexpr (GR_LEIDEN) s.moving = Moving::from_known;
    return true;
  }

  // Goes on to the next round, the next iteration, or the phase after moving.
  GR_DEVICE static void after_move(const Context& ctx, const Problem& p, Control& control, State& s) {
    s.moves += s.in.count;
    s.phase = DECIDE;
    if (++s.turn % SHARES) return;
    s.moved += s.moves;
    const i64 moves = s.moves;
    s.moves = 0;
    switch (s.moving) {
      case Moving::from_one:
        if (moves * p.few_moves > s.n && !is_last(ctx, p, control, s)) return;
        s.phase = s.moved ? ROOMS : goes_on(ctx, p, control, s) ? REFINE : FLATTEN;
        break;
      case Moving::from_known:
        if (moves * p.few_moves > s.n / (GR_LEIDEN && s.pass == 0 ? 1 : REFINING) && !is_last(ctx, p, control, s)) return;
        s.phase = SPLIT;
        break;
      case Moving::within:
        if (moves * FEW_JOIN > s.n && s.turn < SPLIT_ITERATIONS * SHARES) return;
        s.phase = has_next_parts(p, s) ? ROOMS : GR_LEIDEN ? SINGLE : UNITE;
    }
  }

  // True if a level whose vertices still move has had all of its iterations.
  GR_DEVICE static bool is_last(const Context& ctx, const Problem& p, Control& control, const State& s) {
    if (s.turn < p.max_iterations * SHARES) return false;
    note_limit(ctx, control, MAX_ITERATIONS);
    return true;
  }

  // True if a level of parts is to follow: there are fewer parts, and a level of communities may follow it.
  GR_DEVICE static bool has_next_parts(const Problem& p, const State& s) {
    return s.moved * FEWEST_JOIN > s.n && s.level + 1 - s.first < p.max_levels &&
           s.at + 2 * s.n <= end_of_room(p, s);
  }

  GR_DEVICE static void combine(Context& ctx, const Problem& p, Control& control, const State& s) {
    u64* const words = level_words(p, s.level + 1);
    const i64 count = next_count(p, s);
    combine_rows(ctx, s, count, rows_of(p, ctx.graph.n, s.level + 1),
                 long_lists(p, control), giants(p, control), tables(p, s.level + 1), &words[WITHIN]);
    Squares squares;
    for_each_index(ctx, count, [&](i64 v) { squares.add(p.strengths[v]); });
    squares.fold_into(ctx, words + SQUARES);
  }

  // Goes from contraction to the level that it has made.
  GR_DEVICE static void next_level(const Problem& p, State& s) {
    s.at += s.n;
    s.n = next_count(p, s);
    s.level += 1;
    s.own_lists = false;
    if (s.moving == Moving::within) s.moving = Moving::from_known;
    s.phase = BEGIN;
  }

  // Passes use two rooms in turn, as the best level may belong to the pass before.
  GR_DEVICE static i64 room_of(const Problem& p, const State& s) { return s.pass % 2 * p.room; }
  GR_DEVICE static i64 end_of_room(const Problem& p, const State& s) { return room_of(p, s) + p.room; }

  // True if another pass is worth it: this one has improved the answer.
  GR_DEVICE static bool goes_on(const Context& ctx, const Problem& p, Control& control, const State& s) {
    if (s.best <= s.first) return false;
    if (s.pass < p.refinements) return true;
    if (p.refinements > 0) note_limit(ctx, control, REFINEMENTS);
    return false;
  }

  // Begins another pass, which replaces a level that was not better.
  GR_DEVICE static void refine(Context& ctx, const Problem& p, Control& control, State& s) {
    flatten(ctx, p, s);
    s.n = ctx.graph.n;
    for_each_index(ctx, s.n, [&](i64 v) { p.strengths[v] = 0; });
    clear_communities(ctx, p, s.n);
    for (i64 word = ctx.rank(); word < LEVEL_WORDS; word += ctx.threads())
      level_words(p, s.best + 1)[word] = 0;
    if (ctx.rank() == 0) store_relaxed(&control.counters[0], u64(0));
    s.pass += 1;
    s.level = s.first = s.best;
    s.moving = Moving::from_known;
    s.own_lists = true;
    s.at = room_of(p, s);
    s.turn = s.moves = s.moved = 0;
  }

  // Clears the communities' words, for a level that begins with known communities, before they are counted.
  GR_DEVICE static void clear_communities(Context& ctx, const Problem& p, i64 n) {
    for_each_index(ctx, n, [&](i64 v) {
      p.totals[v] = 0;
      p.members[v] = 0;
      p.rooms[v] = 0;
      p.active[v] = 1;
    });
  }

  // Sums the weights of the communities that vertices are in.
  GR_DEVICE static void regroup(Context& ctx, const Problem& p, const State& s) {
    for_each_index(ctx, s.n, [&](i64 v) {
      const vertex_t community = p.joined[v];
      atomic_add(&p.totals[community], p.strengths[v]);
      atomic_add(&p.members[community], 1);
    });
  }

  // Makes every vertex a part of its own in its community.
  GR_DEVICE static void split(Context& ctx, const Problem& p, State& s) {
    for_each_index(ctx, s.n, [&](i64 v) {
      p.wholes[v] = p.joined[v];
      p.firsts[v] = greatest<vertex_t>();
      p.joined[v] = vertex_t(v);
      p.totals[v] = p.strengths[v];
      p.members[v] = 1;
      p.active[v] = 1;
    });
    s.moving = Moving::within;
    s.turn = s.moves = s.moved = 0;
  }

  // Puts every vertex back into the community that was split (Leiden: into its connected part of it); levels go on
  // from these.
  GR_DEVICE static void unite(Context& ctx, const Problem& p, State& s) {
    for_each_index(ctx, s.n, [&](i64 v) { p.joined[v] = GR_LEIDEN ? p.wanted[v] : p.wholes[v]; });
    clear_communities(ctx, p, s.n);
    s.moving = Moving::from_one;
  }

#if GR_LEIDEN
  // How many vertices have changed in one of three steps in turn.
  GR_DEVICE static u64* changes(Control& control, u32 step) { return &control.counters[2 + step % 3]; }

  // Brings the vertices that edges connect within their community to one number, step by step, and then together.
  GR_DEVICE static void connect(Context& ctx, const Problem& p, Control& control, State& s) {
    if (s.turn++ > 0 && load_relaxed(changes(control, s.step + 2)) == 0) {
      unite(ctx, p, s);
      s.phase = REGROUP;
      return;
    }
    if (ctx.rank() == 0) store_relaxed(changes(control, s.step + 1), u64(0));
    Connect functor(p);
    gather<Least<vertex_t>>(ctx, s, Range{s.n}, lists_of(ctx, p, s), functor);
    fold_grid<Sum<u64>>(ctx, functor.changes, changes(control, s.step));
  }
#endif

  // Finds, for each community, the smallest number of its parts in the next level.
  GR_DEVICE static void find_first_parts(Context& ctx, const Problem& p, const State& s) {
    for_each_index(ctx, s.n, [&](i64 part) {
      if (p.members[part] > 0) atomic_min(&p.firsts[p.wholes[part]], p.numbers[part]);
    });
  }

  // Puts the next level's vertices into the communities that they are parts of. (The contraction, which reads
  // each vertex's part, has copied its lists by then.)
  GR_DEVICE static void take_wholes_up(Context& ctx, const Problem& p, const State& s) {
    for_each_index(ctx, s.n, [&](i64 part) {
      if (p.members[part] > 0) p.joined[p.numbers[part]] = p.firsts[p.wholes[part]];
    });
  }

  // Finds the community of each vertex in the best level.
  GR_DEVICE static void flatten(Context& ctx, const Problem& p, const State& s) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      vertex_t community = vertex_t(v);
      for (i64 level = s.best_first + 1; level <= s.best; ++level)
        community = p.levels[i64(load_relaxed(&level_words(p, level)[PLACE_OF])) + community];
      p.communities[v] = community;
    });
  }

  // Keeps, of the levels on the way to the answer, those with lower modularity than all that follow. (A level
  // of parts may be no better than the one before, since many vertices move at once.)
  GR_DEVICE static void keep_levels(const Problem& p, const State& s) {
    const score_t singleton = quality_at(p, 0);
    score_t least = singleton;
    for (i64 level = s.best; level > s.best_first; --level) {
      const score_t own = quality_at(p, level);
      const bool kept = level == s.best || (singleton < own && own < least);
      if (kept) least = own;
      store_relaxed(&level_words(p, level)[STANDING], u64(kept ? KEPT : ON_THE_WAY));
    }
  }
};
