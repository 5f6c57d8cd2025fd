// The CUDA backend, for sm_75 and later. It needs no header of the toolkit, as NVRTC compiles it alone.
#pragma once

#define GR_CUDA 1
#define GR_ENTRY "backend/cuda_entry.cuh"
// A member's place. (NVRTC 13.0 has neither offsetof nor its builtin, but accepts this as a constant.)
#define GR_PLACE(STRUCT, NAME) (&((STRUCT*)0)->NAME)
#define GR_DEVICE __device__ __forceinline__
#define GR_UNROLL _Pragma("unroll")
#define GR_SIMD_SUMS(...)
#define GR_NO_UNROLL _Pragma("unroll 1")
#define GR_APART(NAME)  // nothing is needed between members that different threads write

namespace gunrock::cuda {

constexpr int WARP = 32;
constexpr int BLOCK = GR_BLOCK;
constexpr int WARPS = BLOCK / WARP;
constexpr u32 FULL_WARP = 0xffffffffu;

// Sizes that the host tunes, as macros (engine/tuning.py).
constexpr int BATCH = GR_ITEMS;                  // edges that a thread of an advance processes at once
constexpr int PASS = BLOCK * BATCH;              // edges that a block processes at once
constexpr int STAGE = 2 * PASS;                  // items that wait in a block for a queue
constexpr int SINGLE_BLOCK_CAPACITY = GR_SINGLE_BLOCK_CAPACITY;  // items that a single block's queues hold
constexpr int SINGLE_BLOCK_EDGES = GR_SINGLE_BLOCK_EDGES;        // largest frontier for a single block [D-solo-1]
constexpr int AHEAD_CAPACITY = 1024;             // items of a block that runs ahead [D-ahead-1]
// The bytes of a block's cache of what most threads read (GR_SHARED_CACHE), if two blocks share a
// multiprocessor.
#ifdef GR_SHARED_CACHE_BYTES
constexpr int SHARED_CACHE_BYTES = GR_SHARED_CACHE_BYTES;
#elif (__CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000) && GR_SHARED_CACHE == 2  // all of the shared memory
constexpr int SHARED_CACHE_BYTES = 89344;
#elif __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
constexpr int SHARED_CACHE_BYTES = 65536;
#elif __CUDA_ARCH__ >= 800
constexpr int SHARED_CACHE_BYTES = 16384;
#else
constexpr int SHARED_CACHE_BYTES = 2048;
#endif

GR_DEVICE int thread_id() { return int(threadIdx.x); }
GR_DEVICE int lane_id() { return int(threadIdx.x) % WARP; }
GR_DEVICE int warp_id() { return int(threadIdx.x) / WARP; }
// Between two polls of a word that another thread will write.
GR_DEVICE void pause(int) {}
GR_DEVICE u64 clock_ns() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// --- barriers -----------------------------------------------------------------------------------
GR_DEVICE void block_sync() { __syncthreads(); }
GR_DEVICE int block_count(bool x) { return __syncthreads_count(x); }
GR_DEVICE bool block_any(bool x) { return __syncthreads_or(x); }
GR_DEVICE void warp_sync() { __syncwarp(); }
GR_DEVICE u32 warp_ballot(bool x) { return __ballot_sync(FULL_WARP, x); }
template <class T>
GR_DEVICE T warp_broadcast(T x, int lane) { return __shfl_sync(FULL_WARP, x, lane); }
template <class T>
GR_DEVICE T warp_exchange(T x, int distance) { return __shfl_xor_sync(FULL_WARP, x, distance); }
// The value of the lane at `place` among the caller's eight neighbouring lanes.
template <class T>
GR_DEVICE T octet_broadcast(T x, int place) { return __shfl_sync(FULL_WARP, x, place, 8); }
// The lanes of a warp that have the same x.
template <class T>
GR_DEVICE u32 warp_match(T x) { return __match_any_sync(FULL_WARP, x); }
// True for one of a warp's threads that call together with the same x.
template <class T>
GR_DEVICE bool is_first_with(T x) {
  const u32 twins = __match_any_sync(__activemask(), x);
  return lane_id() == __ffs(int(twins)) - 1;
}
// The most of what the threads that call together bring, for one of them; 0 for the others.
GR_DEVICE u32 most_together(u32 x) {
  const u32 callers = __activemask();
  u32 most = 0;
  for (u32 left = callers; left; left &= left - 1) {
    const u32 other = __shfl_sync(callers, x, __ffs(int(left)) - 1);
    if (other > most) most = other;
  }
  return lane_id() == __ffs(int(callers)) - 1 ? most : 0;
}
// The threads of a warp that call this together then see each other's earlier writes.
GR_DEVICE void branch_sync() { __syncwarp(__activemask()); }
GR_DEVICE int first_lane(u32 ballot) { return __ffs(ballot) - 1; }

using Barrier = u32;  // blocks that have arrived
GR_DEVICE int launched_blocks() { return int(gridDim.x); }

// True if a counter that only grows has not reached its target. It wraps round: a large grid's counter does so
// within millions of barriers, and a search of a long path takes that many.
GR_DEVICE bool is_short_of(u32 seen, u32 target) { return i32(seen - target) < 0; }

// After a wait whose polls did not acquire.
GR_DEVICE void acquire_once() {
  if constexpr (GR_BLOCKS_PER_SM > 1) asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

// One thread: waits until the counter has reached its target. Each load-acquire empties the multiprocessor's
// cache, which other blocks may be using: if there can be any, it acquires once, when the wait is over
// [D-barrier-1].
GR_DEVICE void await_count(const Barrier* counter, u32 target) {
  u32 seen;
  do {
    if constexpr (GR_BLOCKS_PER_SM == 1)
      asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
    else
      asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
  } while (is_short_of(seen, target));
  acquire_once();
}

// Waits likewise for a counter in the lower half of the second of two words, at a multiple of 16 bytes, that
// begins at 0; it acquires only when acquire_once() is called. ask() is called after each poll, and its loads
// are in flight at the same time. One load reads both words, so the first word is as it was when the last block
// had arrived. (PTX treats such a load as two, in an unspecified order; that the cache answers both from one
// sector at once is a property of the hardware.)
template <class Ask>
GR_DEVICE void await_second(const u64* words, u32 target, u64& first, u64& second, Ask ask) {
  do {
    if constexpr (GR_BLOCKS_PER_SM == 1)
      asm volatile("ld.acquire.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(words) : "memory");
    else
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(first), "=l"(second) : "l"(words) : "memory");
    ask();
  } while (u32(second) < target);
}
GR_DEVICE void arrive(u64* counter) {
  asm volatile("red.release.gpu.global.add.u64 [%0], 1;" ::"l"(counter) : "memory");
}
GR_DEVICE void arrive(u32* counter) {
  asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(counter) : "memory");
}

// All blocks of the grid arrive (a cooperative launch keeps them resident). The counter only grows, so it needs
// no second phase; `generation` counts the barriers passed. Release on arrival, acquire on leaving: every
// thread then sees what any thread wrote before.
GR_DEVICE void grid_barrier(Barrier* counter, u32& generation, u32 blocks) {
  ++generation;
  __syncthreads();
  if (threadIdx.x == 0) {
    arrive(counter);
    await_count(counter, generation * blocks);
  }
  __syncthreads();
}

// One block: waits until all others have arrived at the next barrier, which this block has not.
GR_DEVICE void await_others(const Barrier* counter, u32 generation, u32 blocks) {
  if (threadIdx.x == 0) await_count(counter, (generation + 1) * blocks - 1);
  __syncthreads();
}

// --- memory -------------------------------------------------------------------------------------
// Relaxed loads and stores see what other blocks wrote (they bypass this block's L1).
GR_DEVICE u8 load_relaxed(const u8* p) { return *(const volatile u8*)p; }
GR_DEVICE u16 load_relaxed(const u16* p) { return *(const volatile u16*)p; }
GR_DEVICE i32 load_relaxed(const i32* p) { return *(const volatile i32*)p; }
GR_DEVICE u32 load_relaxed(const u32* p) { return *(const volatile u32*)p; }
GR_DEVICE i64 load_relaxed(const i64* p) { return *(const volatile i64*)p; }
GR_DEVICE u64 load_relaxed(const u64* p) { return *(const volatile u64*)p; }
GR_DEVICE float load_relaxed(const float* p) { return *(const volatile float*)p; }
GR_DEVICE double load_relaxed(const double* p) { return *(const volatile double*)p; }
template <class T>
GR_DEVICE void store_relaxed(T* p, T x) { *(volatile T*)p = x; }
// Words in which devices report their progress: with a fence before the store and after the load, what was
// written before is seen after.
GR_DEVICE void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }
GR_DEVICE u64 load_system(const u64* p) {
  u64 x;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(x) : "l"(p) : "memory");
  return x;
}
GR_DEVICE void store_system(u64* p, u64 x) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
}
// For arrays that nobody writes while the kernel runs (the graph).
template <class T>
GR_DEVICE T load_constant(const T* p) { return __ldg(p); }
// For a constant whose neighbours nobody will read: not kept in the multiprocessor's cache.
GR_DEVICE i32 load_constant_once(const i32* p) {
  i32 x;
  asm("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r"(x) : "l"(p));
  return x;
}
// For a constant whose neighbours will soon be read: the whole line of 128 bytes is loaded into L2.
GR_DEVICE i32 load_constant_wide(const i32* p) {
  i32 x;
  asm("ld.global.nc.L2::128B.s32 %0, [%1];" : "=r"(x) : "l"(p));
  return x;
}
// Four values of 32 bits at a multiple of 16 bytes.
GR_DEVICE void load_four(const i32* p, i32 (&x)[4]) {
  const int4 four = *(const int4*)p;
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}
GR_DEVICE void store_four(i32* p, const i32 (&x)[4]) { *(int4*)p = make_int4(x[0], x[1], x[2], x[3]); }
// Four values that nobody reads a second time.
GR_DEVICE void load_four_once(const i32* p, i32 (&x)[4]) {
  const int4 four = __ldcs((const int4*)p);
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}
GR_DEVICE void load_four_once(const float* p, float (&x)[4]) {
  const float4 four = __ldcs((const float4*)p);
  x[0] = four.x, x[1] = four.y, x[2] = four.z, x[3] = four.w;
}
// The word at p as this multiprocessor's cache has it: it may be as old as the grid's last barrier, but the
// load does not queue up behind others to the same place.
template <class T>
GR_DEVICE T load_cached(const T* p) { return __ldca(p); }
// Two at a multiple of 16 bytes.
GR_DEVICE void load_cached_two(const double* p, double& x, double& y) {
  asm volatile("ld.global.ca.v2.f64 {%0, %1}, [%2];" : "=d"(x), "=d"(y) : "l"(p));
}
// Prefetches a value that this block (near) or any block (far) will soon load. Near helps only a core: here the
// assembler removes loads whose result is unused, and prefetch.global.L1 costs more than it gains
// [D-prefetch-1].
template <class T>
GR_DEVICE void prefetch_near(const T*) {}
template <class T>
GR_DEVICE void prefetch_far(const T* p) { asm volatile("prefetch.global.L2 [%0];" ::"l"(p)); }

