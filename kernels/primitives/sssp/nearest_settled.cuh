// The monoid that vertices fold over their in-neighbours when they look back, on one device (in_step.cuh) and
// on several (bounded_in_parts.cuh).
#pragma once
#include "operators/functor.cuh"
#include "math/distance.cuh"

// What a vertex finds among its in-neighbours: the shortest distance by way of settled ones, as bits, and true
// if any are not settled.
struct Nearest {
  u32 reach, open;
};
struct NearestSettled : Plain<NearestSettled, Nearest> {
  GR_DEVICE static Nearest zero() { return {to_bits(UNREACHED), 0}; }
  GR_DEVICE static void join(Nearest& a, const Nearest& b) {
    a.reach = b.reach < a.reach ? b.reach : a.reach;
    a.open |= b.open;
  }
  GR_DEVICE static Nearest exchange(const Nearest& x, int distance) {
    return {warp_exchange(x.reach, distance), warp_exchange(x.open, distance)};
  }
};
