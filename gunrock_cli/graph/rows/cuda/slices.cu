// Rows of drawn edges on the GPU, a slice of the vertices at a time; gunrock_cli/graph/rows/device_rows.py puts
// draw.hpp before this and launches it.
//
// The edges are drawn once to be counted by bucket of rows, and again for each slice, whose keys (row
// within the slice above column) are then sorted and become columns.

#ifndef GR_BLOCK  // fewer on a host's threads, in tests
#define GR_BLOCK 256
#endif
constexpr int BLOCK = GR_BLOCK;
constexpr int DRAWS = 4;  // of a thread at a time
constexpr int KEYS = 8;   // that a thread looks at
constexpr u64 NONE = ~u64(0);

// The cleaning of edges; fields as in device_rows.py. Columns low .. low + width - 1 are wanted.
struct Cleaning {
  i32 both, keep_loops, turned;
  u32 low, width;

  GR_DRAW bool wants(u32 column) const { return column - low < width; }
};

// The directed edges of an edge: none, one or two.
struct Directed {
  u32 row[2], column[2];
  int count;
};

template <class Recipe>
GR_DRAW Directed directed(const Recipe& recipe, const Cleaning& clean, i64 edge) {
  u32 u[1], v[1];
  recipe.draw(edge, u, v);
  const u32 from = clean.turned ? v[0] : u[0], to = clean.turned ? u[0] : v[0];
  const int count = from == to ? clean.keep_loops : 1 + clean.both;
  return {{from, to}, {to, from}, count};
}

// Adds to the count of each directed edge's bucket, of 1 << shift of the rows first .. first + rows - 1.
template <class Recipe>
GR_DRAW void count_drawn(const Recipe& recipe, const Cleaning& clean, i64 edges, u32 first, u32 rows,
                         i32 shift, u64* counts) {
  const i64 step = i64(gridDim.x) * BLOCK;
  for (i64 edge = i64(blockIdx.x) * BLOCK + threadIdx.x; edge < edges; edge += step) {
    const Directed found = directed(recipe, clean, edge);
    for (int side = 0; side < 2; ++side) {
      const u32 row = found.row[side] - first;
      if (side >= found.count || row >= rows || !clean.wants(found.column[side])) continue;
      atomicAdd(counts + (row >> shift), u64(1));
    }
  }
}

// Keys of the directed edges in rows first .. first + rows - 1, in any order, behind the `tail` keys already
// there. A block takes room for all its threads' keys with one atomic.
template <class Recipe>
GR_DRAW void keep_drawn(const Recipe& recipe, const Cleaning& clean, i64 edges, u32 first, u32 rows,
                        u64* keys, i64 room, u64* tail) {
  __shared__ u32 held;
  __shared__ u64 begin;
  const i64 step = i64(gridDim.x) * BLOCK * DRAWS;
  for (i64 tile = i64(blockIdx.x) * BLOCK * DRAWS; tile < edges; tile += step) {
    if (threadIdx.x == 0) held = 0;
    __syncthreads();
    u64 mine[2 * DRAWS];
    u32 count = 0;
#pragma unroll
    for (int draw = 0; draw < DRAWS; ++draw) {
      const i64 edge = tile + draw * BLOCK + threadIdx.x;
      mine[2 * draw] = mine[2 * draw + 1] = NONE;
      if (edge >= edges) continue;
      const Directed found = directed(recipe, clean, edge);
      for (int side = 0; side < 2; ++side) {
        const u32 row = found.row[side] - first;
        if (side >= found.count || row >= rows || !clean.wants(found.column[side])) continue;
        mine[2 * draw + side] = u64(row) << 32 | found.column[side];
        ++count;
      }
    }
    const u32 at = atomicAdd(&held, count);
    __syncthreads();
    if (threadIdx.x == 0) begin = atomicAdd(tail, u64(held));
    __syncthreads();
    i64 place = i64(begin) + at;
#pragma unroll
    for (int slot = 0; slot < 2 * DRAWS; ++slot)
      if (mine[slot] != NONE) {
        if (place < room) keys[place] = mine[slot];  // the host checks that the tail is as counted
        ++place;
      }
  }
}

#define GR_DRAWN(RECIPE)                                                                              \
  extern "C" __global__ void gr_count_##RECIPE(const __grid_constant__ RECIPE recipe,                 \
                                               const __grid_constant__ Cleaning clean, i64 edges,     \
                                               u32 first, u32 rows, i32 shift, u64* counts) {         \
    count_drawn(recipe, clean, edges, first, rows, shift, counts);                                    \
  }                                                                                                   \
  extern "C" __global__ void gr_keep_##RECIPE(const __grid_constant__ RECIPE recipe,                  \
                                              const __grid_constant__ Cleaning clean, i64 edges,      \
                                              u32 first, u32 rows, u64* keys, i64 room, u64* tail) {  \
    keep_drawn(recipe, clean, edges, first, rows, keys, room, tail);                                  \
  }
GR_DRAWN(Rmat)
GR_DRAWN(Bipartite)
GR_DRAWN(SmallWorld)

// True if a sorted key differs from the one before, or duplicates are kept.
GR_DRAW bool stays(const u64* keys, i64 i, i32 keep_duplicates) {
  return keep_duplicates || i == 0 || keys[i] != keys[i - 1];
}

// The number of each block's keys that stay.
extern "C" __global__ void gr_count_kept(const u64* keys, i64 count, i32 keep_duplicates, i64* kept) {
  __shared__ u32 sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  u32 mine = 0;
  for (int k = 0; k < KEYS; ++k) {
    const i64 i = (i64(blockIdx.x) * KEYS + k) * BLOCK + threadIdx.x;
    if (i < count) mine += stays(keys, i, keep_duplicates);
  }
  if (mine) atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) kept[blockIdx.x] = sum;
}

// Writes the columns of the keys that stay; `ends` counts them up to each block's last. A row's degree is
// the end of its columns less their begin: the two come from different threads.
extern "C" __global__ void gr_write_kept(const u64* keys, i64 count, i32 keep_duplicates,
                                         const i64* ends, i32* columns, u64* degrees) {
  __shared__ u32 sums[BLOCK];
  const i64 begin = (i64(blockIdx.x) * BLOCK + threadIdx.x) * KEYS;
  const i64 end = begin + KEYS < count ? begin + KEYS : count;
  u32 mine = 0;
  for (i64 i = begin; i < end; ++i) mine += stays(keys, i, keep_duplicates);
  sums[threadIdx.x] = mine;
  for (int reach = 1; reach < BLOCK; reach *= 2) {  // sums of all threads up to this one
    __syncthreads();
    const u32 before = threadIdx.x >= reach ? sums[threadIdx.x - reach] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
  }
  u64 place = (blockIdx.x == 0 ? 0 : u64(ends[blockIdx.x - 1])) + sums[threadIdx.x] - mine;
  for (i64 i = begin; i < end; ++i) {
    const u64 row = keys[i] >> 32;
    if (i == 0 || keys[i - 1] >> 32 != row) atomicAdd(degrees + row, u64(0) - place);
    if (stays(keys, i, keep_duplicates)) columns[place++] = i32(keys[i]);
    if (i + 1 == count || keys[i + 1] >> 32 != row) atomicAdd(degrees + row, place);
  }
}