// Loads, and an atomic, under a predicate: behind a branch the compiler would test each loaded value, and so
// wait for it, before it issues the next load of a batch [D-branch-1].
#define GR_LOAD_IF(NAME, TYPE, LOAD, REGISTER)                                              \
  GR_DEVICE TYPE NAME(bool wanted, const TYPE* p, TYPE otherwise) {                         \
    asm volatile("{.reg .pred q;\n\tsetp.ne.s32 q, %2, 0;\n\t@q " LOAD " %0, [%1];}"        \
                 : "+" REGISTER(otherwise) : "l"(p), "r"(i32(wanted)));                     \
    return otherwise;                                                                       \
  }
GR_LOAD_IF(load_relaxed_if, i32, "ld.relaxed.gpu.global.s32", "r")
GR_LOAD_IF(load_relaxed_if, u64, "ld.relaxed.gpu.global.u64", "l")
GR_LOAD_IF(load_relaxed_if, u16, "ld.relaxed.gpu.global.u16", "h")
GR_LOAD_IF(load_cached_if, u16, "ld.weak.global.u16", "h")
GR_LOAD_IF(load_cached_if, u32, "ld.weak.global.u32", "r")
#undef GR_LOAD_IF
GR_DEVICE i32 load_cached_if(bool wanted, const i32* p, i32 otherwise) {
  return i32(load_cached_if(wanted, (const u32*)p, u32(otherwise)));
}
// A byte as a word; undefined if not wanted. If another value had to be kept instead, the assembler would load
// to a separate register and move it, and so wait for a batch's first load before it issues the last.
#define GR_LOAD_BYTE_IF(NAME, LOAD)                                                         \
  GR_DEVICE u32 NAME(bool wanted, const u8* p) {                                            \
    u32 x;                                                                                  \
    asm volatile("{.reg .pred q;\n\tsetp.ne.s32 q, %2, 0;\n\t@q " LOAD " %0, [%1];}"        \
                 : "=r"(x) : "l"(p), "r"(i32(wanted)));                                     \
    return x;                                                                               \
  }
