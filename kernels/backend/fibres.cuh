// The threads of a grid as fibres on a CPU, from which the lanes backend (lanes.cuh) is built. A testing aid.
//
// A fibre runs until it waits for others (at a barrier, or in an operation of its warp) or comes to a place
// where another thread's writes may matter (an atomic, a relaxed load or store). A seed decides which fibre
// goes on: the ready fibre with the highest priority does, and at such places a fibre sometimes draws a new
// priority. So some threads are overtaken once, and some fall far behind, as on a GPU; the same seed gives the
// same order. All blocks are fibres of one thread of the host, unless each is to have a thread of its own, for
// ThreadSanitizer. (Memory is sequentially consistent: this tests orders of threads, and no weaker memory
// model.)
//
// A run that cannot go on ends with a report of which thread waits where: no fibre is ready; an operation names
// a lane that has ended, or one that waits elsewhere; or all fibres only poll (pause) and none writes.
#pragma once
// No header of threads, strings or containers: they took a third of the time that a kernel compiles.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <sched.h>
#include <ucontext.h>
#include "../core/types.cuh"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
// The scheduler's own functions, which are not part of the code under test.
#define GR_UNCHECKED __attribute__((no_sanitize("thread"), noinline))
#else
#define GR_UNCHECKED
#endif

namespace gunrock::lanes {

constexpr int MOST_LANES = 32, MOST_BYTES = 16;  // of a warp; of a value that its lanes exchange
constexpr size_t STACK = 1 << 18;
constexpr u64 PATIENCE = 1 << 19;  // polls in a row, over all fibres, before a run is given up

// A report in words, which ends where its room does.
struct Text {
  char words[1 << 16] = "";
  size_t length = 0;

  GR_UNCHECKED void add(const char* format, ...) {
    va_list values;
    va_start(values, format);
    const int more = std::vsnprintf(words + length, sizeof words - length, format, values);
    va_end(values);
    length = more < int(sizeof words - length) ? length + size_t(more) : sizeof words - 1;
  }
};

// A place in the kernels' source, and the operation there.
struct Site {
  const char* what = "the start";
  const char* file = "";
  int line = 0;

  bool operator==(const Site& other) const { return line == other.line && !std::strcmp(file, other.file); }
  void add_to(Text& text) const {
    const char* const slash = std::strrchr(file, '/');
    if (line == 0) text.add("%s", what);
    else text.add("%s (%s:%d)", what, slash ? slash + 1 : file, line);
  }
};
#define GR_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()  // the caller's, as default arguments

inline u64 clock_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return u64(now.tv_sec) * 1'000'000'000 + u64(now.tv_nsec);
}

// What a thread gets from an operation of its warp or block.
struct Found {
  u32 lanes;       // the lanes that took part
  int count;       // the number of a block's threads that said yes
  alignas(MOST_BYTES) char values[MOST_LANES][MOST_BYTES];
};

enum class Waits { no, for_lanes, for_block };

struct Fibre {
  ucontext_t context;
  char* stack = nullptr;
  int block = 0, thread = 0;
  bool ended = false;
  i64 priority = 0;  // below 0 while it polls
  Site at;
  Waits waits = Waits::no;
  u32 mask = 0;                // the lanes that it waits for
  const void* group = nullptr;  // the place of a `together` that it waits in (Crew::together)
  alignas(MOST_BYTES) char value[MOST_BYTES];  // its own value for the operation
  bool says = false;
  Found found;
  char place_of_warp = 0, place_of_block = 0;  // for the first thread's address (Crew::release)
  void* asan = nullptr;                        // for the sanitizers
  void* tsan = nullptr;
  const void* bottom = nullptr;
  size_t size = 0;
};

// One launch, over all threads of the host.
struct Launch {
  void (*body)(const void* data, int block);
  const void* data;
  u64 seed;
  bool apart;
  int blocks;
  bool failed = false;
  Text failure = {};  // of the first block that failed

  GR_UNCHECKED bool has_failed() const { return __atomic_load_n(&failed, __ATOMIC_RELAXED); }
};

// The fibres of one thread of the host: those of a range of blocks.
class Crew {
 public:
  GR_UNCHECKED static Crew*& mine() {
    static thread_local Crew* crew = nullptr;
    return crew;
  }

