// The smallest number that no neighbour before it in an order of classes has, for the tests.
// Options: GR_LANES, how many threads share a list.
#include "core/enactor.cuh"
#include "operators/in_classes.cuh"

struct Problem {
  vertex_t* order;
  i32* words;  // a number, or ~class
};

struct Numbers {
  i32* words;
  struct Own {
    vertex_t v;
    i32 word;
  };
  using Word = i32;
  GR_DEVICE Own own(vertex_t v) const { return {v, words[v]}; }
  GR_DEVICE Word ask(vertex_t u) const { return load_relaxed(&words[u]); }
  GR_DEVICE bool waits(const Own& own, vertex_t u, Word word) const {
    return word == own.word ? u < own.v : word < 0 && word > own.word;
  }
  GR_DEVICE i32 number(Word word) const { return word; }
  GR_DEVICE void finish(vertex_t v, i32 number) const { store_relaxed(&words[v], number); }
};

enum Phase { NUMBER };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(NUMBER, 0, ctx.graph.n, 0);
    smallest_free_in_classes<GR_LANES>(ctx, ctx.graph.csr, p.order, ctx.graph.n, Numbers{p.words});
    return true;
  }
};
