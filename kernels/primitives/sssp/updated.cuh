// Shortest paths in a graph that has changed, from the distances of before (updated_paths.cuh).
// Options: GR_SLICED (1), GR_CHECK_RANGE (path lengths could leave the range of weight_t).
#pragma once
#include "core/enactor.cuh"
#include "math/distance.cuh"

struct Problem {
  weight_t* distances;  // those of before, at first
  u32* out_of_range;    // one word: a path was too long for weight_t; or null
  u32* queued;          // the step that last queued a vertex
  u32* gone;            // bitmap of the vertices whose distance no edge explains any more
  vertex_t* added_src;  // edges that are new, or have a new weight
  vertex_t* added_dst;
  weight_t* added_by;
  i64 added;
  vertex_t* lost_src;   // edges that are gone, or had another weight
  vertex_t* lost_dst;
  weight_t* lost_by;
  i64 lost;
  i64 source;
  item_t* far;          // two piles of n places
  u32* waits;           // bitmap of the vertices in the far pile
  weight_t delta;
};

enum Phase { DOUBT, SUPPORT, LOSE, RESET, RESCUE, RELAX, SORT, SPLIT };

struct Rule {
  using Dist = weight_t;
  GR_DEVICE static weight_t* distances(const Problem& p) { return p.distances; }
  GR_DEVICE static weight_t unreached() { return UNREACHED; }
  GR_DEVICE static bool closer(weight_t a, weight_t b) { return gunrock::closer(a, b); }
  GR_DEVICE static weight_t through(weight_t from, const weight_t* weights, edge_t e) {
    return longer(from, load_constant(&weights[e]));
  }
  GR_DEVICE static weight_t noted(const Problem& p, weight_t reach) {
    if constexpr (GR_CHECK_RANGE) {
      if (!gunrock::closer(reach, UNREACHED)) store_relaxed(p.out_of_range, 1u);
    }
    return reach;
  }
  GR_DEVICE static u32 key(weight_t reach) { return to_bits(reach); }
  GR_DEVICE static weight_t of_key(u32 key) { return from_key(key); }
  GR_DEVICE static const weight_t* lost_by(const Problem& p) { return p.lost_by; }
  GR_DEVICE static const weight_t* added_by(const Problem& p) { return p.added_by; }
  GR_DEVICE static item_t* far(const Problem& p) { return p.far; }
  GR_DEVICE static weight_t delta(const Problem& p) { return p.delta; }
  // True for the first to put v into the far pile.
  GR_DEVICE static bool starts_waiting(const Problem& p, vertex_t v) {
    const u32 bit = 1u << (v % 32);
    return !(atomic_or(&p.waits[v / 32], bit) & bit);
  }
  GR_DEVICE static void stops_waiting(const Problem& p, vertex_t v) { atomic_and(&p.waits[v / 32], ~(1u << (v % 32))); }
};

#include "primitives/updated_paths.cuh"
