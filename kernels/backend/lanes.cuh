// The lanes backend, for tests: small blocks and warps on a CPU, whose threads are fibres (fibres.cuh).
//
// Kernels choose everything as on a GPU, and each function here does what its namesake in cuda.cuh does, and no
// more: shuffles order no memory, undefined values are arbitrary, and an operation that not all named lanes
// come to ends the run with a report.
#pragma once
#include "fibres.cuh"

#define GR_CUDA 1  // as on a GPU
#define GR_ENTRY "backend/lanes_entry.cuh"
#define GR_PLACE(STRUCT, NAME) ((const volatile void*)__builtin_offsetof(STRUCT, NAME))
#define GR_DEVICE inline
#define GR_UNROLL
#define GR_SIMD_SUMS(...)
#define GR_NO_UNROLL
#define GR_APART(NAME)

namespace gunrock::lanes {

#if GR_WARP_ROWS  // for a kernel that needs a warp as wide as a row (operators/row.cuh)
constexpr int WARP = 32;
#else
constexpr int WARP = 4;
#endif
constexpr int WARPS = GR_BLOCK / 4;  // the host counts in warps of four
constexpr int BLOCK = WARPS * WARP;
constexpr u32 FULL_WARP = ~0u >> (32 - WARP);
static_assert(WARP <= MOST_LANES && WARPS <= WARP, "a warp scans the warps' totals");

constexpr int BATCH = GR_ITEMS < WARP / 2 ? GR_ITEMS : WARP / 2;  // at least two lanes search together (search.cuh)
constexpr int PASS = BLOCK * BATCH;
constexpr int STAGE = 2 * PASS;
constexpr int SINGLE_BLOCK_CAPACITY = GR_SINGLE_BLOCK_CAPACITY;
constexpr int SINGLE_BLOCK_EDGES = GR_SINGLE_BLOCK_EDGES;
constexpr int AHEAD_CAPACITY = 32;
constexpr int SHARED_CACHE_BYTES = 512;

GR_UNCHECKED inline Crew& crew() { return *Crew::mine(); }
inline int thread_id() { return crew().self().thread; }
inline int lane_id() { return thread_id() % WARP; }
inline int warp_id() { return thread_id() / WARP; }
inline void pause(int, GR_SITE) { crew().poll({"pause", file, line}); }

// --- barriers -----------------------------------------------------------------------------------
inline int meet_block(bool x, Site at) {
  Crew::release(crew().block_place());
  const int yes = crew().meet_block(x, at);
  Crew::acquire(crew().block_place());
  return yes;
}
inline void block_sync(GR_SITE) { meet_block(false, {"block_sync", file, line}); }
inline int block_count(bool x, GR_SITE) { return meet_block(x, {"block_count", file, line}); }
inline bool block_any(bool x, GR_SITE) { return meet_block(x, {"block_any", file, line}) != 0; }

// The values with which the lanes of a warp come to an operation.
template <class T>
struct Brought {
  u32 lanes;
  T values[WARP];

