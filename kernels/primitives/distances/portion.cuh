// The sources of a launch, and of several devices each one's. Used by together.cuh and by_blocks.cuh.
#pragma once
#include "core/context.cuh"

struct Portion {
  i64 first, end;
  // `bounds`: the first source of all devices, and the one after the last.
  GR_DEVICE Portion(const Context& ctx, const i64* bounds)
      : first(at(ctx, bounds, ctx.peers.device)), end(at(ctx, bounds, ctx.peers.device + 1)) {}

 private:
  GR_DEVICE static i64 at(const Context& ctx, const i64* bounds, i64 device) {
    return bounds[0] + (bounds[1] - bounds[0]) * device / ctx.peers.devices;
  }
};
