// Neighbouring lanes of a warp that share a list: LANES of them, or a whole smaller warp. Used by resolve.cuh,
// in_order.cuh, in_classes.cuh and lists_by_groups.cuh.
#pragma once
#include "context.cuh"

namespace gunrock {

template <int LANES>
struct LaneGroup {
  static constexpr int SIZE = LANES < WARP ? LANES : WARP;
  static constexpr int EACH = WARP / SIZE;  // groups of a warp
  GR_DEVICE static int number() { return lane_id() / SIZE; }
  GR_DEVICE static int lane() { return lane_id() % SIZE; }
  GR_DEVICE static u32 mask() {
    return SIZE == 32 ? ~0u : ((1u << SIZE % 32) - 1) << number() * SIZE;
  }
};

}  // namespace gunrock
