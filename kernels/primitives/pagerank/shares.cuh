// The update of a PageRank iteration. Only shares (rank / out-degree) are kept from one iteration to the next,
// which saves bandwidth; the share of a vertex without out-edges, from which nobody gathers, is its rank. Used
// by PageRank and PPR.
// Options: GR_RANK_DOUBLE, GR_LISTS, GR_SHARED_CACHE.
#pragma once
#include "operators/by_degree.cuh"
#include "ranks.cuh"

constexpr Shape SHAPE = Shape(GR_LISTS);
constexpr int CACHED_PREFIX = CACHED_VALUES<rank_t, SHAPE>;

// A vertex's out-degree, and its share from the iteration before.
struct OwnShare {
  rank_t share;
  edge_t degree;
};

// Gathers shares and makes new ones. A class derived from it gives a vertex's degree, and the base of its rank.
struct ShareUpdate : GatherValues<Sum<rank_t>, CACHED_PREFIX> {
  using Own = OwnShare;
  const rank_t* before;  // of the vertices that gather
  rank_t* after;
  double damping;
  double change = 0;    // of the ranks, in L1
  double dangling = 0;  // rank of vertices without out-edges

  // The whole block. `all`: the shares of the `count` vertices that are gathered from.
  GR_DEVICE ShareUpdate(Context& ctx, const rank_t* all, i64 count, const rank_t* old, rank_t* fresh,
                        double factor)
      : GatherValues(ctx, all, count), before(old), after(fresh), damping(factor) {}

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
