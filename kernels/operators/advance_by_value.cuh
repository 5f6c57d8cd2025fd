// Advance by value: for functors that drop most edges by the edge's value alone, such as a weight that is too
// large. Values are streamed, and the other end is looked up only for edges that pass. That saves most of the
// traffic: 4 bytes per edge in order, where an ordinary advance reads 8 and gathers at random. Called by SSSP.
//
// A functor has
//   own(v)               what the edges of v are tested with, loaded once per list
//   through(own, value)  what an edge of that value offers to its end, of type Through
//   passes(through)      true if that offer may matter to any vertex
//   peek(d, through)     true if it may matter to d, by a plain load
//   visit(d, through)    the exact test and its effects; true if d enters the next frontier
//
// On a GPU each warp takes an equal share of the frontier's edges by itself: there is no barrier of the block, so
// warps that wait for memory do not hold up others. Edges that pass are packed in the warp's part of the scratch
// until there are enough to keep all lanes busy. A core has no lanes and asks edge by edge.
#pragma once
#include "advance.cuh"

namespace gunrock {

namespace by_value {

#if GR_CUDA
constexpr int EACH = 4;             // edges that a lane takes at once
constexpr int ROUND = EACH * WARP;  // edges that a warp takes at once
constexpr edge_t LONG = ROUND;      // lists from this length on are taken one at a time
constexpr i64 LEAST_SHARE = 4 * ROUND;  // fewer edges are not worth a warp

// Edges that have passed and wait until their ends are looked up.
template <class Through>
struct Passed {
  static constexpr int FITS =
      int(sizeof(BlockShared::scratch) / (sizeof(edge_t) + sizeof(Through))) / WARPS;
  static constexpr int CAPACITY = FITS < 3 * ROUND ? FITS : 3 * ROUND;
  static constexpr int ROUNDS = CAPACITY >= 5 * ROUND / 2 ? 2 : 1;  // rounds of a long list that are in flight at once
  static_assert(CAPACITY >= ROUND + WARP, "no room for what passes");
  edge_t edges[WARPS][CAPACITY];
  Through through[WARPS][CAPACITY];
};

// Fills a queue of vertices by one warp, without the block.
struct WarpCollector {
  Context& ctx;
  const NextFrontier out;
  const Csr& next;

  // The whole warp: pushes its lanes' vertices for which `keep` is true.
  template <int EACH>
  GR_DEVICE void push(const bool (&keep)[EACH], const vertex_t (&v)[EACH]) const {
    Row list[EACH];
    u64 mine = 0;
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      if (!keep[k]) continue;
      ctx.count_queued(v[k]);
      list[k] = next.row(v[k]);
      mine += pack_some(1, u64(list[k].length));
    }
    if (!warp_ballot(mine != 0)) return;
    const u64 behind = warp_inclusive_scan(mine), total = warp_broadcast(behind, WARP - 1);
    u64 tail = 0;
    if (lane_id() == 0) tail = claim<Kind::vertex>(out.tail, unpack_some(total).count, unpack_some(total).edges);
    Size at = unpack(warp_broadcast(tail, 0));
    at.count += unpack_some(behind - mine).count;
    at.edges += unpack_some(behind - mine).edges;
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      if (!keep[k]) continue;
      if (list[k].length > 0) next.prefetch_list(list[k].begin);
      put<Kind::vertex>(out.queue, at, item_t(v[k]), list[k].begin);
      ++at.count;
      at.edges += u64(list[k].length);
    }
  }
};

// One warp's share of an advance: edges [first, last) of the frontier. All members but the lane's own list, and
// all decisions, are the same in all lanes.
template <class F>
struct Stream {
  using Own = typename F::Own;
  using Through = typename F::Through;
  static constexpr int ROUNDS = Passed<Through>::ROUNDS;
  static constexpr int ROOM = Passed<Through>::CAPACITY - ROUNDS * ROUND;

  Context& ctx;
  const Frontier& in;
  const Csr& csr;
  F& f;
  WarpCollector collect;
  edge_t* edges;
  Through* through;
  i64 first, last;
  i64 item;  // the first item of the next group of WARP lists
  bool more = true;
  int waiting = 0;

