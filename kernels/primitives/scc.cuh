// Strongly connected components: sets of vertices that reach each other.
//
// By signatures, as ECL-SCC (Alabandi, Sands, Biros and Burtscher, 2023). Every vertex has a key, a random number. Its
// signature is the least key of all vertices that reach it (`in`) and of all that it reaches (`out`). If both are the
// same key, that vertex is in its component; and vertices of one component have the same signature. So signatures
// spread until nothing changes, components whose keys are found leave, and the others go on in groups of the same
// signature, with edges between groups left out, until none is left. A vertex without an edge from its group, or to
// it, is a component by itself.
//   - A signature says that somebody reaches, or is reached, at any time; so steps read what they write, and the key
//     that a vertex has found leads on to what that vertex has found. So long ways need few steps.
//   - Once few signatures change in a step, those that have changed are passed on from a frontier, one direction after
//     the other, and the other vertices rest. Every so many steps all look again, so that long ways stay short.
//   - The least key belongs to a vertex of many edges, the pivot, which is probably in a giant component. At first only
//     this key spreads, and a list is left at the first entry that has it.
//   - Groups are told apart by a hash: if two have the same, they are told apart in a later round.
#pragma once
#include "core/enactor.cuh"
#include "math/hash.cuh"
#include "operators/compute.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"

struct Problem {
  vertex_t* components;  // a vertex of each vertex's component; NOBODY before
  u64* in;               // of each vertex, its group and the least key of those that reach it
  u64* out;              // ... and of those that it reaches
  u64* pivot;            // below the complement of its lesser degree; ~0 before
  item_t* open;          // two lists in turn: vertices whose components are not known
};

constexpr vertex_t NOBODY = -1;

// A group above a key, in one word.
constexpr u32 NO_KEY = ~u32(0);  // greater than any key
constexpr u64 CLOSED = ~u64(0);  // of a vertex whose component is known: in no group
GR_DEVICE u64 word_of(u32 group, u32 key) { return u64(group) << 32 | key; }
GR_DEVICE u32 group_of(u64 word) { return u32(word >> 32); }
GR_DEVICE u32 key_of(u64 word) { return u32(word); }
constexpr u64 REACHED = 0;  // in the first group, with the pivot's key
// The group of a signature: neither the first group, 0, nor that of CLOSED.
GR_DEVICE u32 next_group(u32 in, u32 out) { return (scramble(in ^ scramble(out)) & 0x7fffffffu) | 1u; }

// Keys: random, 0 for the pivot, and another for each vertex; none is NO_KEY, which an odd number becomes.
struct Keys {
  vertex_t pivot;
  GR_DEVICE u32 of(vertex_t v) const { return scramble(2 * u32(v ^ pivot)); }
  GR_DEVICE vertex_t vertex(u32 key) const { return vertex_t(unscramble(key) / 2) ^ pivot; }
};

// Passes the pivot's key on from the pivot itself.
struct Seed : EdgeFunctor {
  u64* words;
  GR_DEVICE explicit Seed(u64* to) : words(to) {}
  GR_DEVICE bool peek(vertex_t, vertex_t u, edge_t) { return load_relaxed(&words[u]) != CLOSED; }
  GR_DEVICE bool visit(vertex_t, vertex_t u, edge_t) {
    store_relaxed(&words[u], REACHED);
    return false;
  }
};

// Finds a neighbour that the pivot's key has reached.
struct Reach : GatherFunctor {
  static constexpr bool PEEKS = true;
  static constexpr bool EMPTY_LISTS = false;
  u64* words;
  u64 found = 0;
  GR_DEVICE explicit Reach(u64* of) : words(of) {}
  GR_DEVICE bool wants(vertex_t v) { return key_of(load_relaxed(&words[v])) - 1 < NO_KEY - 1; }
  GR_DEVICE bool peek(vertex_t u, vertex_t, edge_t) { return load_relaxed(&words[u]) == REACHED; }
  GR_DEVICE Entry value(vertex_t u, edge_t e) { return {u, e}; }
  GR_DEVICE bool finish(vertex_t v, const Entry& entry) {
    if (!entry.found()) return false;
    store_relaxed(&words[v], REACHED);
    ++found;
    return false;
  }
};

