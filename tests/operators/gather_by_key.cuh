// Sums of weights by the neighbours' keys, for the tests: all pairs of each list, the pair of the largest sum,
// and how many there are. GR_LONG: sums of 64 bits.
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/gather_by_key.cuh"

#if GR_LONG
using T = i64;
#else
using T = i32;
#endif

struct Problem {
  vertex_t* keys;      // of each vertex
  i32* weights;        // of each entry
  vertex_t* frontier;  // the vertices whose lists are wanted
  i64 count;
  vertex_t* found_keys;  // of each list, from where it begins
  i64* found_sums;
  i32* pairs;          // of each list
  i64* best;           // of each list: the largest sum
  i32* finished;
  vertex_t* long_lists;
  vertex_t* slot_keys;
  T* slot_sums;
  item_t* kept;
  i64* kept_count;
};

struct Most {
  i64 sum;
  i32 pairs;
};
struct MostOf {
  using Value = Most;
  using Total = Most;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Most nothing() { return {-1, 0}; }
  GR_DEVICE static void add(Most& total, const Most& x) {
    total.sum = x.sum > total.sum ? x.sum : total.sum;
    total.pairs += x.pairs;
  }
  GR_DEVICE static void merge(Most& total, const Most& x) { add(total, x); }
  GR_DEVICE static Most exchange(const Most& x, int distance) {
    return {warp_exchange(x.sum, distance), warp_exchange(x.pairs, distance)};
  }
};

struct Note : KeyFunctor {
  static constexpr bool RANKED = true;
  struct Own {
    edge_t begin;
  };
  const Problem& p;
  const Csr& lists;
  GR_DEVICE Note(const Problem& problem, const Csr& csr) : p(problem), lists(csr) {}
  GR_DEVICE bool wants(vertex_t v) { return v % 7 != 6; }
  GR_DEVICE Own own(vertex_t v) { return {lists.row(v).begin}; }
  GR_DEVICE vertex_t key(vertex_t u) { return p.keys[u]; }
  GR_DEVICE T weight(vertex_t u, vertex_t v, edge_t e) { return u == v ? 0 : T(p.weights[e]); }
  GR_DEVICE Most pair(vertex_t, const Own& own, vertex_t key, T sum, int rank) {
    p.found_keys[own.begin + rank] = key;
    p.found_sums[own.begin + rank] = i64(sum);
    return {i64(sum), 1};
  }
  GR_DEVICE bool finish(vertex_t v, const Own&, const Most& total) {
    p.pairs[v] = total.pairs;
    p.best[v] = total.sum;
    atomic_add(&p.finished[v], 1);
    return v % 2 == 0;
  }
};

enum Phase { FIND, GATHER, COPY };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control& control, State& s) {
    const Csr& lists = ctx.graph.csr;
    const BlockLists known = {p.long_lists, &control.counters[0]};
    ctx.show(i32(s.step), 0, s.in);
    if (s.step == 0) {
      find_lists_for_blocks<T>(ctx, ctx.graph.n, lists, known);
      return true;
    }
    if (s.step == 1) {
      Note note(p, lists);
      gather_by_key<MostOf, T, V>(ctx, s, Listed<vertex_t>{p.frontier, p.count}, lists, known,
                                  KeySlots<T>{p.slot_keys, p.slot_sums}, note);
      return true;
    }
    for_each_item(ctx, ctx.in(s), [&](i64 i, item_t item) { p.kept[i] = item; });
    if (ctx.rank() == 0) p.kept_count[0] = s.in.count;
    return false;
  }
};
