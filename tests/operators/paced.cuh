// Entries at each lane's own pace, for the tests: entry u of a list takes u % 7 loads, up to the first
// that is not below the limit of the list's vertex.
#include "core/enactor.cuh"
#include "operators/paced.cuh"

struct Problem {
  vertex_t* limits;
  vertex_t* own;   // of v: v + 1
  u32* entries;    // of v: how many were worked on
  u32* loads;      // and what all of them took
  u32* sums;       // and of their neighbours
  u32* wrong;
};

struct Work {
  using Own = vertex_t;
  const Problem& p;
  bool under_way = false;
  u32 left = 0;
  vertex_t of = -1;
  GR_DEVICE explicit Work(const Problem& problem) : p(problem) {}
  GR_DEVICE vertex_t own(vertex_t v) { return load_cached(&p.own[v]); }
  GR_DEVICE bool ends(vertex_t u, vertex_t v) { return u >= load_constant(&p.limits[v]); }
  GR_DEVICE bool busy() const { return under_way; }
  GR_DEVICE void begin(vertex_t u, vertex_t v, vertex_t own) {
    if (under_way || own != v + 1) atomic_add(p.wrong, 1u);
    of = v;
    left = u32(u) % 7;
    under_way = left > 0;
    ++p.entries[v];
    p.sums[v] += u32(u);
  }
  GR_DEVICE void go_on(vertex_t v) {
    if (!under_way) return;
    if (of != v) atomic_add(p.wrong, 1u);
    ++p.loads[v];
    under_way = --left > 0;
  }
};

enum Phase { WALK };

struct Enactor {
  struct State : LoopState {};

  GR_DEVICE static bool fits_block(const State&) { return false; }

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State&) {
    ctx.show(WALK, 0, ctx.graph.n, ctx.graph.m);
    for_each_entry_paced(ctx, ctx.graph.csr, Work(p));
    return false;
  }
};
