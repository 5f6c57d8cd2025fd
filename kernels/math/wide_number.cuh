// Positive numbers with a wide exponent: counts of shortest paths and their reciprocals. Counts grow
// exponentially with the depth, beyond a double's range. Used by BC.
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// 2^k for k <= 1023; 0 if that is not a normal number.
GR_DEVICE double power_of_two(i32 k) { return k < -1022 ? 0.0 : bits_double(u64(k + 1023) << 52); }

// Below every exponent that occurs, so that an empty sum's mantissa vanishes.
constexpr i32 NO_EXPONENT = -(1 << 30);

struct Wide {  // mantissa * 2^exponent; during a sum, the mantissa may exceed 2
  double mantissa = 0;
  i32 exponent = NO_EXPONENT;

  GR_DEVICE void add(double m, i32 e) {
    const bool larger = e > exponent;
    const double shift = power_of_two(larger ? exponent - e : e - exponent);
    mantissa = larger ? mantissa * shift + m : mantissa + m * shift;
    exponent = larger ? e : exponent;
  }
  GR_DEVICE void add(u64 word);
  // Brings the mantissa back into [1, 2).
  GR_DEVICE void normalize() {
    const u64 bits = double_bits(mantissa);
    exponent += i32(bits >> 52) - 1023;
    mantissa = bits_double((bits & ((u64(1) << 52) - 1)) | u64(1023) << 52);
  }
};

// A number in one word, so that no thread sees half of it and one gather loads it [D-wide-1]: 30 bits of
// exponent above 34 of mantissa. Its rounding, 2^-35, adds up to less than 1e-7 over thousands of levels.
constexpr u64 NOT_YET = ~u64(0);  // no number
constexpr i32 WORD_BIAS = 1 << 29;
GR_DEVICE u64 to_word(Wide x) {  // x > 0
  x.normalize();
  const u64 fraction = double_bits(x.mantissa) & ((u64(1) << 52) - 1);
  return (u64(u32(x.exponent + WORD_BIAS)) << 34) + ((fraction + (u64(1) << 17)) >> 18);
}
GR_DEVICE Wide from_word(u64 word) {
  Wide x;
  x.exponent = i32(u32(word >> 34)) - WORD_BIAS;
  x.mantissa = bits_double((word & ((u64(1) << 34) - 1)) << 18 | u64(1023) << 52);
  return x;
}
// Numbers from words, as doubles divided by the power of two of one of them.
struct WordScale {
  u64 first;  // the word of that power of two
  GR_DEVICE explicit WordScale(u64 word) : first(word >> 34) {}
  GR_DEVICE i32 exponent() const { return i32(u32(first)) - WORD_BIAS; }
  // True if the number has such a double, with room for sums.
  GR_DEVICE bool holds(u64 word) const { return (word >> 34) - first + 512 < 1024; }
  GR_DEVICE double scaled(u64 word) const { return bits_double((word << 18) + ((1023 - first) << 52)); }
};
constexpr u64 ONE = u64(WORD_BIAS) << 34;
GR_DEVICE void Wide::add(u64 word) {
  const Wide x = from_word(word);
  add(x.mantissa, x.exponent);
}

}  // namespace gunrock
