// For kernels that may read a graph whose vertices are numbered by falling degree, so that those that most
// entries name come first (the host's half is gunrock_cli/primitives/renumbering.py).
//
// GR_HOT: vertices are so numbered, and each block keeps a copy of the first values, so that up to half of the
// gathers of a graph with hubs do not leave the multiprocessor [D-hot-1].
#pragma once
#include "gather_all.cuh"

namespace gunrock {

#if GR_HOT
constexpr bool KEEPS_HOT = WARP > 1;
#else
constexpr bool KEEPS_HOT = false;
#endif

// How many values a block keeps.
template <class Value, Shape SHAPE>
constexpr int HOT_VALUES = KEEPS_HOT && SHAPE == UNEVEN_LISTS ? HOT_BYTES / int(sizeof(Value)) - 1 : 0;

// The vertex whose row this is; `order` is null where vertices have kept their numbers.
GR_DEVICE i64 vertex_of(const vertex_t* order, i64 row) {
  return order ? i64(load_constant(&order[row])) : row;
}

// The base of a functor that gathers values of all vertices, none of them negative, of which each block keeps the first
// HOT.
template <class Monoid, int HOT>
struct GatherValues : GatherFunctor {
  using Value = typename Monoid::Value;
  static constexpr bool DIFFERENCES = true;
  static constexpr bool SPLIT_LOADS = HOT > 0;
  struct Found {
    Value near, far;
  };
  const Value* values;  // all values
  const Value* hot;     // the first HOT, and a zero, in the block's own memory

  // By the whole block; `count`: of all values.
  GR_DEVICE GatherValues(Context& ctx, const Value* all, i64 count)
      : values(keep_pointer(all)), hot(copy_hot(ctx, all, count)) {}

  GR_DEVICE void ask(vertex_t u) const { prefetch_near(&values[u]); }
  GR_DEVICE Value value(vertex_t u, edge_t) const { return values[u]; }
  // Without a branch, so that all lanes' loads of a batch are in flight together.
  GR_DEVICE Found find(vertex_t u) const {
    Found found = {hot[u32(u) < u32(HOT) ? u : HOT], Monoid::zero()};
    if (u >= HOT) found.far = values[u];
    return found;
  }
  GR_DEVICE Value value(const Found& found) const {
    Value x = found.near;
    Monoid::join(x, found.far);
    return x;
  }

 private:
  GR_DEVICE static const Value* copy_hot(Context& ctx, const Value* from, i64 count) {
    Value* const own = ctx.shared.hot<Value>();
    if constexpr (HOT > 0) {
      for (int u = thread_id(); u <= HOT; u += BLOCK)
        own[u] = u < HOT && u < count ? from[u] : Monoid::zero();
      block_sync();
    }
    return own;
  }
};

}  // namespace gunrock
