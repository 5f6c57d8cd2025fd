// The CPU backend: g++ or clang++, C++17; OpenMP or, without it, POSIX threads.
#pragma once
#include <cstring>
#include <ctime>
#include <sched.h>
#ifdef __linux__
#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define GR_CUDA 0
#define GR_ENTRY "backend/cpu_entry.cuh"
#define GR_PLACE(STRUCT, NAME) ((const volatile void*)__builtin_offsetof(STRUCT, NAME))
#define GR_DEVICE inline
#define GR_UNROLL
#define GR_PRAGMA(...) _Pragma(#__VA_ARGS__)
// Before a loop whose iterations depend on each other by these sums only: a core executes several at once.
#define GR_SIMD_SUMS(...) GR_PRAGMA(omp simd reduction(+ : __VA_ARGS__))
#define GR_NO_UNROLL
// Between members that different threads write, so that a line of memory, and the one fetched with it, belongs
// to one core only. (Not alignas: the host, which allocates the members, does not align them.)
#define GR_APART(NAME) char NAME[128];

namespace gunrock::cpu {

constexpr int WARP = 1;
constexpr int BLOCK = 1;
constexpr int WARPS = 1;

constexpr int BATCH = 8;           // edges that a thread of an advance processes at once
constexpr int PASS = BLOCK * BATCH;
constexpr int STAGE = 4096;        // items that wait in a block for a queue
constexpr int SINGLE_BLOCK_EDGES = 4096;   // below this, one core is faster than a barrier of all cores
constexpr int SINGLE_BLOCK_CAPACITY = SINGLE_BLOCK_EDGES;
constexpr int AHEAD_CAPACITY = 4096;  // items of a block that runs ahead
// A core's own cache keeps what it reads often. Kernels that fill the cache (GR_SHARED_CACHE 2) get a little room
// nevertheless, so that their code can be tested.
#if GR_SHARED_CACHE == 2
constexpr int SHARED_CACHE_BYTES = 512;
#else
constexpr int SHARED_CACHE_BYTES = 16;
#endif

inline int thread_id() { return 0; }
inline int lane_id() { return 0; }
inline int warp_id() { return 0; }
inline void relax() {  // yields the core to its other hardware thread
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}
// Between two polls of a word that another thread will write. After a while the thread sleeps, so that a thread
// whose core was taken by another program can use this one's core [D-team-2].
inline void pause(int polls) {
  constexpr int POLLS = 400;
  constexpr timespec NAP = {0, 20'000};
  if (polls > POLLS) nanosleep(&NAP, nullptr);
  else relax();
}
inline u64 clock_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return u64(now.tv_sec) * 1'000'000'000 + u64(now.tv_nsec);
}

// --- barriers -----------------------------------------------------------------------------------
inline void block_sync() {}
inline int block_count(bool x) { return x; }
inline bool block_any(bool x) { return x; }
inline void warp_sync() {}
inline u32 warp_ballot(bool x) { return x; }
template <class T>
inline T warp_broadcast(T x, int) { return x; }
template <class T>
inline T warp_exchange(T x, int) { return x; }
template <class T>
inline T octet_broadcast(T x, int) { return x; }
template <class T>
inline u32 warp_match(T) { return 1; }
template <class T>
inline bool is_first_with(T) { return true; }
inline void branch_sync() {}
inline u32 most_together(u32 x) { return x; }
inline int first_lane(u32) { return 0; }

// The barrier of all threads: counters that only grow. A waiting thread polls a word that the last thread to
// arrive writes once, rather than the one that all write on arrival [D-team-1]. After a short while it sleeps
// until that word changes, so that a thread whose core was taken by another program can use the sleeper's core
// [D-team-2].
constexpr int ARRIVED = 0, PASSED = 32;  // arrivals at all barriers; the number of barriers that are over
constexpr int SLEEPERS = 1;              // the word after a counter: the number of threads that sleep until it changes
using Barrier = u32[PASSED + SLEEPERS + 1];
constexpr int POLLS_AWAKE = 300;  // some 6 us: longer than a step of a small frontier takes
// True if a counter has not reached its target. It wraps round, as a GPU's counter does.
inline bool is_short_of(u32 seen, u32 target) { return i32(seen - target) < 0; }
#ifdef __linux__
inline void sleep_while(u32* word, u32 seen) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, nullptr, nullptr, 0);
}
inline void wake_all(u32* word) { syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0); }
#else
inline void sleep_while(u32*, u32) { sched_yield(); }
inline void wake_all(u32*) {}
#endif
// Sequentially consistent, like the code that changes a counter and then looks for sleepers: one of the two
// sees the other.
inline void await_count(u32* counter, u32 target) {
  for (int polls = 0; is_short_of(__atomic_load_n(counter, __ATOMIC_ACQUIRE), target); ++polls) {
    if (polls < POLLS_AWAKE) {
      relax();
      continue;
    }
    __atomic_fetch_add(counter + SLEEPERS, 1u, __ATOMIC_SEQ_CST);
    const u32 seen = __atomic_load_n(counter, __ATOMIC_SEQ_CST);
    if (is_short_of(seen, target)) sleep_while(counter, seen);
    __atomic_fetch_sub(counter + SLEEPERS, 1u, __ATOMIC_RELAXED);
  }
}
inline void wake_sleepers(u32* counter) {
  if (__atomic_load_n(counter + SLEEPERS, __ATOMIC_SEQ_CST)) wake_all(counter);
}
inline int launched_blocks() { return 1; }  // only cores ask, about their own work
inline void grid_barrier(Barrier* barrier, u32& generation, u32 blocks) {
  u32 *arrived = &(*barrier)[ARRIVED], *passed = &(*barrier)[PASSED];
  ++generation;
  const bool last = __atomic_add_fetch(arrived, 1u, __ATOMIC_SEQ_CST) == generation * blocks;
  if (last) {
    __atomic_store_n(passed, generation, __ATOMIC_SEQ_CST);
    wake_sleepers(passed);
  } else {
    wake_sleepers(arrived);  // a thread may be waiting for all others to arrive
    await_count(passed, generation);
  }
}
// One block: waits until all others have arrived at the next barrier, which this block has not.
inline void await_others(Barrier* barrier, u32 generation, u32 blocks) {
  await_count(&(*barrier)[ARRIVED], (generation + 1) * blocks - 1);
}

