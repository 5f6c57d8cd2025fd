// CUDA's words for a host: the blocks of a launch run one after the other, each on its own threads.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#define __global__
#define __shared__ static
#define __grid_constant__

struct Index {
  unsigned x;
};
inline thread_local Index threadIdx, blockIdx, gridDim;

// All threads of a block meet here.
struct Meeting {
  std::mutex lock;
  std::condition_variable changed;
  int threads = 0, waiting = 0, round = 0;

  void wait() {
    std::unique_lock<std::mutex> held(lock);
    const int mine = round;
    if (++waiting == threads) {
      waiting = 0, ++round;
      changed.notify_all();
    } else {
      changed.wait(held, [&] { return round != mine; });
    }
  }
};
inline Meeting meeting;
inline void __syncthreads() { meeting.wait(); }

template <class T>
T atomicAdd(T* at, T more) {
  return __atomic_fetch_add(at, more, __ATOMIC_RELAXED);
}

template <class Kernel>
void launch(int grid, int block, Kernel kernel) {
  meeting.threads = block;
  std::vector<std::thread> team;
  for (int thread = 0; thread < block; ++thread)
    team.emplace_back([=] {
      threadIdx.x = thread, gridDim.x = grid;
      for (int b = 0; b < grid; ++b) {
        blockIdx.x = b;
        kernel();
        __syncthreads();  // blocks share memory here that each has alone there
      }
    });
  for (std::thread& member : team) member.join();
}
