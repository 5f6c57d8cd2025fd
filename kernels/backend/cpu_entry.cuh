// The functions that the host calls to run on cores. Included by core/entry.cuh.
#pragma once
#ifdef _OPENMP
#include <omp.h>
#endif
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

// (The standard library's threads, vectors and strings would take a quarter of a kernel's time to compile.)

template <class Body>
struct Worker {
  pthread_t thread;
  Body* body;
  int number;
  static void* run(void* worker) {
    const auto& own = *static_cast<Worker*>(worker);
    (*own.body)(own.number);
    return nullptr;
  }
};

// Runs body(i) for i in [0, threads), each on a thread of its own. OpenMP may start fewer threads than asked
// for (a limit, dynamic adjustment), which would then wait at the first barrier for ever; in that case
// they are started here, as without OpenMP.
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
  auto* const workers = new Worker<Body>[threads];
  for (int i = 1; i < threads; ++i) {
    workers[i] = {{}, &body, i};
    if (pthread_create(&workers[i].thread, nullptr, Worker<Body>::run, &workers[i]) != 0) std::abort();
  }
  body(0);
  for (int i = 1; i < threads; ++i) pthread_join(workers[i].thread, nullptr);
  delete[] workers;
}

// Runs call(driver) on a driver for each thread; returns the nanoseconds from when all threads had started until
// the last of them had done its work. (A sleeping thread must be woken first, as a GPU's kernel must be launched.)
// If call returns true, the first thread has ended the run by itself. The others have no work then, and are not
// waited for: where other programs run, a sleeper takes longer to wake than a small search.
template <class Call>
u64 timed_run(const Args& args, int threads, Call call) {
  struct alignas(64) Storage { BlockShared shared; };  // no two blocks write to one cache line
  auto* const blocks = new Storage[threads]();
  Barrier together = {};
  u64 begin = 0, end = 0;
  run_threads(threads, [&](int i) {
    u32 generation = 0;
    grid_barrier(&together, generation, u32(threads));
    if (i == 0) begin = clock_ns();
    const bool alone = call(Driver<Enactor, Problem>{args, *args.workspace.control, blocks[i].shared, i, threads});
    if (!alone) grid_barrier(&together, generation, u32(threads));
    if (i == 0) end = alone ? args.workspace.control->end_ns : clock_ns();
  });
  delete[] blocks;
  return end - begin;
}

extern "C" {
extern const contract::Entry gr_contract[];
const contract::Entry gr_contract[] = {GR_CONTRACT};
extern const i64 gr_contract_bytes;
const i64 gr_contract_bytes = sizeof(gr_contract);

// Sets a line to write to stderr before a crash ends the process.
void gr_tell_of_crashes(const char* line) {
  static char* message = nullptr;
  std::free(message);
  message = strdup(line);
  const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (const int number : crashes)
    std::signal(number, [](int raised) {
      static char first = 1;  // several threads may crash at the same time
      if (__atomic_exchange_n(&first, 0, __ATOMIC_RELAXED) && write(STDERR_FILENO, message, strlen(message)) < 0)
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
