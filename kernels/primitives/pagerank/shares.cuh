// The update of a PageRank iteration. Only shares (rank / out-degree) are kept from one iteration to the next,
// which saves bandwidth; the share of a vertex without out-edges, from which nobody gathers, is its rank. Used
// by PageRank and PPR.
//
// GR_WEIGHTED: a vertex passes its rank on in proportion to the weights of its out-edges. Its share is its whole
// rank, of which each edge takes a part: the edge's weight divided by the sum of the vertex's out-weights. A
// vertex whose sum is zero is treated like one without out-edges.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE, GR_WEIGHTED.
#pragma once
#include "operators/by_degree.cuh"
#include "ranks.cuh"

constexpr Shape SHAPE = Shape(GR_LISTS);
constexpr int CACHED_PREFIX = CACHED_VALUES<rank_t, SHAPE>;

#if GR_WEIGHTED
constexpr bool WEIGHTED = true;
#else
constexpr bool WEIGHTED = false;
#endif
static_assert(!WEIGHTED || CACHED_PREFIX == 0, "the parts that edges take are in the graph's order");

// How vertices pass their ranks on.
struct Passing {
  const Csr& out_edges;
  const rank_t* parts;  // of each in-edge: the part of its source's rank that it takes
  const u8* passes;     // of each vertex: 0 if the sum of its out-weights is zero, else 1
  // Both are null unless GR_WEIGHTED.

  // The number of shares of v's rank; 0 if v passes nothing on.
  GR_DEVICE edge_t shares(i64 v) const {
    if constexpr (WEIGHTED) return edge_t(load_constant(&passes[v]));
    else return out_edges.row(v).length;
  }
};

// The number of shares of a vertex's rank, and its share from the iteration before.
struct OwnShare {
  rank_t share;
  edge_t degree;
};

// Gathers shares and makes new ones. A class derived from it gives a vertex's degree, and the base of its rank.
struct ShareUpdate : GatherValues<Sum<rank_t>, CACHED_PREFIX> {
  using Own = OwnShare;
  using Base = GatherValues<Sum<rank_t>, CACHED_PREFIX>;
  using Base::value;
  const rank_t* before;  // of the vertices that gather
  rank_t* after;
  const rank_t* parts;   // as Passing has them
  double damping;
  double change = 0;    // of the ranks, in L1
  double dangling = 0;  // rank of vertices without out-edges

  // The whole block. `all`: the shares of the `count` vertices that are gathered from.
  GR_DEVICE ShareUpdate(Context& ctx, const rank_t* all, i64 count, const rank_t* old, rank_t* fresh,
                        double factor, const rank_t* taken = nullptr)
      : Base(ctx, all, count), before(old), after(fresh), parts(taken), damping(factor) {}

  GR_DEVICE rank_t value(vertex_t u, edge_t e) const {
    if constexpr (WEIGHTED) return values[u] * load_constant(&parts[e]);
    else return Base::value(u, e);
  }

  // Sets the rank: `base` plus the damped sum.
  GR_DEVICE void set_rank(vertex_t v, const OwnShare& own, double base, double sum) {
    set_rank(v, own, base, sum, change, dangling);
  }
  // The same, with the change and the dangling rank added to these sums.
  GR_DEVICE void set_rank(vertex_t v, const OwnShare& own, double base, double sum, double& changed,
                        double& dangles) const {
    const rank_t rank = rank_t(base + damping * sum);
    rank_t share;  // a core divides by 1, and adds 0, faster than it mispredicts a branch
    const rank_t parts = rank_t(own.degree > 1 ? own.degree : 1);
    if constexpr (WARP == 1) share = rank / parts;
    else share = own.degree > 1 ? rank / parts : rank;
    changed += double(magnitude(share - own.share) * parts);  // wider only because many are added up
    if constexpr (WARP == 1) dangles += double(own.degree == 0) * double(rank);
    else if (own.degree == 0) dangles += double(rank);
    after[v] = share;
  }
};

// The rank of a vertex with this share.
GR_DEVICE rank_t rank_of_share(rank_t share, edge_t degree) {
  return degree > 1 ? share * rank_t(degree) : share;
}
