// Edges drawn on demand, as a source of rows.hpp.
#pragma once
#include "draw.hpp"
#include "rows.hpp"

// The number of edges, and the progress; gunrock_cli/graph/rows/native_library.py fills it.
struct Drawn {
  i64 count;
  i64 done;    // edges drawn so far, in all passes, for a progress bar
  i32 turned;  // not 0: from v to u
  i32 stop;    // not 0 when the drawing is to be given up
};

// Some edges of any recipe.
constexpr i64 BATCH = 256;
using Ends = u32[BATCH];
using DrawBatch = void (*)(const void* recipe, i64 first, Ends& u, Ends& v);

template <class Recipe>
void draw_batch(const void* recipe, i64 first, Ends& u, Ends& v) {
  ((const Recipe*)recipe)->template draw<BATCH>(first, u, v);
}

struct DrawnEdges {
  const Shape& s;
  DrawBatch draw;
  const void* recipe;
  Drawn& job;

  // False if the drawing was given up.
  template <class Visit>
  bool each(int part, Visit visit) {
    constexpr i64 BLOCK = 1 << 16;
    i64 first = begin(part);
    const i64 end = begin(part + 1);
    Ends u, v;
    while (first < end) {
      if (__atomic_load_n(&job.stop, __ATOMIC_RELAXED)) return false;
      const i64 stop = std::min(end, first + BLOCK);
      __atomic_fetch_add(&job.done, stop - first, __ATOMIC_RELAXED);
      for (; first < stop; first += BATCH) {
        draw(recipe, first, u, v);
        const i64 held = std::min(BATCH, stop - first);
        for (i64 j = 0; j < held; ++j)
          job.turned ? visit(i32(v[j]), i32(u[j]), NoWeight{}) : visit(i32(u[j]), i32(v[j]), NoWeight{});
      }
      first = stop;
    }
    return true;
  }

 private:
  i64 begin(int part) const {
    return job.count / s.parts * part + std::min<i64>(job.count % s.parts, part);
  }
};
