// What a breadth-first search knows of its vertices: the depth of each, -1 while it is unvisited. Values below
// -1, within a step of an idempotent search, are the names of whoever found a vertex (core/last_found.cuh).
#pragma once
#include "core/last_found.cuh"

// A loaded label, and with it whether the vertex was new. It becomes true or false only when someone asks, so
// that a thread's other loads stay in flight meanwhile.
struct IsNew {
  i32 depth;
  GR_DEVICE operator bool() const { return depth == -1; }
};

// A label read again, and with it whether it is still the name that was given.
struct HasTag {
  i32 found, given;
  GR_DEVICE operator bool() const { return found == given; }
};

// Of all vertices or, on one of several devices, of its own, starting at `first`.
struct Depths {
  static constexpr i32 KNOWN = 0;  // what is not asked about is not new
  i32* labels;
  i64 first;

  GR_DEVICE i32* at(vertex_t v) const { return &labels[v - first]; }
  GR_DEVICE IsNew is_new(vertex_t v) const { return {*at(v)}; }
  // Where others may reach v meanwhile: a mere look, and a claim (true for just one of those that ask).
  GR_DEVICE IsNew looks_new(bool asked, vertex_t v) const {
    return {load_relaxed_if(asked, at(v), KNOWN)};
  }
  GR_DEVICE IsNew claim(bool asked, vertex_t v, i32 depth) const {
    return {atomic_cas_if(asked, at(v), -1, depth, KNOWN)};
  }
  // Leave a finder's name at v, which a depth replaces later; see whether that name is still there.
  GR_DEVICE void set_tag(vertex_t v, u32 finder) const { store_relaxed(at(v), label_of(finder)); }
  GR_DEVICE HasTag has_tag(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, at(v), KNOWN), label_of(finder)};
  }

 private:
  // Neither a depth nor the label of unvisited vertices.
  static_assert(MOST_TAGS <= 0x7fffffff, "a tag fits below -1");
  GR_DEVICE static i32 label_of(u32 finder) { return -2 - i32(finder); }
};