  int blocks_of_run() const { return run.blocks; }

  Crew(Launch& r, int first_block, int blocks, int block_threads, int warp_lanes)
      : run(r), size(block_threads), warp(warp_lanes), count(blocks * block_threads),
        fibres(new Fibre[size_t(count)]),
        random(run.seed * 0x9e3779b97f4a7c15u + u64(first_block)) {
    period = 1u << (2 * (run.seed % 4));  // switches at each chance, at every fourth, ...
    for (int i = 0; i < count; ++i) {
      Fibre& f = fibres[i];
      f.block = first_block + i / size;
      f.thread = i % size;
      f.stack = new char[STACK];
      f.bottom = f.stack;
      f.size = STACK;
      redraw(f);
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack;
      f.context.uc_stack.ss_size = STACK;
      f.context.uc_link = nullptr;
      makecontext(&f.context, &begin, 0);
#if defined(__SANITIZE_THREAD__)
      f.tsan = __tsan_create_fiber(0);
#endif
    }
#if defined(__SANITIZE_THREAD__)
    host.tsan = __tsan_get_current_fiber();
#endif
    now = &host;
  }
  ~Crew() {
    for (int i = 0; i < count; ++i) {
#if defined(__SANITIZE_THREAD__)
      __tsan_destroy_fiber(fibres[i].tsan);
#endif
      delete[] fibres[i].stack;
    }
    delete[] fibres;
  }
  Crew(const Crew&) = delete;

  GR_UNCHECKED void work() {
    mine() = this;
    switch_to(next());
    mine() = nullptr;
    acquire(&run);
  }

  GR_UNCHECKED Fibre& self() { return *now; }

  // A place where another thread's writes or reads may matter: another may go first. `writes`: this thread is
  // about to write.
  GR_UNCHECKED void chance(bool writes, Site at) {
    Fibre& me = self();
    me.at = at;
    if (writes) idle = 0;
    else grow_tired();
    if (run.has_failed()) leave();
    if (shuffle()) switch_to(next());
  }

  // Nothing to do until another thread writes: all others go first.
  GR_UNCHECKED void poll(Site at) {
    Fibre& me = self();
    me.at = at;
    me.priority = --lowest;
    grow_tired();
    if (run.has_failed()) leave();
    if (run.apart) sched_yield();
    switch_to(next());
    redraw(me);
  }

  // The lanes of the mask meet here, each with a value of `bytes` bytes; each gets the values of all.
  GR_UNCHECKED const Found& meet(u32 mask, const void* value, size_t bytes, Site at) {
    Fibre& me = self();
    bring(me, mask, value, bytes, at);
    me.waits = Waits::for_lanes;
    Fibre* const first = &me - me.thread % warp;
    if (!(mask >> (me.thread % warp) & 1)) fail("a lane is not in the mask of its own operation");
    bool all = true;
    for (int lane = 0; lane < warp; ++lane) {
      if (!(mask >> lane & 1)) continue;
      const Fibre& other = first[lane];
      if (other.ended) fail("an operation of a warp names a lane that has ended");
      if (other.waits == Waits::for_lanes && other.mask == mask && other.at == at) continue;
      all = false;
      if (other.waits == Waits::for_lanes && other.mask >> (me.thread % warp) & 1)
        fail("lanes of a warp wait for each other at different operations");
    }
    if (all) complete(first, mask);
    else switch_to(next());
    return me.found;
  }

  // The lanes of the warp that happen to come together meet here: the hardware's active mask. A lane that
  // arrives goes on with those that wait at the same operation.
  GR_UNCHECKED const Found& together(const void* group, const void* value, size_t bytes, Site at) {
    Fibre& me = self();
    bring(me, 0, value, bytes, at);
    me.group = group;
    if (draw() % 4 != 0) {  // let others catch up
      me.priority = --lowest;
      switch_to(next());
    }
    redraw(me);
    if (!me.group) return me.found;  // another lane has arrived
    Fibre* const first = &me - me.thread % warp;
    u32 mask = 0;
    for (int lane = 0; lane < warp; ++lane)
      if (first[lane].group == group && first[lane].at == at) mask |= 1u << lane;
    complete(first, mask);
    return me.found;
  }

