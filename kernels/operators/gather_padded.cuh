// Gather over every vertex from a padded copy of the lists (padded_lists.cuh). No row is looked up, so a value waits
// for one load rather than two, and a warp's loads are coalesced [D-padded-1]. Called by PageRank.
//
// Each block takes equally many consecutive vertices, the same in every pass, so that it mostly gathers what it
// has written or gathered before. Longer lists are folded after all others.
//
// A functor is as for AllLists, but for value(u, e): e is always 0.
#pragma once
#include "gather_all.cuh"
#include "padded_lists.cuh"

namespace gunrock {

// The policy. Value: the type of what is gathered.
template <class Value>
struct PaddedTiers {
  static constexpr int WIDTH = PaddedLists<>::WIDTH;
  static constexpr int VERTICES = sizeof(Value) > 4 ? 1 : 2;  // per thread at once, limited by registers

 private:
  // A block's vertices. The vertex of each warp's first thread begins a line of values.
  struct Chunk {
    i64 first;
    u32 count;
    GR_DEVICE explicit Chunk(const Context& ctx) {
      constexpr u32 LINE = 32;
      const u32 n = u32(ctx.graph.n), blocks = u32(ctx.blocks);
      const u32 each = (n / blocks / LINE + 1) * LINE;
      first = i64(each) * ctx.block;
      count = first >= n ? 0 : n - first < each ? u32(n - first) : each;
    }
  };

  struct Quads {
    vertex_t x[VERTICES][WIDTH];
  };

 public:
  PaddedLists<> lists;
  LongLists longer;  // those for which the copy has no room

  // A step of its own, before steps that gather.
  GR_DEVICE void make(Context& ctx, const Csr& whole) const { lists.make<1>(ctx, whole, &longer); }

  // The lists, and this thread's first entries, already being loaded; the gather itself is done by this.
  struct Begun {
    const PaddedTiers& padded;
    int longer_count;
    Quads first;

    template <class Monoid, class C, class F>
    GR_DEVICE void run(Context& ctx, const Range&, const Csr& whole, F& f, C& collect) const {
      padded.template run<Monoid>(ctx, whole, f, collect, longer_count, first);
    }
  };
  // Starts loading a thread's first entries, so that the loads overlap whatever a step looks up before it
  // gathers.
  GR_DEVICE Begun begin(const Context& ctx) const {
    Begun begun{*this, longer.counts[0]};
    const Chunk mine(ctx);
    if (mine.count > 0) load(mine, thread_id(), begun.first);
    return begun;
  }

 private:
  template <class Monoid, class C, class F>
  GR_DEVICE void run(Context& ctx, const Csr& whole, F& f, C& collect, int longer_count, Quads now) const {
    static_assert(!F::PEEKS && !F::NOTIFIES && !F::SPLIT_LOADS, "every entry counts here, and once");
    static_assert(sizeof(Value) == sizeof(typename Monoid::Value), "registers are counted by it");
    const Chunk mine(ctx);
    Quads next;
    for (u32 i = thread_id(); i < mine.count; i += VERTICES * BLOCK) {
      fold_some<Monoid>(ctx, mine, i, f, now, next, collect);
      now = next;
    }
    for (i64 i = i64(thread_id()) * ctx.blocks + ctx.block; i < longer_count; i += ctx.threads())
      fold_longer<Monoid>(ctx, whole, f, longer.vertices[i], collect);
  }

  // Loads the entries of a block's i-th vertex and of its thread's next ones; beyond the last vertex, the first
  // vertex's again, as a conditional load would be waited for.
  GR_DEVICE void load(const Chunk& mine, u32 i, Quads& quads) const {
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      const u32 at = i + p * BLOCK;
      load_four(lists.of(mine.first + (at < mine.count ? at : 0)), quads.x[p]);
    }
  }

  // Folds the block's i-th vertex and this thread's next ones, while the entries of the following ones are
  // loaded.
  template <class Monoid, class F, class C>
  GR_DEVICE void fold_some(Context& ctx, const Chunk& mine, u32 i, F& f, const Quads& now, Quads& next,
                           C& collect) const {
    Value x[VERTICES][WIDTH];
    typename F::Own own[VERTICES];
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      edge_t length = 0;
      GR_UNROLL
      for (int k = 0; k < WIDTH; ++k) length += now.x[p][k] >= 0;
      if (i + p * BLOCK >= mine.count || now.x[p][0] == PaddedLists<>::LONGER) continue;
      own[p] = f.own(vertex_t(mine.first + i + p * BLOCK), length);
      ctx.look_at_edges(length);
    }
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      GR_UNROLL
      for (int k = 0; k < WIDTH; ++k)
        x[p][k] = now.x[p][k] >= 0 ? f.value(now.x[p][k], 0) : Monoid::zero();
    }
    load(mine, i + VERTICES * BLOCK, next);
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      if (i + p * BLOCK >= mine.count || now.x[p][0] == PaddedLists<>::LONGER) continue;
      const vertex_t v = vertex_t(mine.first + i + p * BLOCK);
      Monoid::join(x[p][0], x[p][1]);
      Monoid::join(x[p][2], x[p][3]);
      Monoid::join(x[p][0], x[p][2]);
      gathering::finish(f, v, own[p], Monoid::widen(x[p][0]), collect);
    }
  }

  template <class Monoid, class F, class C>
  GR_DEVICE static void fold_longer(Context& ctx, const Csr& lists, F& f, vertex_t v, C& collect) {
    const Row row = lists.row(v);
    const auto own = f.own(v, row.length);
    auto total = Monoid::nothing();
    fold_part<Monoid, 4>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), total);
    gathering::finish(f, v, own, total, collect);
  }
};

}  // namespace gunrock