GR_LOAD_BYTE_IF(load_relaxed_if, "ld.relaxed.gpu.global.u8")
GR_LOAD_BYTE_IF(load_cached_if, "ld.weak.global.u8")
#undef GR_LOAD_BYTE_IF
GR_DEVICE void load_four_if(bool wanted, const i32* p, i32 (&x)[4]) {  // if not wanted, x is unchanged
  asm volatile("{.reg .pred q;\n\tsetp.ne.s32 q, %5, 0;\n\t@q ld.weak.global.v4.s32 {%0, %1, %2, %3}, [%4];}"
               : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]) : "l"(p), "r"(i32(wanted)));
}
GR_DEVICE i32 atomic_cas_if(bool wanted, i32* p, i32 expected, i32 desired, i32 otherwise) {
  asm volatile("{.reg .pred q;\n\tsetp.ne.s32 q, %4, 0;\n\t"
               "@q atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;}"
               : "+r"(otherwise) : "l"(p), "r"(expected), "r"(desired), "r"(i32(wanted)) : "memory");
  return otherwise;
}
GR_DEVICE u32 atomic_min_if(bool wanted, u32* p, u32 x, u32 otherwise) {
  asm volatile("{.reg .pred q;\n\tsetp.ne.s32 q, %3, 0;\n\t@q atom.relaxed.gpu.global.min.u32 %0, [%1], %2;}"
               : "+r"(otherwise) : "l"(p), "r"(x), "r"(i32(wanted)) : "memory");
  return otherwise;
}

