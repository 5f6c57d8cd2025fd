// Monoids: the operations that fold lists and threads' values: associative, and most of them commutative. Used by
// gathers and folds.
//
// A monoid has
//   Value, Total         the types of one contribution, and of many; Total may be wider
//   zero(), nothing()    the neutral Value and Total
//   join(value, value)   folds into the first; for a few Values at a time
//   add(total, value), merge(total, total), and widen(value), the total of one value
//   exchange(total, d)   the total of the lane at distance d
//   SHORT_CIRCUITS       one contribution decides, so the rest of a list need not be read
// and, if the folds of cores may be differences (gather_on_cores.cuh),
//   difference(total, total)    what was folded into the first since it was the second
//   is_lost(total, whole)       true if a difference from `whole` has lost too many digits
// and, for folds over the grid,
//   merge_into(target, total)   by an atomic; called by one thread per block
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

// For monoids whose Value is also their Total.
template <class Self, class T>
struct Plain {
  using Value = T;
  using Total = T;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static T nothing() { return Self::zero(); }
  GR_DEVICE static void add(T& total, const T& x) { Self::join(total, x); }
  GR_DEVICE static T widen(const T& x) { return x; }
  GR_DEVICE static void merge(T& total, const T& x) { Self::join(total, x); }
  GR_DEVICE static T exchange(const T& x, int distance) { return warp_exchange(x, distance); }
};

// The types of a sum: a few floats are added as floats, many as doubles, since the sum of a long list of equal
// floats would drift; integers have 64 bits from the start.
template <class T>
struct SumTypes {
  using Value = i64;
  using Total = i64;
};
template <>
struct SumTypes<float> {
  using Value = float;
  using Total = double;
};
template <>
struct SumTypes<double> {
  using Value = double;
  using Total = double;
};
template <>
struct SumTypes<u32> {
  using Value = u64;
  using Total = u64;
};
template <>
struct SumTypes<u64> {
  using Value = u64;
  using Total = u64;
};

template <class T>
struct Sum {
  using Value = typename SumTypes<T>::Value;
  using Total = typename SumTypes<T>::Total;
  static constexpr bool SHORT_CIRCUITS = false;
  GR_DEVICE static Value zero() { return Value(0); }
  GR_DEVICE static Total nothing() { return Total(0); }
  GR_DEVICE static void join(Value& a, Value b) { a += b; }
  GR_DEVICE static void add(Total& total, Value x) { total += Total(x); }
  GR_DEVICE static Total widen(Value x) { return Total(x); }
  GR_DEVICE static void merge(Total& total, Total x) { total += x; }
  GR_DEVICE static Total difference(Total x, Total y) { return x - y; }
  // Sums of floats keep 32 of a double's 52 bits, sums of doubles 42.
  GR_DEVICE static bool is_lost(Total x, Total whole) { return x < whole * (sizeof(T) < 8 ? 0x1p-20 : 0x1p-10); }
  GR_DEVICE static Total exchange(Total x, int distance) { return warp_exchange(x, distance); }
  GR_DEVICE static void merge_into(Total* target, Total x) {
    if (x != Total(0)) atomic_add(target, x);
  }
};

// The greatest number of a type; infinity for floats.
template <class T>
GR_DEVICE T greatest() {
  return T(-1) < T(0) ? T((u64(1) << (8 * sizeof(T) - 1)) - 1) : T(~u64(0));
}
template <>
GR_DEVICE float greatest<float>() { return bits_float(0x7f800000u); }
template <>
GR_DEVICE double greatest<double>() { return bits_double(u64(0x7ff) << 52); }

template <class T>
struct Least : Plain<Least<T>, T> {
  GR_DEVICE static T zero() { return greatest<T>(); }
  GR_DEVICE static void join(T& a, T b) { a = b < a ? b : a; }
  GR_DEVICE static void merge_into(T* target, T x) {  // most blocks have nothing less to contribute
    if (x < load_relaxed(target)) atomic_min(target, x);
  }
};

// A key above an index, in one word, for the least key. Of equal keys the smaller index wins.
GR_DEVICE u64 keyed(u32 key, u32 index) { return u64(key) << 32 | index; }
using ArgMin = Least<u64>;

struct Or : Plain<Or, u32> {
  GR_DEVICE static u32 zero() { return 0; }
  GR_DEVICE static void join(u32& a, u32 b) { a |= b; }
  GR_DEVICE static void merge_into(u32* target, u32 x) {
    if (x) atomic_or(target, x);
  }
};

// Any one entry of a list: the first that is found.
struct Entry {
  vertex_t u = -1;  // -1: none
  edge_t e = -1;
  GR_DEVICE bool found() const { return u >= 0; }
};
struct First {
  using Value = Entry;
  using Total = Entry;
  static constexpr bool SHORT_CIRCUITS = true;
  GR_DEVICE static Entry zero() { return {}; }
  GR_DEVICE static Entry nothing() { return {}; }
  GR_DEVICE static void join(Entry& a, const Entry& b) { add(a, b); }
  GR_DEVICE static Entry widen(const Entry& x) { return x; }
  GR_DEVICE static void add(Entry& total, const Entry& x) {
    if (!total.found()) total = x;
  }
  GR_DEVICE static void merge(Entry& total, const Entry& x) { add(total, x); }
  GR_DEVICE static Entry exchange(const Entry& x, int distance) {
    return {warp_exchange(x.u, distance), warp_exchange(x.e, distance)};
  }
  GR_DEVICE static bool decided(const Entry& total) { return total.found(); }
  // One lane's total, for all lanes.
  GR_DEVICE static Entry of_lane(const Entry& x, int lane) {
    return {warp_broadcast(x.u, lane), warp_broadcast(x.e, lane)};
  }
};

// Folds over `lanes` (a power of two) neighbouring lanes of a warp, for all of them.
template <class Monoid>
GR_DEVICE void fold_lanes(typename Monoid::Total& total, int lanes) {
  for (int d = lanes / 2; d > 0; d /= 2) Monoid::merge(total, Monoid::exchange(total, d));
}

}  // namespace gunrock
