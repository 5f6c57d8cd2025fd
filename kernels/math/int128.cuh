// Exact products of 64-bit integers, so that comparing them gives the same result on every backend. Used by
// Louvain. (NVRTC has __int128 only under an option, Microsoft's compiler not at all.)
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// A 128-bit integer in two's complement.
struct Int128 {
  u64 low;
  u64 high;
};

GR_DEVICE bool operator==(const Int128& a, const Int128& b) { return a.low == b.low && a.high == b.high; }
GR_DEVICE bool operator<(const Int128& a, const Int128& b) {
  return a.high == b.high ? a.low < b.low : i64(a.high) < i64(b.high);
}
GR_DEVICE Int128 operator+(const Int128& a, const Int128& b) {
  const u64 low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low)};
}
GR_DEVICE Int128 operator-(const Int128& a, const Int128& b) {
  return {a.low - b.low, a.high - b.high - (a.low < b.low)};
}

// For non-negative operands.
GR_DEVICE Int128 product(u64 a, u64 b) {
  const u64 a0 = u32(a), a1 = a >> 32, b0 = u32(b), b1 = b >> 32;
  const u64 least = a0 * b0, one = a0 * b1, other = a1 * b0;
  const u64 middle = (least >> 32) + u32(one) + u32(other);
  return {u64(u32(least)) | middle << 32, a1 * b1 + (one >> 32) + (other >> 32) + (middle >> 32)};
}
GR_DEVICE Int128 product(const Int128& a, u32 b) {  // the result must fit
  const Int128 part = product(a.low, u64(b));
  return {part.low, part.high + a.high * b};
}
GR_DEVICE Int128 shifted(const Int128& a, u32 bits) {  // to the left, by less than 64
  return bits ? Int128{a.low << bits, a.high << bits | a.low >> (64 - bits)} : a;
}

}  // namespace gunrock
