// Gather over every vertex where next to all lists have at most four entries: a copy of the lists, padded to four
// each, that one 16-byte load per list brings [D-padded-1]. Where a list begins is not looked up, so a value waits for
// one load, not two, and the loads of a warp are coalesced. It is made from the lists in a step before.
//
// Blocks take as many consecutive vertices each, the same in every pass: what a block gathers is for the most part
// what it wrote or has gathered before. Longer lists are remembered, and folded when all others are.
//
// A functor is as for AllLists, but that
//   value(u, e)      is not told e (0)
//   own(v, length)   is told how long v's list is, where OWN_BY_LENGTH says so
#pragma once
#include "gather_all.cuh"

namespace gunrock {

// Value: of what is gathered.
template <class Value>
struct PaddedLists {
  static constexpr int WIDTH = 4;                             // entries that every list has room for
  static constexpr int VERTICES = sizeof(Value) > 4 ? 1 : 2;  // of a thread at once: registers for them
  static constexpr vertex_t NONE = -1, LONGER = -2;

  vertex_t* entries;  // WIDTH of each vertex, NONE behind the last; the first LONGER where there are more

  // A step before those that gather.
  GR_DEVICE void make(Context& ctx, const Csr& lists) const {
    const Chunk mine(ctx);
    for (u32 i = thread_id(); i < mine.count; i += BLOCK) {
      const i64 v = mine.first + i;
      const Row row = lists.row(v);
      GR_UNROLL
      for (int k = 0; k < WIDTH; ++k) {
        const vertex_t entry = k < row.length ? lists.neighbor(row.begin + k) : NONE;
        entries[WIDTH * v + k] = row.length <= WIDTH ? entry : k == 0 ? LONGER : NONE;
      }
    }
  }

  template <class Monoid, class C, class F>
  GR_DEVICE void run(Context& ctx, const Range&, const Csr& lists, F& f, C& collect) const {
    static_assert(!F::PEEKS && !F::NOTIFIES && !F::TWO_PLACES, "every entry counts here, and once");
    static_assert(sizeof(Value) == sizeof(typename Monoid::Value), "registers are counted by it");
    item_t* const later = ctx.shared.as<item_t[MOST_REMEMBERED]>();
    if (thread_id() == 0) ctx.shared.remembered = 0;
    block_sync();
    const Chunk mine(ctx);
    Quads now, next;
    if (mine.count > 0) load(mine, thread_id(), now);
    for (u32 i = thread_id(); i < mine.count; i += VERTICES * BLOCK) {
      fold_some<Monoid>(ctx, mine, i, f, now, next, later, collect);
      GR_UNROLL
      for (int p = 0; p < VERTICES; ++p) {
        GR_UNROLL
        for (int k = 0; k < WIDTH; ++k) now.x[p][k] = next.x[p][k];
      }
    }
    block_sync();
    const u32 found = u32(ctx.shared.remembered);
    const bool known = found <= MOST_REMEMBERED;  // else all are looked through once more
    for (u32 k = thread_id(); k < (known ? found : mine.count); k += BLOCK) {
      const i64 v = known ? i64(later[k]) : mine.first + k;
      if (known || entries[WIDTH * v] == LONGER) fold_longer<Monoid>(ctx, lists, f, vertex_t(v), collect);
    }
    block_sync();  // before the scratch is another's
  }

 private:
  static constexpr u32 MOST_REMEMBERED = PASS;

  // The vertices of a block. Those of a warp's first thread begin a line of values.
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

  // Those of the i-th vertex of a block and the next ones of its thread; behind the last, of the first once more: a
  // load under a condition would be waited for.
  GR_DEVICE void load(const Chunk& mine, u32 i, Quads& quads) const {
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      const u32 at = i + p * BLOCK;
      load_four(&entries[WIDTH * (mine.first + (at < mine.count ? at : 0))], quads.x[p]);
    }
  }

  // The i-th vertex of the block and the next ones of this thread; the entries of those behind come meanwhile.
  template <class Monoid, class F, class C>
  GR_DEVICE void fold_some(Context& ctx, const Chunk& mine, u32 i, F& f, const Quads& now, Quads& next,
                           item_t* later, C& collect) const {
    Value x[VERTICES][WIDTH];
    typename F::Own own[VERTICES];
    GR_UNROLL
    for (int p = 0; p < VERTICES; ++p) {
      edge_t length = 0;
      GR_UNROLL
      for (int k = 0; k < WIDTH; ++k) length += now.x[p][k] >= 0;
      if (i + p * BLOCK >= mine.count || now.x[p][0] == LONGER) continue;
      own[p] = gathering::own_of(f, vertex_t(mine.first + i + p * BLOCK), length);
      ctx.count_edges(length);
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
      if (i + p * BLOCK >= mine.count) continue;
      const vertex_t v = vertex_t(mine.first + i + p * BLOCK);
      if (now.x[p][0] == LONGER) {
        const u32 place = u32(reserve(&ctx.shared.remembered));
        if (place < MOST_REMEMBERED) later[place] = item_t(v);
        continue;
      }
      Monoid::join(x[p][0], x[p][1]);
      Monoid::join(x[p][2], x[p][3]);
      Monoid::join(x[p][0], x[p][2]);
      gathering::finish(f, v, own[p], Monoid::widen(x[p][0]), collect);
    }
  }

  template <class Monoid, class F, class C>
  GR_DEVICE static void fold_longer(Context& ctx, const Csr& lists, F& f, vertex_t v, C& collect) {
    const Row row = lists.row(v);
    const auto own = gathering::own_of(f, v, row.length);
    auto total = Monoid::nothing();
    fold_part<Monoid, 4>(ctx, lists, f, v, row.begin, row.end(), edge_t(1), total);
    gathering::finish(f, v, own, total, collect);
  }
};

}  // namespace gunrock