// --- memory -------------------------------------------------------------------------------------
template <class T>
inline T load_relaxed(const T* p) {
  T x;
  __atomic_load(p, &x, __ATOMIC_RELAXED);
  return x;
}
template <class T>
inline void store_relaxed(T* p, T x) { __atomic_store(p, &x, __ATOMIC_RELAXED); }
template <class T>
inline T* keep_pointer(T* p) { return p; }
template <class Shared, class T>
inline const T* in_shared(const Shared&, const T* p) { return p; }
// Words in which devices report their progress: what was written before them is seen after them.
inline void fence_system() {}
inline u64 load_system(const u64* p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }
inline void store_system(u64* p, u64 x) { __atomic_store_n(p, x, __ATOMIC_RELEASE); }
template <class T>
inline T load_cached(const T* p) { return load_relaxed(p); }
inline void load_cached_two(const double* p, double& x, double& y) {
  x = load_cached(p);
  y = load_cached(p + 1);
}
template <class T>
inline T load_constant(const T* p) { return *p; }
inline i32 load_constant_once(const i32* p) { return *p; }
inline i32 load_constant_wide(const i32* p) { return *p; }
inline void load_four(const i32* p, i32 (&x)[4]) {
  for (int k = 0; k < 4; ++k) x[k] = p[k];
}
inline void store_four(i32* p, const i32 (&x)[4]) {
  for (int k = 0; k < 4; ++k) p[k] = x[k];
}
inline void load_four_if(bool wanted, const i32* p, i32 (&x)[4]) {
  if (wanted) load_four(p, x);
}
template <class T>
inline void prefetch_near(const T* p) { __builtin_prefetch(p); }
template <class T>
inline void prefetch_far(const T*) {}

