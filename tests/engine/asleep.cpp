// Prints the milliseconds of a core that a thread of the cpu backend takes while it waits 200 ms for another:
// at the barrier, for the others to arrive there, and between polls.
#include "backend/backend.cuh"
#include <atomic>
#include <cstdio>
#include <thread>

using namespace gunrock;

double core_ms() {
  timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1e3 + used.tv_nsec / 1e6;
}

// The core time of `wait` while another thread sleeps and then calls `end`.
template <class Wait, class End>
double taken_by(Wait wait, End end) {
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    end();
  });
  const double before = core_ms();
  wait();
  const double taken = core_ms() - before;
  other.join();
  return taken;
}

int main() {
  Barrier barrier = {};
  u32 mine = 0, others = 0;
  auto arrive = [&] { grid_barrier(&barrier, others, 2); };
  std::printf("%.1f\n", taken_by([&] { grid_barrier(&barrier, mine, 2); }, arrive));
  std::printf("%.1f\n", taken_by(
      [&] {
        await_others(&barrier, mine, 2);
        grid_barrier(&barrier, mine, 2);
      },
      arrive));
  std::atomic<bool> found{false};
  std::printf("%.1f\n", taken_by(
      [&] {
        for (int looks = 0; !found; ++looks) pause(looks);
      },
      [&] { found = true; }));
}