// Finds the least key among the neighbours of the same group.
struct Spread : GatherFunctor {
  static constexpr bool FOLDS = true;
  using Own = u64;
  vertex_t* components;
  u64* words;
  const u64* others;  // of the other direction
  Keys keys;
  u64 changes = 0;
  GR_DEVICE Spread(const Problem& p, u64* of, const u64* other, const Keys& all)
      : components(p.components), words(of), others(other), keys(all) {}

  GR_DEVICE bool wants(vertex_t v) {
    const u64 word = load_relaxed(&words[v]);
    if (word == CLOSED || key_of(word) == 0) return false;  // nothing is less than the pivot's key
    if (load_relaxed(&others[v]) != CLOSED) return true;
    store_relaxed(&words[v], CLOSED);
    return false;
  }
  template <int BATCH>
  GR_DEVICE void fold(vertex_t v, const vertex_t (&u)[BATCH], u32& least) {
    u64 word[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) word[k] = load_relaxed_if(u[k] >= 0 && u[k] != v, &words[u[k]], CLOSED);
    const u32 group = group_of(load_cached(&words[v]));  // a group changes only between steps that spread
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (group_of(word[k]) == group && key_of(word[k]) < least) least = key_of(word[k]);
  }
  GR_DEVICE u64 own(vertex_t v, edge_t) { return load_relaxed(&words[v]); }
  GR_DEVICE bool finish(vertex_t v, u64 own, u32 least) {
    if (least == NO_KEY) {  // none of its group is next to it in this direction
      store_relaxed(&components[v], v);
      store_relaxed(&words[v], CLOSED);
      return false;
    }
    if (key_of(own) < least) least = key_of(own);
    const u64 beyond = load_relaxed(&words[keys.vertex(least)]);
    if (group_of(beyond) == group_of(own) && key_of(beyond) < least) least = key_of(beyond);
    if (least == key_of(own)) return false;
    store_relaxed(&words[v], word_of(group_of(own), least));
    ++changes;
    return true;
  }
};

// Passes a key that has become less on to neighbours of the same group.
struct Pass : EdgeFunctor {
  u64* words;
  GR_DEVICE explicit Pass(u64* of) : words(of) {}
  GR_DEVICE bool peek(vertex_t v, vertex_t u, edge_t) {
    const u64 mine = load_relaxed(&words[v]), other = load_relaxed(&words[u]);
    return group_of(mine) == group_of(other) && mine < other;
  }
  GR_DEVICE bool visit(vertex_t v, vertex_t u, edge_t) {
    const u64 mine = load_relaxed(&words[v]);  // its group, and u's, stay what they are
    return mine < atomic_min(&words[u], mine);
  }
};

// Few vertices are open, so their lists are shared out among all warps, and eight lanes take all but short ones.
using OpenTiers = Tiers<8, 1024, 4, 1, 128>;
using ReachTiers = Tiers<8, 1024, 4, 1>;

enum Phase { LOOK, MARK, SEED, REACH, LIST, SPREAD, SWEEP, PASS_ON, SETTLE };

struct Enactor {
  struct State : LoopState {  // the same in every thread
    i32 phase = LOOK;
    i32 round = 0;
    Keys keys = {0};
    u32 turn = 0;         // of the lists of open vertices
    i64 open = 0;
    bool outward = false;  // the direction of a sweep, and of what follows it: of `out`
  };

