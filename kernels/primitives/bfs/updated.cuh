// Breadth-first search of a graph that has changed, from the depths of before (updated_paths.cuh).
#pragma once
#include "core/enactor.cuh"

struct Problem {
  i32* labels;          // the depths of before, at first; -1 (the largest, unsigned) if unreached
  u32* queued;          // the step that last queued a vertex
  u32* gone;            // bitmap of the vertices whose depth no edge explains any more
  vertex_t* added_src;  // edges that are new
  vertex_t* added_dst;
  i64 added;
  vertex_t* lost_src;   // edges that are gone
  vertex_t* lost_dst;
  i64 lost;
  i64 source;
};

enum Phase { DOUBT, SUPPORT, LOSE, RESET, RESCUE, RELAX };

struct Rule {
  using Dist = u32;
  GR_DEVICE static u32* distances(const Problem& p) { return (u32*)p.labels; }
  GR_DEVICE static u32 unreached() { return ~u32(0); }
  GR_DEVICE static bool closer(u32 a, u32 b) { return a < b; }
  GR_DEVICE static u32 through(u32 from, const weight_t*, edge_t) { return from + 1; }
  GR_DEVICE static u32 noted(const Problem&, u32 reach) { return reach; }
  GR_DEVICE static u32 key(u32 reach) { return reach; }
  GR_DEVICE static u32 of_key(u32 key) { return key; }
  GR_DEVICE static const weight_t* lost_by(const Problem&) { return nullptr; }
  GR_DEVICE static const weight_t* added_by(const Problem&) { return nullptr; }
};

#include "primitives/updated_paths.cuh"
