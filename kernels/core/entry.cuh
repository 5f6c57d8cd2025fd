// The functions that the host calls, for the Enactor and Problem of the primitive that was included before this
// header.
#pragma once
#include "contract.cuh"

using Args = Arguments<Problem>;

namespace gunrock::contract {
GR_NAME(Problem, "Problem")
}

// All that the host must know of the compiled code. The unit lists the Problem's members, the phases, and the
// constants that the host asks for (gunrock_cli/toolchain/unit.py).
#define GR_PROBLEM_MEMBER(NAME) GR_MEMBER(Problem, NAME)
#define GR_PHASE(NAME) GR_ENUMERATOR(Phase, NAME)
#define GR_CONTRACT                                                      \
  GR_CORE_ENTRIES                                                        \
  GR_MEMBER(Args, graph) GR_MEMBER(Args, workspace) GR_MEMBER(Args, problem) \
  GR_MEMBER(Args, peers)                                                 \
  GR_PROBLEM_MEMBERS(GR_PROBLEM_MEMBER)                                  \
  GR_PHASES(GR_PHASE)                                                    \
  GR_CONSTANTS(GR_CONSTANT)                                              \
  GR_SIZE(Problem) GR_SIZE(Args)

// A unit has only the entry for its loop (--loop), as each entry takes the compiler as long as everything else:
// gr_run is the persistent loop, gr_step one step of the host's loop.
#if GR_FIBRES
extern "C" {
extern const contract::Entry gr_contract[];
const contract::Entry gr_contract[] = {GR_CONTRACT};
extern const i64 gr_contract_bytes;
const i64 gr_contract_bytes = sizeof(gr_contract);

// Why the last launch failed; empty if it ended normally.
const char* gr_failure() { return lanes::failure().c_str(); }

// gr_run and gr_step return the nanoseconds that the enactor took. `apart`: each block on a thread of the host
// (fibres.cuh).
#if !GR_HOST_LOOP
u64 gr_run(const Args* args, int blocks, u64 seed, int apart) {
  return lanes::launch<BlockShared>(blocks, BLOCK, WARP, seed, apart, [&](BlockShared& shared, int block) {
    Driver<Enactor, Problem>{*args, *args->workspace.control, shared, block, blocks}.run();
  });
}
#else
u64 gr_step(const Args* args, int blocks, u64 seed, int apart, u32 number) {
  return lanes::launch<BlockShared>(blocks, BLOCK, WARP, seed, apart, [&](BlockShared& shared, int block) {
    Driver<Enactor, Problem>{*args, *args->workspace.control, shared, block, blocks}.run_step(number);
  });
}
#endif
}
#elif GR_CUDA
extern "C" __device__ contract::Entry gr_contract[] = {GR_CONTRACT};
extern "C" __device__ i64 gr_contract_bytes = sizeof(gr_contract);

#if !GR_HOST_LOOP
extern "C" __global__ void __launch_bounds__(BLOCK, GR_BLOCKS_PER_SM)
gr_run(const __grid_constant__ Args args) {
  extern __shared__ __align__(16) char storage[];
  Driver<Enactor, Problem>{args, *args.workspace.control, *(BlockShared*)storage, int(blockIdx.x),
                           int(gridDim.x)}
      .run();
}
#else
extern "C" __global__ void __launch_bounds__(BLOCK, GR_BLOCKS_PER_SM)
gr_step(const __grid_constant__ Args args, u32 number) {
  extern __shared__ __align__(16) char storage[];
  Driver<Enactor, Problem>{args, *args.workspace.control, *(BlockShared*)storage, int(blockIdx.x),
                           int(gridDim.x)}
      .run_step(number);
}
#endif

// Keeps the device busy until the host has queued what is to be timed and says so by signal[0], in the host's
// memory, and for `grace` ns more, in which the device fetches what was queued (otherwise 3 to 12 us of every
// time). signal[1] is set if the host took longer than `ns` and was not waited for. (`gunrock profile` leaves
// this kernel out, by its name.)
extern "C" __global__ void wait_for_host(u32* signal, u64 ns, u64 grace) {
  const u64 begin = clock_ns();
  while (load_relaxed(&signal[0]) == 0) {
    if (clock_ns() - begin > ns) {
      store_relaxed(&signal[1], 1u);
      return;
    }
  }
  const u64 opened = clock_ns();
  while (clock_ns() - opened < grace) {
  }
}
#else
#ifdef _OPENMP
#include <omp.h>
#endif
#include <unistd.h>

#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

// Runs body(i) for i in [0, threads), each on a thread of its own. OpenMP may start fewer threads than asked
// for (a limit, dynamic adjustment), which would then wait at the first barrier for ever; in that case
// std::thread starts them, as it does without OpenMP.
template <class Body>
void run_threads(int threads, Body body) {
#ifdef _OPENMP
  bool complete = false;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
  if (omp_get_num_threads() == threads) {
    if (omp_get_thread_num() == 0) complete = true;
    body(omp_get_thread_num());
  }
  if (complete) return;
#endif
  std::vector<std::thread> workers;
  for (int i = 1; i < threads; ++i) workers.emplace_back(body, i);
  body(0);
  for (std::thread& member : workers) member.join();
}

// Runs call(driver) on a driver for each thread; returns the nanoseconds from when all threads had started until
// the last of them had done its work. (A sleeping thread must be woken first, as a GPU's kernel must be launched.)
// If call returns true, the first thread has ended the run by itself. The others have no work then, and are not
// waited for: where other programs run, a sleeper takes longer to wake than a small search.
template <class Call>
u64 timed_run(const Args& args, int threads, Call call) {
  std::vector<std::unique_ptr<BlockShared>> shared(threads);
  for (auto& storage : shared) storage = std::make_unique<BlockShared>();
  Barrier together = {};
  u64 begin = 0, end = 0;
  run_threads(threads, [&](int i) {
    u32 generation = 0;
    grid_barrier(&together, generation, u32(threads));
    if (i == 0) begin = clock_ns();
    const bool alone = call(Driver<Enactor, Problem>{args, *args.workspace.control, *shared[i], i, threads});
    if (!alone) grid_barrier(&together, generation, u32(threads));
    if (i == 0) end = alone ? args.workspace.control->end_ns : clock_ns();
  });
  return end - begin;
}

extern "C" {
extern const contract::Entry gr_contract[];
const contract::Entry gr_contract[] = {GR_CONTRACT};
extern const i64 gr_contract_bytes;
const i64 gr_contract_bytes = sizeof(gr_contract);

// Sets a line to write to stderr before a crash ends the process.
void gr_tell_of_crashes(const char* line) {
  static std::string message;
  message = line;
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    std::signal(number, [](int raised) {
      static char first = 1;  // several threads may crash at the same time
      if (__atomic_exchange_n(&first, 0, __ATOMIC_RELAXED) && write(STDERR_FILENO, message.data(), message.size()) < 0)
        return _exit(128 + raised);
      std::signal(raised, SIG_DFL);
      std::raise(raised);
    });
}

// gr_run and gr_step return the nanoseconds that the enactor took.
#if !GR_HOST_LOOP
u64 gr_run(const Args* args, int threads) {
  return timed_run(*args, threads, [](const auto& driver) { return driver.run(); });
}
#else
u64 gr_step(const Args* args, int threads, u32 number) {
  return timed_run(*args, threads, [=](const auto& driver) {
    driver.run_step(number);
    return false;
  });
}
#endif
}
#endif
