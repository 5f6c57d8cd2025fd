// What a backend provides: all by which a GPU and a CPU differ. Every other header builds on these names, and on
// no others of a backend's.
//
// The vocabulary is CUDA's: a grid of blocks of BLOCK threads, warps of WARP threads. On the CPU (cpu.cuh) a block
// is one thread of the host (BLOCK = WARP = 1), so block-wide operations do nothing and only the grid barrier and
// the atomics are real. The compiler's command names the backend (GR_BACKEND): cuda.cuh, cpu.cuh or, for tests,
// lanes.cuh, with small blocks and warps on a CPU, which counts as a GPU everywhere else (GR_CUDA).
//
// Macros: GR_CUDA, 0 or 1; GR_DEVICE before a function; GR_UNROLL, GR_NO_UNROLL, GR_SIMD_SUMS before a loop;
// GR_APART between members that different threads write; GR_PLACE, a member's place; GR_ENTRY, the header with
// the functions that the host calls.
#pragma once
#include "../core/types.cuh"
#include GR_BACKEND

namespace gunrock {

// --- sizes --------------------------------------------------------------------------------------
using machine::WARP, machine::BLOCK, machine::WARPS;  // threads of a warp, of a block; warps of a block
using machine::BATCH;  // edges that a thread of an advance processes at once
using machine::PASS;   // edges that a block processes at once
using machine::STAGE;  // items that wait in a block for a queue
using machine::SINGLE_BLOCK_CAPACITY;  // items that a single block's queues hold
using machine::SINGLE_BLOCK_EDGES;     // the largest frontier for a single block
using machine::AHEAD_CAPACITY;         // items of a block that runs ahead
using machine::SHARED_CACHE_BYTES;     // of a block's cache of what most threads read

// --- threads ------------------------------------------------------------------------------------
using machine::thread_id, machine::warp_id;  // within the block
using machine::lane_id;                      // within the warp
using machine::launched_blocks;
using machine::pause;  // between two polls of a word that another thread will write
using machine::clock_ns;

// --- barriers, of all threads of a block, warp or grid ------------------------------------------
using machine::block_sync;
using machine::block_count, machine::block_any;  // for how many threads, and if for any, the argument is true
using machine::warp_sync;
using machine::branch_sync;  // of the warp's threads that call it together
using machine::Barrier;      // the grid's
using machine::grid_barrier;
using machine::await_others, machine::await_count;  // one block: waits for others that arrive at the barrier
#if GR_CUDA
using machine::arrive, machine::await_second, machine::acquire_once;  // parts of a barrier with a payload
#endif

// --- what lanes of a warp tell each other ---------------------------------------------------------
using machine::warp_ballot;       // a bit per lane
using machine::warp_broadcast;    // the value of a lane
using machine::warp_exchange;     // the value of the lane at a distance
using machine::octet_broadcast;   // the value of a lane among eight
using machine::warp_match;        // the lanes with the same value
using machine::is_first_with;     // true for one of the lanes that call together with the same value
using machine::most_together;     // the most of what lanes that call together bring, for one; 0 for the others
using machine::warp_sum, machine::warp_inclusive_scan, machine::warp_or, machine::warp_min;
using machine::ScanStorage, machine::block_scan;  // exclusive prefix sums over a block
using machine::reserve;  // a place in a block's counter, by one atomic for the lanes that call together
using machine::first_lane, machine::popcount, machine::lowest_bit, machine::highest_bit;

// --- memory -------------------------------------------------------------------------------------
using machine::load_relaxed, machine::store_relaxed;  // see what other blocks wrote
using machine::load_cached, machine::load_cached_two;  // may be as old as the grid's last barrier
using machine::load_constant;       // of arrays that nobody writes while the kernel runs
using machine::load_constant_once;  // ... whose neighbours nobody will read
using machine::load_constant_wide;  // ... whose neighbours will soon be read
using machine::load_four, machine::store_four;
using machine::prefetch_near, machine::prefetch_far;  // for this block, for any block
using machine::keep_pointer;  // in registers
using machine::in_shared;     // a pointer that the compiler knows to be into the block's shared memory
using machine::fence_system, machine::load_system, machine::store_system;  // between devices
#if GR_CUDA
using machine::load_four_once;  // values that nobody reads a second time
#endif
// Under a predicate instead of behind a branch, so that several are in flight together; the last argument is the
// value if the predicate is false.
using machine::load_relaxed_if, machine::load_cached_if, machine::load_four_if;
using machine::atomic_cas_if, machine::atomic_min_if;

// --- atomics: they return the old value; a barrier orders them ------------------------------------
using machine::atomic_cas, machine::atomic_exchange, machine::atomic_add;
using machine::atomic_min, machine::atomic_max, machine::atomic_and, machine::atomic_or;
using machine::set_bits;  // atomic_or without the old value

// --- numbers --------------------------------------------------------------------------------------
using machine::float_bits, machine::bits_float, machine::double_bits, machine::bits_double;
using machine::magnitude, machine::square_root;

}  // namespace gunrock
