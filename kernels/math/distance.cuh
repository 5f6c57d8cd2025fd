// Distances: sums of weights along paths, in the weights' type. Used by SSSP.
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// A distance is never negative, the sum of two never wraps round, and no sum that overflows is below UNREACHED.
// So integers are added and compared as unsigned.
#if GR_WEIGHT_FLOAT
#define UNREACHED bits_float(0x7f800000u)  // infinity, for which NVRTC has no constant
GR_DEVICE weight_t longer(weight_t distance, weight_t by) { return distance + by; }
GR_DEVICE bool closer(weight_t a, weight_t b) { return a < b; }
// At least the next representable number, as adding a delta below the rounding error would never get any
// further.
GR_DEVICE weight_t threshold_after(weight_t distance, weight_t delta) {
  const weight_t least = distance * (1.0f + 1.0f / (1 << 22));
  return distance + delta > least ? distance + delta : least;
}
GR_DEVICE weight_t from_key(u64 key) { return bits_float(u32(key)); }
// A distance's bits, which are ordered like distances.
GR_DEVICE u32 to_bits(weight_t distance) { return float_bits(distance); }
#else
constexpr weight_t UNREACHED = 0x7fffffff;
GR_DEVICE weight_t longer(weight_t distance, weight_t by) {
  return weight_t(u32(distance) + u32(by));
}
GR_DEVICE bool closer(weight_t a, weight_t b) { return u32(a) < u32(b); }
GR_DEVICE weight_t threshold_after(weight_t distance, weight_t delta) {
  const weight_t sum = longer(distance, delta);
  return closer(sum, UNREACHED) ? sum : UNREACHED;
}
GR_DEVICE weight_t from_key(u64 key) { return weight_t(key); }
GR_DEVICE u32 to_bits(weight_t distance) { return u32(distance); }
#endif

}  // namespace gunrock
