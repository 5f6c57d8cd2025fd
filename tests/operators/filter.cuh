// One filter, one compute and both conversions of a given vertex frontier, for the tests.
// GR_OPERATOR: 0 exact, 1 inexact, 2 over all vertices, 3 queue to bitmap to queue, 4 pull,
// 5 plain items, 6 a functor that drops nothing, 7 pull by the candidates of a queue: all but the
// multiples of three. GR_CULL_*: the heuristics.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/convert.cuh"
#include "operators/culling.cuh"
#include "operators/filter.cuh"
#include "operators/pull.cuh"

struct Problem {
  item_t* frontier;
  i64 count;
  u32* touched;     // by compute, per vertex: how often it is in the output
  u32* applied;     // by the filter's functor or the pull's, per vertex
  u32* visited;     // bitmap of the culling
  u32* bits;        // two bitmaps, clear
  u32* wrong;       // one word: the pull's functor was given an edge that is none
  i64 stride;       // words
  item_t* found;
  i64* found_size;  // items, and the edges of their lists
};

enum Phase { FILL, FIRST, SECOND, COPY };

struct Third {  // keeps all but multiples of three
  const Problem& p;
  GR_DEVICE bool visit(item_t v) { return v % 3 != 0; }
  GR_DEVICE void apply(item_t v) { atomic_add(&p.applied[v], 1u); }
};

struct Every : VertexFunctor {  // drops nothing
  const Problem& p;
  GR_DEVICE explicit Every(const Problem& problem) : p(problem) {}
  GR_DEVICE void apply(item_t v) { atomic_add(&p.applied[v], 1u); }
};

struct Candidates : VertexFunctor {  // like Third, but records nothing
  GR_DEVICE bool visit(item_t v) { return v % 3 != 0; }
};

struct FromFrontier {  // odd vertices look for an in-neighbour in the bitmap
  const Problem& p;
  const u32* frontier;
  const Csr& lists;
  GR_DEVICE bool wants(vertex_t v) { return v % 2 == 1; }
  GR_DEVICE bool peek(vertex_t s, vertex_t v, edge_t e) {
    check(s, v, e);
    return bitmap_test(frontier, s);
  }
  GR_DEVICE void apply(vertex_t s, vertex_t v, edge_t e) {
    check(s, v, e);
    if (!bitmap_test(frontier, s)) store_relaxed(p.wrong, 1u);
    atomic_add(&p.applied[v], 1u);
  }
  GR_DEVICE void check(vertex_t s, vertex_t v, edge_t e) {
    if (e < lists.row_offsets[v] || e >= lists.row_offsets[v + 1] || lists.column_indices[e] != s)
      store_relaxed(p.wrong, 1u);
  }
};

struct Enactor : WholeGridEnactor {
  struct State : LoopState {
    i32 phase = FILL;
  };
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& csr = ctx.graph.csr;
    const Range everyone{ctx.graph.n};
    Third third{p};
    u32 *bits = p.bits, *found_bits = p.bits + p.stride;
    switch (s.phase) {
      case FILL: {
        Collector<V> collect(ctx, ctx.out(s), csr);
        for (i64 base = i64(ctx.block) * BLOCK; base < p.count; base += ctx.threads()) {
          collect.make_room(BLOCK);
          if (base + thread_id() < p.count) collect.push(p.frontier[base + thread_id()]);
        }
        collect.flush();
        s.phase = FIRST;
        return true;
      }
      case FIRST:
        s.phase = GR_OPERATOR == 3 || GR_OPERATOR == 4 || GR_OPERATOR == 7 ? SECOND : COPY;
        if (GR_OPERATOR == 0)
          filter<V>(ctx, s, third);
        else if (GR_OPERATOR == 1)
          filter_inexactly<V>(ctx, s, third, p.visited);
        else if (GR_OPERATOR == 2)
          filter<V>(ctx, s, everyone, csr, third);
        else if (GR_OPERATOR == 5)
          filter<Kind::plain>(ctx, s, third);
        else if (GR_OPERATOR == 6)
          filter<V>(ctx, s, Every(p));
        else
          compute(ctx, s, [&](item_t v) { bitmap_set(bits, vertex_t(v)); });
        if (GR_OPERATOR == 7)
          filter<V>(ctx, s, everyone, csr, Candidates{});
        return true;
      case SECOND:
        s.phase = COPY;
        if (GR_OPERATOR == 3) {
          bitmap_to_queue(ctx, s, bits);
        } else {
          FromFrontier look{p, bits, ctx.graph.reverse};
          pull(ctx, s, candidates(ctx, s, GR_OPERATOR == 4), look, found_bits, &control.counters[0]);
        }
        return true;
      default:
        compute(ctx, s, [&](item_t v) { atomic_add(&p.touched[v], 1u); });
        for_each_item(ctx, ctx.in(s), [&](i64 i, item_t item) { p.found[i] = item; });
        if (ctx.rank() == 0) {
          const Size pulled = unpack(load_relaxed(&control.counters[0]));
          p.found_size[0] = s.in.count;
          p.found_size[1] = i64(s.in.edges);
          p.found_size[2] = pulled.count;
          p.found_size[3] = i64(pulled.edges);
        }
        return false;
    }
  }
};