  // The group: this lane's list, and the rest of all lists.
  edge_t row = 0, length = 0;
  Own own{};
  u32 long_lists = 0;   // lanes with a long list that has not been begun
  i64 at = 0, end = 0;  // position within the long list that has been begun
  edge_t list = 0;      // where that long list begins
  Own list_own{};
  edge_t behind = 0, taken = 0, total = 0;  // positions in the short lists, laid end to end

  GR_DEVICE void run() {
    for (bool busy = true; busy || waiting;) {
      if (at < end) take_long();
      else if (long_lists) begin_long();
      else if (taken < total) take_short();
      else if (more) next_group();
      else busy = false;
      while (waiting > (busy ? ROOM : 0)) look_up();
    }
  }

 private:
  GR_DEVICE void next_group() {
    const i64 count = in.size.count, i = item + lane_id();
    i64 begin = last, stop = last;
    if (i < count) {
      begin = in.queue.scan[i];
      stop = i + 1 < count ? i64(in.queue.scan[i + 1]) : i64(in.size.edges);
    }
    const i64 from = begin > first ? begin : first, to = stop < last ? stop : last;
    length = 0;
    if (from < to) {
      row = in.queue.rows[i] + edge_t(from - begin);
      length = edge_t(to - from);
      own = f.own(vertex_t(in.queue.items[i]));
    }
    long_lists = warp_ballot(length >= LONG);
    behind = warp_inclusive_scan(length < LONG ? length : edge_t(0));
    total = warp_broadcast(behind, WARP - 1);
    taken = 0;
    item += WARP;
    more = warp_broadcast(stop, WARP - 1) < last;
  }

  GR_DEVICE void begin_long() {
    const int lane = lowest_bit(long_lists);
    long_lists &= long_lists - 1;
    list = warp_broadcast(row, lane);
    list_own = warp_broadcast(own, lane);
    end = i64(list) + warp_broadcast(length, lane);
    // Values are loaded in fours, from a multiple of 16 bytes on.
    at = i64(list) - int((u64)(csr.values + list) / sizeof(weight_t) % EACH);
  }

  GR_DEVICE void take_long() {
    weight_t value[ROUNDS][EACH];
    GR_UNROLL
    for (int j = 0; j < ROUNDS; ++j) {
      const i64 e = at + j * ROUND + EACH * lane_id();
      if (e >= list && e + EACH <= end) {
        load_four_once(&csr.values[e], value[j]);
      } else {
        GR_UNROLL
        for (int k = 0; k < EACH; ++k)
          if (e + k >= list && e + k < end) value[j][k] = load_constant(&csr.values[e + k]);
      }
    }
    GR_UNROLL
    for (int j = 0; j < ROUNDS; ++j) {
      const i64 e = at + j * ROUND + EACH * lane_id();
      GR_UNROLL
      for (int k = 0; k < EACH; ++k)
        test(e + k >= list && e + k < end, edge_t(e + k), list_own, value[j][k]);
    }
    at += ROUNDS * ROUND;
  }