  // All threads of the block meet here; each gets the number that said yes.
  GR_UNCHECKED int meet_block(bool says, Site at) {
    Fibre& me = self();
    bring(me, 0, nullptr, 0, at);
    me.says = says;
    me.waits = Waits::for_block;
    Fibre* const first = &me - me.thread;
    int yes = 0, here = 0;
    for (int i = 0; i < size; ++i) {
      if (first[i].ended) fail("a block's barrier waits for a thread that has ended");
      if (first[i].waits != Waits::for_block) continue;
      if (!(first[i].at == at)) fail("threads of a block wait for each other at different barriers");
      ++here;
      yes += first[i].says;
    }
    if (here < size) {
      switch_to(next());
      return me.found.count;
    }
    for (int i = 0; i < size; ++i) {
      first[i].found.count = yes;
      first[i].waits = Waits::no;
    }
    idle = 0;
    return yes;
  }

  // Memory order as ThreadSanitizer is to see it: a thread that acquires a place sees everything written by
  // threads that have released it. The places are a warp's, a block's, or any other.
  GR_UNCHECKED void* warp_place() const { return &(now - now->thread % warp)->place_of_warp; }
  GR_UNCHECKED void* block_place() const { return &(now - now->thread)->place_of_block; }
  static void release([[maybe_unused]] void* place) {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(place);
#endif
  }
  static void acquire([[maybe_unused]] void* place) {
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(place);
#endif
  }

  GR_UNCHECKED u32 draw() {  // splitmix64
    u64 x = random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return u32(x >> 32);
  }

  // Ends the run.
  [[noreturn]] GR_UNCHECKED void fail(const char* why) {
    if (!__atomic_exchange_n(&run.failed, true, __ATOMIC_SEQ_CST)) {
      run.failure.add("%s; seed %llu", why, (unsigned long long)run.seed);
      for (int i = 0; i < count; ++i) report(fibres[i]);
    }
    leave();
  }

 private:
  Launch& run;
  const int size, warp, count;
  Fibre* const fibres;
  u64 random;
  u32 period = 1;
  i64 lowest = 0;
  u64 idle = 0;
  Fibre host, *now = nullptr, *came_from = nullptr;

  GR_UNCHECKED static void begin() {
    Crew& crew = *mine();
    crew.arrive();
    Fibre& me = crew.self();
    crew.run.body(crew.run.data, me.block);
    release(&crew.run);  // the host sees all writes
    me.at = {"the end"};
    me.ended = true;
    crew.idle = 0;
    for (int i = 0; i < crew.size; ++i) {
      const Fibre& other = (&me - me.thread)[i];
      const bool same_warp = i / crew.warp == me.thread / crew.warp;
      if (other.waits == Waits::for_lanes && same_warp && other.mask >> (me.thread % crew.warp) & 1)
        crew.fail("a lane has ended that an operation of its warp waits for");
      if (other.waits == Waits::for_block) crew.fail("a thread has ended that its block's barrier waits for");
    }
    crew.leave_to(crew.next());
  }

  GR_UNCHECKED void redraw(Fibre& f) { f.priority = i64(draw()); }

  // Sometimes gives this thread and one other a new priority, so that no thread waits for ever for threads that
  // loop. True if it did.
  GR_UNCHECKED bool shuffle() {
    if (period > 1 && draw() % period != 0) return false;
    redraw(self());
    redraw(fibres[draw() % u32(count)]);
    return true;
  }

  GR_UNCHECKED static void bring(Fibre& me, u32 mask, const void* value, size_t bytes, Site at) {
    me.at = at;
    me.mask = mask;
    for (size_t i = 0; i < bytes; ++i) me.value[i] = ((const char*)value)[i];
  }

  // All lanes of a mask have arrived: each gets all values, and may go on.
  GR_UNCHECKED void complete(Fibre* first, u32 mask) {
    for (int lane = 0; lane < warp; ++lane) {
      if (!(mask >> lane & 1)) continue;
      Fibre& one = first[lane];
      one.found.lanes = mask;
      for (int other = 0; other < warp; ++other)
        if (mask >> other & 1)
          for (int i = 0; i < MOST_BYTES; ++i) one.found.values[other][i] = first[other].value[i];
      one.waits = Waits::no;
      one.group = nullptr;
    }
    shuffle();
  }

