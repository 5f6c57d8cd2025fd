// What a breadth-first search knows of its vertices: how deep each lies, -1 while it is unvisited. Below that,
// within a step of an idempotent search, lie the names of who found a vertex (core/last_found.cuh).
#pragma once
#include "core/last_found.cuh"

// A label that was loaded, and with it whether the vertex was new: true or false once someone asks, so that
// a thread's other loads are under way meanwhile.
struct IsNew {
  i32 depth;
  GR_DEVICE operator bool() const { return depth == -1; }
};

// A label that was looked at again, and with it whether it still is the name that was given.
struct IsNamed {
  i32 found, given;
  GR_DEVICE operator bool() const { return found == given; }
};

// Of all vertices or, on one of several devices, of its own, from the first.
struct Depths {
  static constexpr i32 KNOWN = 0;  // what is not asked about is not new
  i32* labels;
  i64 first;

  GR_DEVICE i32* at(vertex_t v) const { return &labels[v - first]; }
  GR_DEVICE IsNew is_new(vertex_t v) const { return {*at(v)}; }
  // Where others may reach v meanwhile: by a look, and for good (true for one of all that ask).
  GR_DEVICE IsNew looks_new(bool asked, vertex_t v) const {
    return {load_relaxed_if(asked, at(v), KNOWN)};
  }
  GR_DEVICE IsNew claim(bool asked, vertex_t v, i32 depth) const {
    return {atomic_cas_if(asked, at(v), -1, depth, KNOWN)};
  }
  // By the name of who found v, whom a depth follows; whether it is there still.
  GR_DEVICE void name(vertex_t v, u32 finder) const { store_relaxed(at(v), label_of(finder)); }
  GR_DEVICE IsNamed is_named(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, at(v), KNOWN), label_of(finder)};
  }

 private:
  // Neither a depth nor that of the unvisited.
  static_assert(MOST_NAMES <= 0x7fffffff, "a name fits below -1");
  GR_DEVICE static i32 label_of(u32 finder) { return -2 - i32(finder); }
};