// A pointer that the compiler keeps in registers instead of computing it again at each use.
template <class T>
GR_DEVICE T* keep_pointer(T* p) {
  asm("" : "+l"(p));
  __builtin_assume(__isGlobal(p));
  return p;
}

// A pointer into the block's shared memory, in a form that lets the compiler see this.
template <class Shared, class T>
GR_DEVICE const T* in_shared(const Shared& shared, const T* p) {
  u32 offset = u32((const char*)p - (const char*)&shared);
  asm("" : "+r"(offset));
  return (const T*)((const char*)&shared + offset);
}

// Atomics return the old value. All relaxed: a barrier orders them.
template <class T>
GR_DEVICE T atomic_cas(T* p, T expected, T desired) { return atomicCAS(p, expected, desired); }
template <class T>
GR_DEVICE T atomic_add(T* p, T x) { return atomicAdd(p, x); }
GR_DEVICE i64 atomic_add(i64* p, i64 x) { return i64(atomicAdd((u64*)p, u64(x))); }
GR_DEVICE u32 atomic_or(u32* p, u32 x) { return atomicOr(p, x); }
// A bitwise or by an atomic, without the old value, for a word that only this block writes if it lies in its shared memory.
// (In shared memory a 64-bit atomic is a loop.)
GR_DEVICE void set_bits(u64* p, u64 x) {
  if (__isGlobal(p)) asm volatile("red.relaxed.gpu.global.or.b64 [%0], %1;" ::"l"(p), "l"(x) : "memory");
  else store_relaxed(p, x);
}
GR_DEVICE u32 atomic_and(u32* p, u32 x) { return atomicAnd(p, x); }
template <class T>
GR_DEVICE T atomic_exchange(T* p, T x) { return atomicExch(p, x); }
template <class T>
GR_DEVICE T atomic_min(T* p, T x) { return atomicMin(p, x); }
template <class T>
GR_DEVICE T atomic_max(T* p, T x) { return atomicMax(p, x); }
// Non-negative floats order like their bits.
GR_DEVICE float atomic_min(float* p, float x) {
  return __int_as_float(atomicMin((i32*)p, __float_as_int(x)));
}

