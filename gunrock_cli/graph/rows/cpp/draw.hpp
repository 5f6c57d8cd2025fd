// The edges of generators, each from its number alone, so that an edge can be drawn again instead of kept.
//
// For the host's compiler and for NVRTC. The edges are bit for bit those of the array code in
// gunrock_cli/graph/sources/generate, with the random numbers of gunrock_cli/graph/model/rng.py; that code
// fills the structs, too (fields of gunrock_cli/graph/rows/drawing.py). A recipe has
//   template <int N> void draw(i64 first, u32 (&u)[N], u32 (&v)[N]) const
// for the ends of edges first .. first + N - 1: several fill the host's vector units, a thread of the GPU
// draws one.
#pragma once
#ifdef __CUDACC_RTC__
using i32 = int;
using i64 = long long;
using u32 = unsigned;
using u64 = unsigned long long;
#define GR_DRAW __device__ __forceinline__
#else
#include <cstdint>
using i32 = std::int32_t;
using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
#define GR_DRAW inline
#endif

// The SplitMix64 finalizer.
GR_DRAW u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ x >> 27) * 0x94D049BB133111EBull;
  return x ^ x >> 31;
}

// The word of a counter in the stream that has this key.
GR_DRAW u64 random_word(u64 counter, u64 key) {
  constexpr u64 GOLDEN = 0x9E3779B97F4A7C15ull;
  return mixed(mixed(counter * GOLDEN + key) + GOLDEN);
}

// Uniform in 0 .. bound - 1.
GR_DRAW u32 scaled(u64 word, u32 bound) { return u32((word >> 32) * bound >> 32); }

// A bijection of 0 .. 2^bits - 1 (rng.scramble), in 32 bits: higher ones are masked anyway.
struct Relabelling {
  u32 factors[4], summands[4];
  i32 bits;  // 31 at most

  GR_DRAW u32 operator()(u32 x) const {
    if (bits == 0) return x;
    const u32 mask = (1u << bits) - 1;
    const int shift = bits == 1 ? 1 : (bits + 1) / 2;
    for (int turn = 0; turn < 4; ++turn) {
      x = (x * factors[turn] + summands[turn]) & mask;
      x ^= x >> shift;
    }
    return x;
  }
};

// R-MAT: 32 bits decide each level.
struct Rmat {
  u64 keys[15];   // of the streams, each for two levels
  u64 bounds[3];  // where quadrants B, C and D begin among 2^32 values
  Relabelling relabel;
  i32 scale;

  template <int N>
  GR_DRAW void draw(i64 first, u32 (&u)[N], u32 (&v)[N]) const {
    for (int j = 0; j < N; ++j) u[j] = v[j] = 0;
    for (int level = 0; level < scale; level += 2) {
      const u64 key = keys[level >> 1];
      if (level + 1 < scale)
        for (int j = 0; j < N; ++j) {
          const u64 word = random_word(u64(first + j), key);
          fall(word >> 32, u[j], v[j]);
          fall(word & 0xFFFFFFFFu, u[j], v[j]);
        }
      else
        for (int j = 0; j < N; ++j) fall(random_word(u64(first + j), key) >> 32, u[j], v[j]);
    }
    for (int j = 0; j < N; ++j) u[j] = relabel(u[j]), v[j] = relabel(v[j]);
  }

 private:
  GR_DRAW void fall(u64 draw, u32& u, u32& v) const {
    const u32 lower = draw >= bounds[1];
    const u32 right = u32(draw >= bounds[0]) ^ lower ^ u32(draw >= bounds[2]);
    u = u << 1 | lower;
    v = v << 1 | right;
  }
};

// One side of a bipartite graph.
struct Part {
  u64 keys[8];  // of the streams, each for four halvings; or the first alone for uniform ends
  Relabelling relabel;
  i32 bits;     // halvings; 0 and uniform: none
  u32 size;
  u32 heavier;  // the number of 2^16 values that fall into the heavier half
  i32 uniform;

  GR_DRAW u32 end(i64 edge) const {
    if (uniform) return scaled(random_word(u64(edge), keys[0]), size);
    u32 place = 0;
    u64 word = 0;
    for (int level = 0; level < bits; ++level, word >>= 16) {
      if (level % 4 == 0) word = random_word(u64(edge), keys[level / 4]);
      place = place << 1 | u32((word & 0xFFFF) >= heavier);
    }
    return u32(u64(relabel(place)) * size >> bits);
  }
};

struct Bipartite {
  Part left, right;

  template <int N>
  GR_DRAW void draw(i64 first, u32 (&u)[N], u32 (&v)[N]) const {
    for (int j = 0; j < N; ++j) u[j] = left.end(first + j);
    for (int j = 0; j < N; ++j) v[j] = left.size + right.end(first + j);
  }
};

// The edges of a ring, to the next neighbours first, some of them rewired.
struct SmallWorld {
  u64 keys[2];
  u64 rewired;  // of 2^32 values
  u32 n;

  template <int N>
  GR_DRAW void draw(i64 first, u32 (&u)[N], u32 (&v)[N]) const {
    for (int j = 0; j < N; ++j) {
      const u64 edge = u64(first + j);
      u[j] = u32(edge % n);
      u64 jump = edge / n + 1;
      if (rewired != 0 && random_word(edge, keys[0]) >> 32 < rewired)
        jump = 1 + scaled(random_word(edge, keys[1]), n - 1);
      v[j] = u32((u[j] + jump) % n);
    }
  }
};