  GR_UNCHECKED void grow_tired() {
    if (++idle > (run.apart ? 64 : 1) * PATIENCE) fail("all only look, and nobody has written for long");
  }

  // The fibre that goes on; the host if all have ended.
  GR_UNCHECKED Fibre* next() {
    Fibre* best = nullptr;
    bool waiting = false;
    for (int i = 0; i < count; ++i) {
      Fibre& f = fibres[i];
      if (f.ended) continue;
      if (f.waits != Waits::no) waiting = true;
      else if (!best || f.priority > best->priority) best = &f;
    }
    if (!best && waiting) fail("no thread can go on");
    return best ? best : &host;
  }

  GR_UNCHECKED void report(const Fibre& f) {
    Text& text = run.failure;
    text.add("\n  block %d thread %d: %s", f.block, f.thread,
             f.ended ? "has ended" : f.waits == Waits::no ? "at " : "waits at ");
    if (!f.ended) f.at.add_to(text);
    if (f.waits == Waits::for_lanes)
      for (int lane = 0, named = 0; lane < warp; ++lane)
        if (f.mask >> lane & 1) text.add("%s%d", named++ ? "," : " for lanes ", lane);
  }

  [[noreturn]] GR_UNCHECKED void leave() { leave_to(&host); }

  // Switches to another fibre and never comes back.
  [[noreturn]] GR_UNCHECKED void leave_to(Fibre* to) {
    if (now == &host) std::abort();  // the first fibre has not begun
    came_from = now;
    now = to;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(nullptr, to->bottom, to->size);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
    setcontext(&to->context);
    __builtin_unreachable();
  }

  GR_UNCHECKED void switch_to(Fibre* to) {
    if (to == now) return;
    Fibre* const from = came_from = now;
    now = to;
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(&from->asan, to->bottom, to->size);
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(to->tsan, __tsan_switch_to_fiber_no_sync);
#endif
    swapcontext(&from->context, &to->context);
    arrive();
  }

  // Called when another fibre has switched to this one.
  GR_UNCHECKED void arrive() {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom;
    size_t room;
    __sanitizer_finish_switch_fiber(now->asan, &bottom, &room);
    if (came_from == &host) host.bottom = bottom, host.size = room;
#endif
  }

};

// Why the last launch failed; empty if it ended normally.
inline Text& failure() {
  static Text text;
  return text;
}

// A block on a thread of its own.
struct Worker {
  Launch* run;
  int block, block_threads, warp_lanes;
  pthread_t thread = {};

  static void* work(void* data) {
    const Worker& me = *(const Worker*)data;
    Crew(*me.run, me.block, 1, me.block_threads, me.warp_lanes).work();
    return nullptr;
  }
};

// Runs body(shared, block) by each thread of each block, and returns the nanoseconds that it took.
template <class Shared, class Body>
u64 launch(int blocks, int block_threads, int warp_lanes, u64 seed, bool apart, const Body& body) {
  struct Job {
    const Body& body;
    char** shared;
  } job{body, new char*[size_t(blocks)]};
  for (int i = 0; i < blocks; ++i) {
    job.shared[i] = new char[sizeof(Shared)];
    // shared memory begins with arbitrary content
    std::memset(job.shared[i], int(0xa5 + seed), sizeof(Shared));
  }
  Launch run{[](const void* data, int block) {
            const Job& mine = *(const Job*)data;
            mine.body(*(Shared*)mine.shared[block], block);
          },
          &job, seed, apart, blocks};
  const u64 begin = clock_ns();
  if (apart) {
    Worker* const workers = new Worker[size_t(blocks)];
    for (int i = 0; i < blocks; ++i) {
      workers[i] = {&run, i, block_threads, warp_lanes};
      if (pthread_create(&workers[i].thread, nullptr, Worker::work, &workers[i]) != 0) std::abort();
    }
    for (int i = 0; i < blocks; ++i) pthread_join(workers[i].thread, nullptr);
    delete[] workers;
  } else {
    Crew(run, 0, blocks, block_threads, warp_lanes).work();
  }
  failure() = run.failure;
  const u64 end = clock_ns();
  for (int i = 0; i < blocks; ++i) delete[] job.shared[i];
  delete[] job.shared;
  return end - begin;
}

}  // namespace gunrock::lanes
