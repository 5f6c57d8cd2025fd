// The labels of a breadth-first search: a vertex's depth, or -1 while it is unvisited. Within a step of an
// idempotent search, values below -1 are tags of threads that found the vertex (core/last_found.cuh).
#pragma once
#include "core/last_found.cuh"

// A loaded label. True if the vertex was new; tested only when the answer is used, so that a thread's other
// loads stay in flight meanwhile.
struct IsNew {
  i32 depth;
  GR_DEVICE operator bool() const { return depth == -1; }
};

// A label read again. True if it is still the tag that was given.
struct HasTag {
  i32 found, given;
  GR_DEVICE operator bool() const { return found == given; }
};

// The labels of all vertices or, on one of several devices, of its own, starting at `first`.
struct Depths {
  static constexpr i32 KNOWN = 0;  // if not asked about, a vertex is not new
  i32* labels;
  i64 first;

  GR_DEVICE i32* at(vertex_t v) const { return &labels[v - first]; }
  GR_DEVICE IsNew is_new(vertex_t v) const { return {*at(v)}; }
  // For steps in which other threads may reach v: a plain look, and a claim (true for one of the threads that
  // ask).
  GR_DEVICE IsNew looks_new(bool asked, vertex_t v) const {
    return {load_relaxed_if(asked, at(v), KNOWN)};
  }
  GR_DEVICE IsNew claim(bool asked, vertex_t v, i32 depth) const {
    return {atomic_cas_if(asked, at(v), -1, depth, KNOWN)};
  }
  // Leaves a finder's tag at v, which a depth replaces later; has_tag is true if the tag is still there.
  GR_DEVICE void set_tag(vertex_t v, u32 finder) const { store_relaxed(at(v), label_of(finder)); }
  GR_DEVICE HasTag has_tag(bool asked, vertex_t v, u32 finder) const {
    return {load_relaxed_if(asked, at(v), KNOWN), label_of(finder)};
  }

 private:
  // A tag's label is neither a depth nor the label of unvisited vertices.
  static_assert(MOST_TAGS <= 0x7fffffff, "a tag fits below -1");
  GR_DEVICE static i32 label_of(u32 finder) { return -2 - i32(finder); }
};
