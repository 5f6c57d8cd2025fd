// Gathers of vertices' values, for kernels whose graph may be numbered by falling degree, so that the vertices
// that occur most often in lists come first (gunrock_cli/primitives/renumbering.py numbers them so). Base of
// PageRank's, HITS's and SALSA's gathers.
//
// GR_SHARED_CACHE: vertices are so numbered, and each block keeps a copy of the first values in shared memory,
// so up to half of the gathers on a graph with hubs do not leave the multiprocessor [D-hot-1].
#pragma once
#include "gather_all.cuh"

namespace gunrock {

#if GR_SHARED_CACHE
constexpr bool HAS_SHARED_CACHE = WARP > 1;
#else
constexpr bool HAS_SHARED_CACHE = false;
#endif

// The number of values that a block keeps.
template <class Value, Shape SHAPE>
constexpr int CACHED_VALUES = HAS_SHARED_CACHE && SHAPE == UNEVEN_LISTS ? SHARED_CACHE_BYTES / int(sizeof(Value)) - 1 : 0;

// The vertex whose row this is; `order` is null if vertices have kept their numbers.
GR_DEVICE i64 vertex_of(const vertex_t* order, i64 row) {
  return order ? i64(load_constant(&order[row])) : row;
}

// The base of a functor that gathers values of all vertices, none of them negative. Each block keeps the first
// CACHED_PREFIX values.
template <class Monoid, int CACHED_PREFIX>
struct GatherValues : GatherFunctor {
  using Value = typename Monoid::Value;
  static constexpr bool SPLIT_LOADS = CACHED_PREFIX > 0;
  struct Found {
    Value near, far;
  };
  const Value* values;  // the values of all vertices
  const Value* cache;     // the first CACHED_PREFIX values and a zero, in shared memory

  // The whole block. `count`: the number of all values.
  GR_DEVICE GatherValues(Context& ctx, const Value* all, i64 count)
      : values(keep_pointer(all)), cache(fill_cache(ctx, all, count)) {}

  GR_DEVICE void ask(vertex_t u) const { prefetch_near(&values[u]); }
  GR_DEVICE Value value(vertex_t u, edge_t) const { return values[u]; }
  // Without a branch, so that all lanes' loads of a batch are in flight together.
  GR_DEVICE Found find(vertex_t u) const {
    Found found = {cache[u32(u) < u32(CACHED_PREFIX) ? u : CACHED_PREFIX], Monoid::zero()};
    if (u >= CACHED_PREFIX) found.far = values[u];
    return found;
  }
  GR_DEVICE Value value(const Found& found) const {
    Value x = found.near;
    Monoid::join(x, found.far);
    return x;
  }

 private:
  GR_DEVICE static const Value* fill_cache(Context& ctx, const Value* from, i64 count) {
    Value* const own = ctx.shared.shared_cache<Value>();
    if constexpr (CACHED_PREFIX > 0) {
      for (int u = thread_id(); u <= CACHED_PREFIX; u += BLOCK)
        own[u] = u < CACHED_PREFIX && u < count ? from[u] : Monoid::zero();
      block_sync();
    }
    return own;
  }
};

}  // namespace gunrock