// Atomics return the old value. All are relaxed: a barrier orders them.
template <class T>
inline T atomic_cas(T* p, T expected, T desired) {
  __atomic_compare_exchange(p, &expected, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
// Atomics and loads under a predicate.
inline i32 load_relaxed_if(bool wanted, const i32* p, i32 otherwise) {
  return wanted ? load_relaxed(p) : otherwise;
}
inline u64 load_relaxed_if(bool wanted, const u64* p, u64 otherwise) {
  return wanted ? load_relaxed(p) : otherwise;
}
inline u16 load_relaxed_if(bool wanted, const u16* p, u16 otherwise) {
  return wanted ? load_relaxed(p) : otherwise;
}
inline u32 load_relaxed_if(bool wanted, const u8* p) { return wanted ? load_relaxed(p) : 0; }
inline u32 load_cached_if(bool wanted, const u8* p) { return load_relaxed_if(wanted, p); }
inline u32 load_cached_if(bool wanted, const u32* p, u32 otherwise) {
  return wanted ? load_cached(p) : otherwise;
}
inline i32 load_cached_if(bool wanted, const i32* p, i32 otherwise) {
  return wanted ? load_cached(p) : otherwise;
}
inline u16 load_cached_if(bool wanted, const u16* p, u16 otherwise) {
  return wanted ? load_cached(p) : otherwise;
}
inline i32 atomic_cas_if(bool wanted, i32* p, i32 expected, i32 desired, i32 otherwise) {
  return wanted ? atomic_cas(p, expected, desired) : otherwise;
}
// old -> update(old), for operations without a machine instruction.
template <class T, class Update>
inline T atomic_update(T* p, Update update) {
  T old = load_relaxed(p);
  for (;;) {
    T wanted = update(old);
    if (wanted == old) return old;
    if (__atomic_compare_exchange(p, &old, &wanted, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}
template <class T>
inline T atomic_add(T* p, T x) { return __atomic_fetch_add(p, x, __ATOMIC_RELAXED); }
inline float atomic_add(float* p, float x) {
  return atomic_update(p, [x](float old) { return old + x; });
}
inline double atomic_add(double* p, double x) {
  return atomic_update(p, [x](double old) { return old + x; });
}
inline u32 atomic_or(u32* p, u32 x) { return __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }
inline void set_bits(u64* p, u64 x) { __atomic_fetch_or(p, x, __ATOMIC_RELAXED); }
inline u32 atomic_and(u32* p, u32 x) { return __atomic_fetch_and(p, x, __ATOMIC_RELAXED); }
template <class T>
inline T atomic_exchange(T* p, T x) { return __atomic_exchange_n(p, x, __ATOMIC_RELAXED); }
template <class T>
inline T atomic_min(T* p, T x) {
  return atomic_update(p, [x](T old) { return x < old ? x : old; });
}
template <class T>
inline T atomic_max(T* p, T x) {
  return atomic_update(p, [x](T old) { return old < x ? x : old; });
}
inline u32 atomic_min_if(bool wanted, u32* p, u32 x, u32 otherwise) {
  return wanted ? atomic_min(p, x) : otherwise;
}

template <class To, class From>
inline To same_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "other bits would be lost or made up");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}
inline u32 float_bits(float x) { return same_bits<u32>(x); }
inline float bits_float(u32 bits) { return same_bits<float>(bits); }
inline u64 double_bits(double x) { return same_bits<u64>(x); }
inline double bits_double(u64 bits) { return same_bits<double>(bits); }
inline double magnitude(double x) { return __builtin_fabs(x); }
inline double square_root(double x) { return __builtin_sqrt(x); }
inline int popcount(u32 x) { return __builtin_popcount(x); }
inline int lowest_bit(u32 x) { return __builtin_ctz(x); }
inline int highest_bit(u32 x) { return 31 - __builtin_clz(x); }
inline int lowest_bit(u64 x) { return __builtin_ctzll(x); }
inline int reserve(int* counter) { return (*counter)++; }

// --- scan ---------------------------------------------------------------------------------------
template <class T>
inline T warp_inclusive_scan(T x) { return x; }
template <class T>
inline T warp_sum(T x) { return x; }
inline u32 warp_or(u32 x) { return x; }
template <class T>
inline T warp_min(T x) { return x; }
template <class T>
struct ScanStorage {
  T totals[2][WARPS];
};
template <class T>
inline T block_scan(T x, T& total, ScanStorage<T>&, int) {
  total = x;
  return T(0);
}

}  // namespace gunrock::cpu

namespace gunrock {
namespace machine = cpu;
}
