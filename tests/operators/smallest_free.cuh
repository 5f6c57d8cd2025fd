// The smallest number that no entry of a list has, for the tests: found by the whole grid or, where a block
// may work alone, by one.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/smallest_free.cuh"

struct Problem {
  i32* numbers;
  vertex_t* asked;
  i64 count;
  i64 alone;
  i32* free;
  u32* finished;  // how often
  u32* visited;   // each entry without a number, how often
  item_t* kept;
  i64* kept_count;
};

struct Find {
  const Problem& p;
  GR_DEVICE i32 number(vertex_t u) { return p.numbers[u]; }
  GR_DEVICE bool visit(vertex_t u, vertex_t) {
    atomic_add(&p.visited[u], 1u);
    return u % 16 == 0;
  }
  GR_DEVICE void finish(vertex_t v, i32 free) {
    p.free[v] = free;
    atomic_add(&p.finished[v], 1u);
  }
};

enum Phase { BEGIN, FIND, COPY };

struct Enactor {
  struct State : LoopState {
    bool alone = false;
  };
  GR_DEVICE static bool fits_block(const State& s) { return s.alone; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step == 0) {
      ctx.show(BEGIN, 0, 0, 0);
      s.alone = p.alone;
      return true;
    }
    if (s.step == 1) {
      ctx.show(FIND, 0, p.count, 0);
      smallest_free<V>(ctx, s, Listed<vertex_t>{p.asked, p.count}, ctx.graph.csr, Find{p});
      return true;
    }
    ctx.show(COPY, 0, s.in);
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t item) { p.kept[i] = item; });
    if (ctx.rank() == 0) p.kept_count[0] = s.in.count;
    return false;
  }
};