GR_DEVICE u32 float_bits(float x) { return u32(__float_as_int(x)); }
GR_DEVICE float bits_float(u32 bits) { return __int_as_float(i32(bits)); }
GR_DEVICE u64 double_bits(double x) { return u64(__double_as_longlong(x)); }
GR_DEVICE double bits_double(u64 bits) { return __longlong_as_double(i64(bits)); }
GR_DEVICE double magnitude(double x) { return x < 0 ? -x : x; }
GR_DEVICE float magnitude(float x) { return fabsf(x); }
GR_DEVICE double square_root(double x) { return sqrt(x); }
GR_DEVICE int popcount(u32 x) { return __popc(x); }
GR_DEVICE int lowest_bit(u32 x) { return __ffs(int(x)) - 1; }
GR_DEVICE int highest_bit(u32 x) { return 31 - __clz(int(x)); }
GR_DEVICE int lowest_bit(u64 x) { return __ffsll(i64(x)) - 1; }

// A place in a shared counter for each of the threads that call together, by one atomic for all of them.
GR_DEVICE int reserve(int* counter) {
  const u32 mask = __activemask();
  const int leader = __ffs(int(mask)) - 1;
  int base = 0;
  if (lane_id() == leader) base = atomicAdd(counter, __popc(mask));
  return __shfl_sync(mask, base, leader) + __popc(mask & ((1u << lane_id()) - 1));
}

// --- scan ---------------------------------------------------------------------------------------
template <class T>
GR_DEVICE T warp_inclusive_scan(T x) {
  GR_UNROLL
  for (int d = 1; d < WARP; d *= 2) {
    const T y = __shfl_up_sync(FULL_WARP, x, d);
    if (lane_id() >= d) x += y;
  }
  return x;
}
template <class T>
GR_DEVICE T warp_sum(T x) {
  GR_UNROLL
  for (int d = WARP / 2; d > 0; d /= 2) x += __shfl_xor_sync(FULL_WARP, x, d);
  return x;
}
// The bitwise or over a warp's lanes.
GR_DEVICE u32 warp_or(u32 x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(FULL_WARP, x);
#else
  GR_UNROLL
  for (int d = WARP / 2; d > 0; d /= 2) x |= __shfl_xor_sync(FULL_WARP, x, d);
  return x;
#endif
}
template <class T>
GR_DEVICE T warp_min(T x) {
  GR_UNROLL
  for (int d = WARP / 2; d > 0; d /= 2) {
    const T y = __shfl_xor_sync(FULL_WARP, x, d);
    x = y < x ? y : x;
  }
  return x;
}

// Shared memory of block_scan: two sets used in turn, so that one barrier per call is enough.
template <class T>
struct ScanStorage {
  T totals[2][WARPS];
};

// Exclusive prefix sum over the block, and its total. Every warp scans the warps' totals for itself,
// which saves the second barrier. `turn` must alternate between calls that share `storage`.
template <class T>
GR_DEVICE T block_scan(T x, T& total, ScanStorage<T>& storage, int turn) {
  const T inclusive = warp_inclusive_scan(x);
  if (lane_id() == WARP - 1) storage.totals[turn & 1][warp_id()] = inclusive;
  __syncthreads();
  T sums = lane_id() < WARPS ? storage.totals[turn & 1][lane_id()] : T(0);
  sums = warp_inclusive_scan(sums);
  total = __shfl_sync(FULL_WARP, sums, WARPS - 1);
  const T before = __shfl_sync(FULL_WARP, sums, (warp_id() + WARP - 1) % WARP);
  return inclusive - x + (warp_id() == 0 ? T(0) : before);
}

}  // namespace gunrock::cuda

namespace gunrock {
namespace machine = cuda;
}
