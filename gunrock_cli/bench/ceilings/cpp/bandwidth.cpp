// What this machine's memory and caches can do at most, all threads at once: bytes read, written and
// copied, and random 4-byte gathers. Called by gunrock_cli/bench/ceilings/bandwidth_host.py.
//
// Each thread has arrays of its own, touched by it first, and goes through them slice by slice. A slice
// begins for all at a barrier and lasts until the last is done. The fastest slice counts, as ceilings
// are asked for; slices are short, so that some are undisturbed on a busy machine.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace {

using i64 = std::int64_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
typedef u64 Lanes __attribute__((vector_size(64)));

enum Kind { READ, WRITE, COPY, GATHER };

struct Job {
  int kind;
  int threads;
  int slices;   // to go through, again from the array's begin when it is over
  i64 bytes;    // of a thread's array; of the gathers' table, which all threads share
  i64 slice;    // bytes, of which the array holds a whole number
  i64 repeats;  // of the work on a slice; of GATHER the accesses of a thread
};

// Keeps the compiler from leaving out work whose result nobody looks at.
inline void use(const void* pointer) { asm volatile("" : : "r"(pointer) : "memory"); }

void read_all(const Lanes* data, i64 bytes) {
  Lanes a{}, b{}, c{}, d{};
  const i64 count = bytes / i64(sizeof(Lanes));
  for (i64 i = 0; i + 4 <= count; i += 4) {
    a ^= data[i];
    b ^= data[i + 1];
    c ^= data[i + 2];
    d ^= data[i + 3];
  }
  a ^= b ^ c ^ d;
  use(&a);
}

// By plain stores, by the library, or past the caches: which is fastest depends on where the data lie.
void write_all(Lanes* data, i64 bytes, int way) {
  if (way == 0) {
    const Lanes ones = Lanes{} + 1;
    const i64 count = bytes / i64(sizeof(Lanes));
    for (i64 i = 0; i < count; ++i) data[i] = ones;
#ifdef __SSE2__
  } else if (way == 1) {
    const __m128i ones = _mm_set1_epi8(1);
    for (i64 i = 0; i < bytes; i += 16) _mm_stream_si128((__m128i*)((char*)data + i), ones);
    _mm_sfence();
#endif
  } else {
    std::memset(data, 1, size_t(bytes));
  }
  use(data);
}

void gather(const u32* table, i64 bytes, i64 accesses, u64 seed) {
  // A multiplicative hash scatters the places: the table's size is a power of two.
  const u64 mask = u64(bytes) / sizeof(u32) - 1;
  u32 found = 0;
  for (i64 i = 0; i < accesses; ++i)
    found ^= table[((u64(i) + seed) * 0x9e3779b97f4a7c15ull >> 24) & mask];
  use(&found);
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Team {
  const Job job;
  Lanes* const table;
  std::atomic<i64> arrived{0};
  std::atomic<bool> failed{false};
  std::vector<double> begins, ends;
  double best = std::numeric_limits<double>::infinity();

  Team(const Job& given, Lanes* shared)
      : job(given), table(shared), begins(given.threads), ends(given.threads) {}

  // `round` counts the barriers, from 1.
  void wait(i64 round) {
    ++arrived;
    while (arrived.load() < round * job.threads) std::this_thread::yield();
  }

  void work(Lanes* own, Lanes* other, int number, int turn) const {
    if (job.kind == GATHER)
      return gather((const u32*)table, job.bytes, job.repeats,
                    (u64(number) << 40) + u64(turn) * u64(job.repeats));
    const i64 first = i64(turn) * job.slice % job.bytes / i64(sizeof(Lanes));
    for (i64 i = 0; i < job.repeats; ++i) {
      if (job.kind == READ) read_all(own + first, job.slice);
      if (job.kind == WRITE) write_all(own + first, job.slice, turn % 3);
      if (job.kind == COPY) {
        std::memcpy(other + first, own + first, size_t(job.slice));
        use(other);
      }
    }
  }

  void member(int number) {
    Lanes *own = nullptr, *other = nullptr;
    if (job.kind != GATHER) own = (Lanes*)std::aligned_alloc(64, size_t(job.bytes));
    if (job.kind == COPY) other = (Lanes*)std::aligned_alloc(64, size_t(job.bytes));
    if ((job.kind != GATHER && !own) || (job.kind == COPY && !other)) failed = true;
    if (own) std::memset(own, 1, size_t(job.bytes));
    if (other) std::memset(other, 1, size_t(job.bytes));
    i64 round = 0;
    wait(++round);
    for (int turn = 0; turn < job.slices && !failed; ++turn) {
      wait(++round);
      begins[number] = now();
      work(own, other, number, turn);
      ends[number] = now();
      wait(++round);
      if (number == 0)
        best = std::min(best, *std::max_element(ends.begin(), ends.end()) -
                                  *std::min_element(begins.begin(), begins.end()));
    }
    std::free(own);
    std::free(other);
  }
};

}  // namespace

// The seconds of the fastest slice; negative where there is not enough memory.
extern "C" double gr_fastest_slice(const Job* job) {
  Lanes* table = nullptr;
  if (job->kind == GATHER) {
    table = (Lanes*)std::aligned_alloc(64, size_t(job->bytes));
    if (!table) return -1;
    std::memset(table, 1, size_t(job->bytes));
  }
  Team team(*job, table);
  std::vector<std::thread> others;
  for (int i = 1; i < job->threads; ++i) others.emplace_back([&team, i] { team.member(i); });
  team.member(0);
  for (std::thread& other : others) other.join();
  std::free(table);
  return team.failed ? -1 : team.best;
}
