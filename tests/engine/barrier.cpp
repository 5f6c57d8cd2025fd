// The barrier of the cpu backend when its counter of arrivals wraps around: prints "ok", or the error.
#include "backend/backend.cuh"
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

using namespace gunrock;

constexpr u32 BLOCKS = 3, ROUNDS = 6;
// Barriers passed before: the counter wraps around before the fifth from here, for which a block awaits the
// others.
constexpr u32 BEGIN = u32((u64(1) << 32) / BLOCKS) - 4;

int main() {
  Barrier barrier = {};
  barrier[cpu::ARRIVED] = BEGIN * BLOCKS;
  barrier[cpu::PASSED] = BEGIN;
  std::atomic<u32> written[BLOCKS] = {}, early{0};
  std::vector<std::thread> team;
  auto all_have = [&](u32 round) {
    for (u32 other = 1; other < BLOCKS; ++other)
      if (written[other] != round) ++early;
  };
  auto run = [&](u32 block) {
    u32 generation = BEGIN;
    for (u32 round = 1; round <= ROUNDS; ++round) {
      if (block > 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        written[block] = round;
      } else {
        await_others(&barrier, generation, BLOCKS);
        all_have(round);
      }
      grid_barrier(&barrier, generation, BLOCKS);
      all_have(round);
      grid_barrier(&barrier, generation, BLOCKS);
    }
  };
  for (u32 block = 1; block < BLOCKS; ++block) team.emplace_back(run, block);
  run(0);
  for (std::thread& member : team) member.join();
  if (early) std::printf("%u times a block went on before another had come\n", unsigned(early));
  else std::puts("ok");
}
