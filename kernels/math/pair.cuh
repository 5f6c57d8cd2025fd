// Two values side by side, and their sums. Used by gathers over all lists, and by SALSA.
#pragma once
#include "monoid.cuh"

namespace gunrock {

// Two values side by side, loaded together: for two sums over the same lists.
template <class T>
struct alignas(8) Pair {
  T first, second;
};
template <class T>
GR_DEVICE Pair<T> warp_exchange(Pair<T> x, int distance) {
  return {warp_exchange(x.first, distance), warp_exchange(x.second, distance)};
}
template <class T>
GR_DEVICE Pair<T> warp_broadcast(Pair<T> x, int lane) {
  return {warp_broadcast(x.first, lane), warp_broadcast(x.second, lane)};
}

template <class T>
struct SumPair {
  using Value = Pair<typename Sum<T>::Value>;
  using Total = Pair<typename Sum<T>::Total>;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Value zero() { return {0, 0}; }
  GR_DEVICE static Total nothing() { return {0, 0}; }
  GR_DEVICE static void join(Value& a, const Value& b) {
    Sum<T>::join(a.first, b.first);
    Sum<T>::join(a.second, b.second);
  }
  GR_DEVICE static void add(Total& total, const Value& x) { merge(total, widen(x)); }
  GR_DEVICE static Total widen(const Value& x) {
    return {Sum<T>::widen(x.first), Sum<T>::widen(x.second)};
  }
  GR_DEVICE static void merge(Total& total, const Total& x) {
    Sum<T>::merge(total.first, x.first);
    Sum<T>::merge(total.second, x.second);
  }
  GR_DEVICE static Total difference(const Total& x, const Total& y) {
    return {Sum<T>::difference(x.first, y.first), Sum<T>::difference(x.second, y.second)};
  }
  GR_DEVICE static bool is_lost(const Total& x, const Total& whole) {
    return Sum<T>::is_lost(x.first, whole.first) | Sum<T>::is_lost(x.second, whole.second);
  }
  GR_DEVICE static Total exchange(const Total& x, int distance) { return warp_exchange(x, distance); }
};

}  // namespace gunrock
