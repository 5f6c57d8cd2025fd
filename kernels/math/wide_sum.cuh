// The monoid of sums of numbers with a wide exponent. Used by BC.
#pragma once
#include "monoid.cuh"
#include "wide_number.cuh"

namespace gunrock {

struct WideSum {
  using Value = Wide;
  using Total = Wide;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Wide zero() { return {}; }
  GR_DEVICE static Wide nothing() { return {}; }
  GR_DEVICE static void join(Wide& a, const Wide& b) { a.add(b.mantissa, b.exponent); }
  GR_DEVICE static void add(Wide& total, const Wide& x) { total.add(x.mantissa, x.exponent); }
  // On a core: numbers of similar size are added as doubles, so that no addition waits for the others'
  // exponents.
  template <class Load>
  GR_DEVICE static void add_words(Wide& total, i64 count, Load load) {
    if (count == 0) return;
    const WordScale scale(load(0));
    double sum = 0;
    bool similar = true;
    for (i64 k = 0; k < count; ++k) {
      const u64 word = load(k);
      similar &= scale.holds(word);
      sum += scale.scaled(word);
    }
    if (similar) total.add(sum, scale.exponent());
    else for (i64 k = 0; k < count; ++k) total.add(load(k));
  }
  GR_DEVICE static Wide widen(const Wide& x) { return x; }
  GR_DEVICE static void merge(Wide& total, const Wide& x) { total.add(x.mantissa, x.exponent); }
  GR_DEVICE static Wide exchange(const Wide& x, int distance) {
    return {warp_exchange(x.mantissa, distance), warp_exchange(x.exponent, distance)};
  }
};

}  // namespace gunrock
