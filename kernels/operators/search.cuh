// Sorted search on a frontier's scanned list lengths (Davidson's load balancing). Called by advance.cuh,
// tiles.cuh and gathers to find the lists that edges belong to.
//
// A frontier is laid out as one sequence of tokens: each item's own token, then one for each of its edges. Item
// i has token scan[i] + i. Equal shares of tokens are equal work even if many lists are empty, and a share of T
// tokens touches at most T + 1 items.
#pragma once
#include "../core/collector.cuh"

namespace gunrock {

// One thread: the number of items whose token comes before token d.
GR_DEVICE i64 items_before(const edge_t* scan, i64 count, i64 d) {
  i64 low = 0, high = count;
  while (low < high) {
    const i64 middle = (low + high) / 2;
    if (i64(scan[middle]) + middle < d) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The whole block: items_before by a BLOCK-ary search, in two rounds for up to a million items.
GR_DEVICE i64 block_items_before(const edge_t* scan, i64 count, i64 d) {
  if constexpr (BLOCK == 1) return items_before(scan, count, d);
  i64 low = 0, high = count;
  while (low < high) {
    const i64 stride = (high - low + BLOCK - 1) / BLOCK;
    const i64 probe = low + (thread_id() + 1) * stride - 1;
    const int below = block_count(probe < high && i64(scan[probe]) + probe < d);
    low += below * stride;
    if (low + stride - 1 < high) high = low + stride - 1;
  }
  return low;
}

// The item that owns edge r of the frontier: the last i with scan[i] <= r. `cursor` must not be beyond that
// item; on the CPU, where a thread asks for edges in order, it moves along.
GR_DEVICE int owner_of(const edge_t* scan, int count, edge_t r, int& cursor) {
  if constexpr (WARP == 1) {
    while (cursor + 1 < count && scan[cursor + 1] <= r) ++cursor;
    return cursor;
  }
  int low = 0, high = count;  // scan[low] <= r < scan[high]
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (scan[middle] <= r) low = middle;
    else high = middle;
  }
  return low;
}

// The owners of BATCH edges, `stride` apart from `first` on, by searches in lockstep, so that the loads of each
// search step overlap. Edges beyond the beginning of the last item belong to it.
GR_DEVICE void owners_of(const edge_t* scan, int count, edge_t first, edge_t stride, int (&owners)[BATCH]) {
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) owners[k] = 0;
  int step = 1;
  while (step < count) step *= 2;
  for (step /= 2; step > 0; step /= 2) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const int next = owners[k] + step;
      if (next < count && scan[next] <= first + k * stride) owners[k] = next;
    }
  }
}

GR_DEVICE constexpr int log_of(int power) { return power < 2 ? 0 : 1 + log_of(power / 2); }

// The whole warp: the owners of BATCH runs of edges, each run being consecutive edges of the warp's threads.
// Part of the warp searches for the owner of a run's first edge; a word with a bit where each list begins then
// gives, for each later edge, how many more lists have begun. This takes more registers than a search by each
// thread [D-search-1].
GR_DEVICE void owners_of_runs(const edge_t* scan, int count, edge_t first, edge_t stride, int (&owners)[BATCH]) {
  constexpr int LANES = WARP > 1 ? WARP / BATCH : 1, LOG = log_of(LANES);  // lanes that search for one owner
  const edge_t begin = first - lane_id();
  const edge_t sought = begin + lane_id() / LANES * stride;
  const int place = lane_id() % LANES;
  int low = 0, log = highest_bit(u32(count)) - LOG + 1;  // scan[low] <= sought < scan[low + (LANES << log)]
  for (bool more = true; more;) {
    more = log > 0;
    if (log < 0) log = 0;
    const int probe = low + (place << log) < count ? low + (place << log) : count - 1;
    const u32 passed = warp_ballot(scan[probe] <= sought | place == 0) >> (lane_id() - place);
    const int next = low + ((popcount(passed << (32 - LANES)) - 1) << log);
    low = next < count ? next : count - 1;
    log -= LOG;
  }
  edge_t starts[BATCH];  // where, within the run, the list of each following item begins
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    owners[k] = warp_broadcast(low, k * LANES);
    const int next = owners[k] + 1 + lane_id();
    starts[k] = next < count ? scan[next] - (begin + k * stride) : WARP;
  }
  u32 marks[BATCH];
  bool apart = true;  // no two lists begin at one place (an empty list shares its beginning with the next)
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const bool inside = starts[k] < WARP;
    marks[k] = warp_or(inside ? 1u << int(starts[k]) : 0u);
    apart &= popcount(marks[k]) == popcount(warp_ballot(inside));
  }
  if (apart) {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) owners[k] += popcount(marks[k] & ((2u << lane_id()) - 1));
  } else {
    int cursor = 0;
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) owners[k] = owner_of(scan, count, first + k * stride, cursor);
  }
}

// total / parts, rounded up. A 64-bit division costs a hundred instructions, so 32 bits are used where they
// suffice.
GR_DEVICE i64 share_of(i64 total, int parts) {
  if (total < (i64(1) << 31)) return i64((u32(total) + u32(parts) - 1) / u32(parts));
  return (total + parts - 1) / parts;
}

// A block's share of a frontier's tokens, and the item that owns the first token. Empty beyond the last token.
struct TokenShare {
  i64 begin, end, item;
};

// The whole block: its share, if all shares are equal.
GR_DEVICE TokenShare equal_share(const Context& ctx, const Queue& in, Size size) {
  constexpr i64 LEAST = PASS / 4;  // fewer tokens are not worth a block
  const i64 count = size.count, tokens = count + i64(size.edges);
  i64 share = share_of(tokens, ctx.blocks);
  if (share < LEAST) share = LEAST;
  const i64 begin = ctx.block * share;
  if (begin >= tokens) return {tokens, tokens, count};
  return {begin, begin + share < tokens ? begin + share : tokens,
          begin == 0 ? 0 : block_items_before(in.scan, count, begin + 1) - 1};
}

// The number of edges of the i-th item's list.
GR_DEVICE edge_t list_length(const Queue& in, Size size, i64 i) {
  return (i + 1 < i64(size.count) ? in.scan[i + 1] : edge_t(size.edges)) - in.scan[i];
}

}  // namespace gunrock