  Brought(const Found& found) : lanes(found.lanes) {
    static_assert(sizeof(T) <= MOST_BYTES, "lanes exchange smaller values");
    for (int lane = 0; lane < WARP; ++lane)
      if (lanes >> lane & 1) std::memcpy(&values[lane], found.values[lane], sizeof(T));
  }
  // The lanes whose value is the same as this lane's.
  u32 same_as(const T& x) const {
    u32 same = 0;
    for (int lane = 0; lane < WARP; ++lane)
      if ((lanes >> lane & 1) && values[lane] == x) same |= 1u << lane;
    return same;
  }
};
// meet: all lanes of the mask. together: those lanes of the warp that happen to come by.
template <class T>
inline Brought<T> meet(const T& x, Site at, u32 mask = FULL_WARP) { return crew().meet(mask, &x, sizeof x, at); }
template <class T>
inline Brought<T> together(const void* group, const T& x, Site at) { return crew().together(group, &x, sizeof x, at); }

inline void warp_sync(GR_SITE) {
  Crew::release(crew().warp_place());
  meet(0, {"warp_sync", file, line});
  Crew::acquire(crew().warp_place());
}
inline u32 warp_ballot(bool x, GR_SITE) { return meet(x, {"warp_ballot", file, line}).same_as(true); }
template <class T>
inline T warp_broadcast(T x, int lane, GR_SITE) {
  return meet(x, {"warp_broadcast", file, line}).values[u32(lane) % WARP];
}
template <class T>
inline T warp_exchange(T x, int distance, GR_SITE) {
  return meet(x, {"warp_exchange", file, line}).values[lane_id() ^ distance];
}
template <class T>
inline T octet_broadcast(T x, int place, GR_SITE) {
  return meet(x, {"octet_broadcast", file, line}).values[lane_id() / 8 * 8 + place];
}
template <class T>
inline u32 warp_match(T x, GR_SITE) { return meet(x, {"warp_match", file, line}).same_as(x); }
inline int first_lane(u32 ballot) { return __builtin_ctz(ballot); }
template <class T>
inline bool is_first_with(T x, GR_SITE) {
  return lane_id() == first_lane(together(&FULL_WARP, x, {"is_first_with", file, line}).same_as(x));
}
inline u32 most_together(u32 x, GR_SITE) {
  const auto brought = together(&FULL_WARP, x, {"most_together", file, line});
  u32 most = 0;
  for (int lane = 0; lane < WARP; ++lane)
    if ((brought.lanes >> lane & 1) && brought.values[lane] > most) most = brought.values[lane];
  return lane_id() == first_lane(brought.lanes) ? most : 0;
}
inline void branch_sync(GR_SITE) {
  Crew::release(crew().warp_place());
  together(&FULL_WARP, 0, {"branch_sync", file, line});
  Crew::acquire(crew().warp_place());
}

// --- memory -------------------------------------------------------------------------------------
template <class T>
inline T load_relaxed(const T* p, GR_SITE) {
  crew().chance(false, {"load_relaxed", file, line});
  T x;
  __atomic_load(p, &x, __ATOMIC_RELAXED);
  return x;
}
template <class T>
inline void store_relaxed(T* p, T x, GR_SITE) {
  crew().chance(true, {"store_relaxed", file, line});
  __atomic_store(p, &x, __ATOMIC_RELAXED);
}
template <class T>
inline T* keep_pointer(T* p) { return p; }
template <class Shared, class T>
inline const T* in_shared(const Shared&, const T* p) { return p; }
inline void fence_system() {}
inline u64 load_system(const u64* p, GR_SITE) {
  crew().chance(false, {"load_system", file, line});
  return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
inline void store_system(u64* p, u64 x, GR_SITE) {
  crew().chance(true, {"store_system", file, line});
  __atomic_store_n(p, x, __ATOMIC_RELEASE);
}
template <class T>
inline T load_cached(const T* p, GR_SITE) { return load_relaxed(p, file, line); }
inline void load_cached_two(const double* p, double& x, double& y) {
  x = load_cached(p);
  y = load_cached(p + 1);
}
template <class T>
inline T load_constant(const T* p) { return *p; }
inline i32 load_constant_once(const i32* p) { return *p; }
inline i32 load_constant_wide(const i32* p) { return *p; }
template <class T>
inline void load_four(const T* p, T (&x)[4]) {
  if (u64(p) % 16) crew().fail("load_four at an address that is no multiple of 16");
  for (int k = 0; k < 4; ++k) x[k] = p[k];
}
inline void store_four(i32* p, const i32 (&x)[4]) {
  if (u64(p) % 16) crew().fail("store_four at an address that is no multiple of 16");
  for (int k = 0; k < 4; ++k) p[k] = x[k];
}
template <class T>
inline void load_four_once(const T* p, T (&x)[4]) { load_four(p, x); }
inline void load_four_if(bool wanted, const i32* p, i32 (&x)[4]) {
  if (wanted) load_four(p, x);
}
template <class T>
inline void prefetch_near(const T*) {}
template <class T>
inline void prefetch_far(const T*) {}

#define GR_LOAD_IF(NAME, TYPE, LOAD)                                      \
  inline TYPE NAME(bool wanted, const TYPE* p, TYPE otherwise, GR_SITE) { \
    return wanted ? LOAD(p, file, line) : otherwise;                      \
  }
GR_LOAD_IF(load_relaxed_if, i32, load_relaxed)
GR_LOAD_IF(load_relaxed_if, u64, load_relaxed)
GR_LOAD_IF(load_relaxed_if, u16, load_relaxed)
GR_LOAD_IF(load_cached_if, u16, load_cached)
GR_LOAD_IF(load_cached_if, u32, load_cached)
GR_LOAD_IF(load_cached_if, i32, load_cached)
#undef GR_LOAD_IF
constexpr u32 UNDEFINED = 0xa5a5a5a5;
inline u32 load_relaxed_if(bool wanted, const u8* p, GR_SITE) { return wanted ? load_relaxed(p, file, line) : UNDEFINED; }
inline u32 load_cached_if(bool wanted, const u8* p, GR_SITE) { return wanted ? load_cached(p, file, line) : UNDEFINED; }

// Atomics return the old value.
template <class T>
inline T atomic_cas(T* p, T expected, T desired, GR_SITE) {
  crew().chance(true, {"atomic_cas", file, line});
  __atomic_compare_exchange(p, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
// old -> update(old) in one step.
template <class T, class Update>
inline T atomic_update(T* p, Update update, Site at) {
  crew().chance(true, at);
  T old, wanted;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do {
    wanted = update(old);
  } while (!__atomic_compare_exchange(p, &old, &wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}
#define GR_ATOMIC(NAME, NEW)                                                      \
  template <class T>                                                              \
  inline T NAME(T* p, T x, GR_SITE) {                                             \
    return atomic_update(p, [x](T old) { return T(NEW); }, {#NAME, file, line}); \
  }
GR_ATOMIC(atomic_add, old + x)
GR_ATOMIC(atomic_or, old | x)
inline void set_bits(u64* p, u64 x, GR_SITE) {
  crew().chance(true, {"set_bits", file, line});
  __atomic_fetch_or(p, x, __ATOMIC_RELAXED);
}
GR_ATOMIC(atomic_and, old & x)
GR_ATOMIC(atomic_min, x < old ? x : old)
GR_ATOMIC(atomic_max, old < x ? x : old)
GR_ATOMIC(atomic_exchange, (old, x))
#undef GR_ATOMIC
inline i32 atomic_cas_if(bool wanted, i32* p, i32 expected, i32 desired, i32 otherwise, GR_SITE) {
  return wanted ? atomic_cas(p, expected, desired, file, line) : otherwise;
}
inline u32 atomic_min_if(bool wanted, u32* p, u32 x, u32 otherwise, GR_SITE) {
  return wanted ? atomic_min(p, x, file, line) : otherwise;
}

template <class To, class From>
inline To same_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from, "other bits would be lost or made up");
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline u32 float_bits(float x) { return same_bits<u32>(x); }
inline float bits_float(u32 bits) { return same_bits<float>(bits); }
inline u64 double_bits(double x) { return same_bits<u64>(x); }
inline double bits_double(u64 bits) { return same_bits<double>(bits); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline float magnitude(float x) { return __builtin_fabsf(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline int popcount(u32 x) { return __builtin_popcount(x); }
inline int lowest_bit(u32 x) { return __builtin_ffs(int(x)) - 1; }
inline int highest_bit(u32 x) { return x ? 31 - __builtin_clz(x) : -1; }
inline int lowest_bit(u64 x) { return __builtin_ffsll(i64(x)) - 1; }

inline int reserve(int* counter, GR_SITE) {
  const Site at = {"reserve", file, line};
  const int lane = lane_id();
  const u32 mask = together(counter, 0, at).lanes;
  int base = 0;
  if (lane == first_lane(mask)) base = atomic_add(counter, popcount(mask), file, line);
  base = meet(base, at, mask).values[first_lane(mask)];
  return base + popcount(mask & ((1u << lane) - 1));
}

// --- barriers of the grid -----------------------------------------------------------------------
using Barrier = u32;  // blocks that have arrived
inline bool is_short_of(u32 seen, u32 target) { return i32(seen - target) < 0; }
inline void await_count(const Barrier* counter, u32 target, GR_SITE) {
  while (is_short_of(__atomic_load_n(counter, __ATOMIC_ACQUIRE), target)) pause(0, file, line);
}
inline void arrive(u32* counter, GR_SITE) {
  crew().chance(true, {"arrive", file, line});
  __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
}
inline void arrive(u64* counter, GR_SITE) {
  crew().chance(true, {"arrive", file, line});
  __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE);
}
inline void acquire_once() {}
inline int launched_blocks() { return crew().blocks_of_run(); }
template <class Ask>
inline void await_second(const u64* words, u32 target, u64& first, u64& second, Ask ask, GR_SITE) {
  while (u32(second = __atomic_load_n(&words[1], __ATOMIC_ACQUIRE)) < target) pause(0, file, line);
  first = __atomic_load_n(&words[0], __ATOMIC_RELAXED);
  ask();
}
inline void grid_barrier(Barrier* counter, u32& generation, u32 blocks, GR_SITE) {
  ++generation;
  block_sync(file, line);
  if (thread_id() == 0) {
    arrive(counter, file, line);
    await_count(counter, generation * blocks, file, line);
  }
  block_sync(file, line);
}
inline void await_others(const Barrier* counter, u32 generation, u32 blocks, GR_SITE) {
  if (thread_id() == 0) await_count(counter, (generation + 1) * blocks - 1, file, line);
  block_sync(file, line);
}

// --- scan ---------------------------------------------------------------------------------------
template <class T>
inline T warp_inclusive_scan(T x, GR_SITE) {
  const Brought<T> all = meet(x, {"warp_inclusive_scan", file, line});
  T sum = all.values[0];
  for (int lane = 1; lane <= lane_id(); ++lane) sum += all.values[lane];
  return sum;
}
template <class T>
inline T warp_sum(T x, GR_SITE) {
  for (int d = WARP / 2; d > 0; d /= 2) x += warp_exchange(x, d, file, line);
  return x;
}
inline u32 warp_or(u32 x, GR_SITE) {
  for (int d = WARP / 2; d > 0; d /= 2) x |= warp_exchange(x, d, file, line);
  return x;
}
template <class T>
inline T warp_min(T x, GR_SITE) {
  for (int d = WARP / 2; d > 0; d /= 2) {
    const T y = warp_exchange(x, d, file, line);
    x = y < x ? y : x;
  }
  return x;
}
template <class T>
struct ScanStorage {
  T totals[2][WARPS];
};
// With as few barriers as in cuda.cuh, so that a wrong `turn` shows.
template <class T>
inline T block_scan(T x, T& total, ScanStorage<T>& storage, int turn, GR_SITE) {
  const T inclusive = warp_inclusive_scan(x, file, line);
  if (lane_id() == WARP - 1) storage.totals[turn & 1][warp_id()] = inclusive;
  block_sync(file, line);
  T before = T(0);
  total = T(0);
  for (int warp = 0; warp < WARPS; ++warp) {
    if (warp == warp_id()) before = total;
    total += storage.totals[turn & 1][warp];
  }
  return before + inclusive - x;
}

}  // namespace gunrock::lanes

namespace gunrock {
namespace machine = lanes;
}