  GR_DEVICE static bool fits_block(const State& s) {
    return s.phase == PASS_ON && s.in.count > 0 && s.round < PASSES;
  }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const i64 n = ctx.graph.n;
    // Counts of three steps in turn: some threads still read one while others clear the next but one.
    u64* const count = &control.counters[s.step % 3];
    const u64 counted = load_relaxed(&control.counters[(s.step + 2) % 3]);
    if (ctx.rank() == 0) store_relaxed(&control.counters[(s.step + 1) % 3], u64(0));
    if (s.phase == REACH && s.round > 0 && counted * FEW < u64(n)) s.phase = LIST;
    if (s.phase == SPREAD) {
      if (s.round == 0) take(s);  // those that were listed
      else if (counted == 0) s.phase = SETTLE;
      else if (i64(counted * FEW) < s.open) begin_sweep(s, false);
      if (s.open == 0) return false;
    } else if (s.phase == PASS_ON) {
      if (s.in.count > 0) s.phase = s.round < PASSES ? PASS_ON : SWEEP;
      else if (s.outward) s.phase = SETTLE;
      else begin_sweep(s, true);
    }
    switch (s.phase) {
      case LOOK:
        if (n == 0) return false;
        ctx.show(LOOK, 0, n, 0);
        look(ctx, p);
        s.phase = MARK;
        break;
      case MARK:
        s.keys.pivot = vertex_t(u32(load_relaxed(p.pivot)));
        ctx.show(MARK, 0, n, 0);
        mark(ctx, p, s.keys);
        s.phase = SEED;
        break;
      case SEED:
        ctx.show(SEED, 0, 1, 0);
        seed_from(ctx, p, s);
        s.phase = REACH;
        s.round = 0;
        break;
      case REACH:
        ctx.show(REACH, s.round++, n, ctx.graph.m);
        reach(ctx, p, s, count);
        break;
      case LIST:
        ctx.show(LIST, 0, n, 0);
        list(ctx, p, s);
        s.phase = SPREAD;
        s.round = 0;
        break;
      case SPREAD:
        ctx.show(SPREAD, s.round++, s.open, 0);
        spread(ctx, p, s, count);
        break;
      case SWEEP:
        ctx.show(SWEEP, s.outward, s.open, 0);
        sweep(ctx, p, s);
        s.phase = PASS_ON;
        s.round = 0;
        break;
      case PASS_ON:
        ctx.show(PASS_ON, s.round++, s.in);
        advance<V, V>(ctx, s, s.outward ? ctx.graph.reverse : ctx.graph.csr, Pass(s.outward ? p.out : p.in));
        break;
      case SETTLE:
        ctx.show(SETTLE, 0, s.open, 0);
        settle(ctx, p, s);
        s.phase = SPREAD;
        s.round = 0;
    }
    return true;
  }

 private:
  // The pivot's key spreads alone while a step brings it to one vertex in so many; and all look on while a step
  // changes one signature of so many.
  static constexpr u64 FEW = 32;
  static constexpr i32 PASSES = 16;  // steps from a frontier before all look again

  GR_DEVICE static void take(State& s) {
    ++s.turn;
    s.open = i64(s.in.count);
  }
  GR_DEVICE static void begin_sweep(State& s, bool outward) {
    s.phase = SWEEP;
    s.outward = outward;
  }

  // The list of open vertices, and the next one.
  GR_DEVICE static item_t* list_of(const Context& ctx, const Problem& p, u32 turn) {
    return p.open + (turn % 2) * ctx.graph.n;
  }
  GR_DEVICE static Listed<item_t> open(const Context& ctx, const Problem& p, const State& s) {
    return {list_of(ctx, p, s.turn), s.open};
  }
  GR_DEVICE static NextFrontier next_open(const Context& ctx, const Problem& p, const State& s) {
    return {{list_of(ctx, p, s.turn + 1), nullptr, nullptr, u64(ctx.graph.n)}, ctx.tail(s.step + 1)};
  }

  // Finds the vertex whose lesser degree is the greatest.
  GR_DEVICE static void look(Context& ctx, const Problem& p) {
    u64 best = ArgMin::zero();
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const edge_t to = ctx.graph.csr.row(v).length, from = ctx.graph.reverse.row(v).length;
      ArgMin::join(best, keyed(~u32(to < from ? to : from), u32(v)));
    });
    fold_grid<ArgMin>(ctx, best, p.pivot);
  }

  // Gives every vertex its key, except those that no edge enters or leaves.
  GR_DEVICE static void mark(Context& ctx, const Problem& p, const Keys& keys) {
    for_each_index(ctx, ctx.graph.n, [&](i64 v) {
      const bool alone = ctx.graph.csr.row(v).length == 0 || ctx.graph.reverse.row(v).length == 0;
      const u64 word = alone ? CLOSED : word_of(0, keys.of(vertex_t(v)));
      p.in[v] = p.out[v] = word;
      if (alone) p.components[v] = vertex_t(v);
    });
  }

  GR_DEVICE static void seed_from(Context& ctx, const Problem& p, const State& s) {
    advance_list<Kind::none>(ctx, s, ctx.graph.csr, s.keys.pivot, Seed(p.in));
    block_sync();
    advance_list<Kind::none>(ctx, s, ctx.graph.reverse, s.keys.pivot, Seed(p.out));
  }

  GR_DEVICE static void reach(Context& ctx, const Problem& p, const State& s, u64* count) {
    u64 found = 0;
    for (int outward = 0; outward < 2; ++outward) {
      Reach f(outward ? p.out : p.in);
      gather<First, ReachTiers>(ctx, s, Range{ctx.graph.n}, outward ? ctx.graph.csr : ctx.graph.reverse, f);
      found += f.found;
    }
    fold_grid<Sum<u64>>(ctx, found, count);
  }

  // Lists the open vertices that the pivot's key has not reached both ways. Those that it has are of its component, but
  // keep their words, which others may still have to find.
  GR_DEVICE static void list(Context& ctx, const Problem& p, const State& s) {
    auto outside = Where([&](item_t v) {
      const u64 in = p.in[v], out = p.out[v];
      if (in == REACHED && out == REACHED) p.components[v] = s.keys.pivot;
      return in != CLOSED && (in != REACHED || out != REACHED);
    });
    filter<Kind::plain>(ctx, Range{ctx.graph.n}, next_open(ctx, p, s), ctx.graph.csr, outside);
  }

  // All open vertices look at their neighbours.
  GR_DEVICE static void spread(Context& ctx, const Problem& p, const State& s, u64* count) {
    u64 changes = 0;
    for (int outward = 0; outward < 2; ++outward) {
      Spread f = spread_of(p, s, outward == 1);
      gather<Least<u32>, OpenTiers>(ctx, s, open(ctx, p, s), outward ? ctx.graph.csr : ctx.graph.reverse, f);
      changes += f.changes;
    }
    fold_grid<Sum<u64>>(ctx, changes, count);
  }
  GR_DEVICE static Spread spread_of(const Problem& p, const State& s, bool outward) {
    return {p, outward ? p.out : p.in, outward ? p.in : p.out, s.keys};
  }

  // They look in one direction; those that change are a frontier.
  GR_DEVICE static void sweep(Context& ctx, const Problem& p, const State& s) {
    const Csr &from = s.outward ? ctx.graph.csr : ctx.graph.reverse, &to = s.outward ? ctx.graph.reverse : ctx.graph.csr;
    Spread f = spread_of(p, s, s.outward);
    Collector<V> changed(ctx, ctx.out(s), to);
    gather_into<Least<u32>, OpenTiers>(ctx, open(ctx, p, s), from, f, changed);
  }

  // Closes the components whose keys have been found, and begins a round with the other vertices.
  GR_DEVICE static void settle(Context& ctx, const Problem& p, const State& s) {
    auto goes_on = Where([&](item_t v) {
      const u64 in = p.in[v], out = p.out[v];
      const bool alone = in == CLOSED || out == CLOSED;
      const bool found = alone || key_of(in) == key_of(out);
      if (found && !alone) p.components[v] = s.keys.vertex(key_of(in));
      p.in[v] = p.out[v] =
          found ? CLOSED : word_of(next_group(key_of(in), key_of(out)), s.keys.of(vertex_t(v)));
      return !found;
    });
    filter<Kind::plain>(ctx, open(ctx, p, s), next_open(ctx, p, s), ctx.graph.csr, goes_on);
  }
};