  GR_DEVICE void take_short() {
    const edge_t shift = row - (behind - (length < LONG ? length : edge_t(0)));
    edge_t e[EACH];
    int owner[EACH];  // the number of lanes whose lists end before the edge
    weight_t value[EACH];
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      const edge_t r = taken + k * WARP + lane_id();
      owner[k] = 0;
      GR_UNROLL
      for (int half = WARP / 2; half > 0; half /= 2) {
        const edge_t its_end = warp_broadcast(behind, owner[k] + half - 1);
        if (its_end <= r) owner[k] += half;
      }
      e[k] = r + warp_broadcast(shift, owner[k]);
      if (r < total) value[k] = load_constant(&csr.values[e[k]]);
    }
    GR_UNROLL
    for (int k = 0; k < EACH; ++k)
      test(taken + k * WARP + lane_id() < total, e[k], warp_broadcast(own, owner[k]), value[k]);
    taken += ROUND;
  }

  // One edge per lane: the edges that pass join those that wait.
  GR_DEVICE void test(bool inside, edge_t e, const Own& its, weight_t value) {
    Through x{};
    if (inside) x = f.through(its, value);
    const bool passes = inside && f.passes(x);
    ctx.look_at_edges(inside);
    const u32 hits = warp_ballot(passes);
    if (passes) {
      const int place = waiting + popcount(hits & ((1u << lane_id()) - 1));
      edges[place] = e;
      through[place] = x;
    }
    waiting += popcount(hits);
  }

  // Looks up the ends of the last waiting edges, at most ROUND.
  GR_DEVICE void look_up() {
    const int before = waiting > ROUND ? waiting - ROUND : 0;
    warp_sync();
    vertex_t d[EACH];
    Through x[EACH];
    bool live[EACH];
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) {
      const int i = before + k * WARP + lane_id();
      live[k] = i < waiting;
      if (live[k]) {
        x[k] = through[i];
        d[k] = csr.neighbor(edges[i]);
      }
    }
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) live[k] = live[k] && f.peek(d[k], x[k]);
    GR_UNROLL
    for (int k = 0; k < EACH; ++k) live[k] = live[k] && f.visit(d[k], x[k]);
    collect.push(live, d);
    warp_sync();  // before other lanes take these places
    waiting = before;
  }
};

// The whole warp: the item that owns edge r of the frontier, the last whose list begins at r or before.
GR_DEVICE i64 owner_by_warp(const Frontier& in, i64 r) {
  i64 low = 0, high = in.size.count;  // scan[low] <= r < scan[high]
  while (high - low > 1) {
    const i64 stride = (high - low + WARP - 1) / WARP, probe = low + lane_id() * stride;
    const int below = popcount(warp_ballot(probe < high && i64(in.queue.scan[probe]) <= r));
    low += (below - 1) * stride;
    if (low + stride < high) high = low + stride;
  }
  return low;
}
#else
// The functor as an edge functor, for cores, which ask edge by edge.
template <class F>
struct EdgeByEdge : EdgeFunctor {
  struct Carry {
    typename F::Through through;
  };
  F& f;
  const weight_t* values;
  GR_DEVICE EdgeByEdge(F& functor, const weight_t* weights) : f(functor), values(weights) {}
  GR_DEVICE void fetch(vertex_t s, vertex_t, edge_t e, Carry& carry) {
    carry.through = f.through(f.own(s), load_constant(&values[e]));
  }
  GR_DEVICE bool peek(vertex_t, vertex_t d, edge_t, Carry& carry) {
    return f.passes(carry.through) && f.peek(d, carry.through);
  }
  GR_DEVICE bool visit(vertex_t, vertex_t d, edge_t, Carry& carry) {
    return f.visit(d, carry.through);
  }
};
#endif

}  // namespace by_value

// A step's work: the step's frontier, over out-edges. Not for a single block.
template <class F>
GR_DEVICE void advance_by_value(Context& ctx, const LoopState& s, F& f) {
  const Csr& csr = ctx.graph.csr;
#if GR_CUDA
  const Frontier in = ctx.in(s);
  const i64 warps = ctx.threads() / WARP, edges = i64(in.size.edges);
  i64 share = (edges + warps - 1) / warps;
  if (share < by_value::LEAST_SHARE) share = by_value::LEAST_SHARE;
  const i64 first = (i64(warp_id()) * ctx.blocks + ctx.block) * share;
  if (first >= edges) return;
  auto& passed = ctx.shared.as<by_value::Passed<typename F::Through>>();
  by_value::Stream<F> stream{ctx, in, csr, f, {ctx, ctx.out(s), csr}, passed.edges[warp_id()],
                             passed.through[warp_id()], first,
                             first + share < edges ? first + share : edges,
                             by_value::owner_by_warp(in, first)};
  stream.run();
#else
  advance<V, V>(ctx, s, by_value::EdgeByEdge<F>(f, csr.values));
#endif
}

}  // namespace gunrock
