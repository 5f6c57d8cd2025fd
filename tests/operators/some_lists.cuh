// Operators that examine some entries of lists, for the tests: each adds its entries to a vertex's sum.
// GR_OPERATOR: 0 an entry of every list, 1 the same by several, 2 the first two, 3 lengths, 4 a whole list, 5 the
// longest list, 6 next to a multiple of three, 7 the same by some, 8 chosen entries, 9 lists by groups.
#include "core/enactor.cuh"
#include "operators/chosen.cuh"
#include "operators/filter.cuh"
#include "operators/lists_by_groups.cuh"
#include "operators/parts_of_lists.cuh"

struct Problem {
  u32* sums;
  u32* queued;  // how often a vertex is in the next frontier
  u64* found;   // one word
  i64 place;
};

enum Phase { LOOK, READ };

GR_DEVICE void add(const Problem& p, i64 v, i64 u) { atomic_add(&p.sums[v], u32(u) + 1); }

struct NextToThird {
  const Problem& p;
  GR_DEVICE bool passes(vertex_t v) const { return v % 7 == 0; }
  GR_DEVICE bool passes_by(vertex_t u) const { return u % 3 == 0; }
  GR_DEVICE void finalize(vertex_t v, bool mine) const {
    if (warp_ballot(mine) && mine) add(p, v, 0);
  }
};

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const Csr& lists = ctx.graph.csr;
    ctx.show(s.step ? READ : LOOK, s.step, s.in);
    if (s.step == 0) {
      look(ctx, p, s, lists);
    } else if (s.step == 1) {
      const Frontier in = ctx.in(s);
      for_each_index(ctx, i64(in.size.count), [&](i64 i) { atomic_add(&p.queued[in.queue.items[i]], 1u); });
    } else {
      return false;
    }
    return true;
  }

 private:
  GR_DEVICE static void look(Context& ctx, const Problem& p, const State& s, const Csr& lists) {
#if GR_OPERATOR == 0
    for_each_neighbor_at(ctx, lists, i32(p.place), [&](vertex_t v, vertex_t u) { add(p, v, u); });
#elif GR_OPERATOR == 1
    for_each_neighbors_at(ctx, lists, i32(p.place), [&](const vertex_t (&v)[4], const vertex_t (&u)[4]) {
      for (int k = 0; k < 4; ++k)
        if (u[k] >= 0) add(p, v[k], u[k]);
    });
#elif GR_OPERATOR == 2
    for_each_first_neighbors<2>(ctx, lists, [&](vertex_t v, const vertex_t (&u)[2]) {
      for (int k = 0; k < 2; ++k)
        if (u[k] >= 0) add(p, v, u[k]);
    });
#elif GR_OPERATOR == 3
    for_each_length(ctx, lists, [&](vertex_t v, edge_t length) { add(p, v, length); });
#elif GR_OPERATOR == 4
    for_each_entry(ctx, lists, vertex_t(p.place), [&](vertex_t u) { add(p, u, 0); });
#elif GR_OPERATOR == 5
    atomic_min(p.found, longest_list(ctx, lists, 0));
#elif GR_OPERATOR == 6
    for_each_next_to<V, 2>(ctx, lists, ctx.out(s), [](vertex_t v) { return v % 5 == 0; },
                           [](vertex_t u) { return u % 3 == 0; }, [&](vertex_t v) { add(p, v, 0); });
#elif GR_OPERATOR == 7
    NextToThird test{p};
    Collector<V> collect(ctx, ctx.out(s), lists);
    test_some_neighbors<2>(ctx, Range{ctx.graph.n}, lists, edge_t(p.place), test, collect);
    collect.flush();
#elif GR_OPERATOR == 8
    const auto odd = [](vertex_t v, vertex_t u, u64& pair) {
      pair = u64(u32(v)) << 32 | u32(u);
      return (v + u) % 2 == 1;
    };
    for_each_chosen(ctx, lists, odd, [&](u64 pair) { add(p, i64(pair >> 32), i64(u32(pair))); });
#else
    if (ctx.block != ctx.blocks - 1) return;
    using Lists = ListsByGroups<8>;
    vertex_t* const mine = (vertex_t*)p.found;  // the vertices from `place` on
    Lists::for_each(mine, i32(p.place), i32(ctx.graph.n), [&](vertex_t v, bool there) {
      if (there) Lists{ctx}.for_each_neighbor(lists, v, [&](vertex_t u) { add(p, v, u); });
    });
#endif
  }
};
