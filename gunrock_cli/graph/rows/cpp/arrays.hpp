// Edges in arrays, as a source of rows.hpp.
#pragma once
#include "rows.hpp"

template <class W>
struct ArrayEdges {
  const Shape& s;
  const i32 *src, *dst;
  const W* weights;  // or null
  i64 count;

  // False if an edge ends outside of 0 .. n - 1.
  template <class Visit>
  bool each(int part, Visit visit) {
    const i64 end = count * (part + 1) / s.parts;
    for (i64 i = count * part / s.parts; i < end; ++i) {
      if (u32(src[i]) >= u32(s.n) || u32(dst[i]) >= u32(s.n)) return false;
      visit(src[i], dst[i], weights ? weights[i] : W{});
    }
    return true;
  }
};
