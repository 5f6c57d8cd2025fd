// The steps of a breadth-first search of meshes over several devices (core/several_devices.cuh): between two exchanges a
// device's blocks run ahead, as on one device. Included by BFS and BC.
//
// A device lowers the depths of its own vertices: the lists of ctx.graph.csr lead to them and exist for all
// vertices. Between two exchanges its blocks run several levels ahead. Then the device broadcasts its border's
// new depths (TeamBorders), and received vertices join its frontier. So depths may be too large for a while, as
// whenever blocks run ahead, and levels need no exchange of their own [D-border-1].
//
// The unit must first declare Problem (labels of all vertices, what TeamBorders needs, source, run_ahead), and
// Phase, with BEGIN, AHEAD, HEAR and EXCHANGE.
#pragma once
#include "core/enactor.cuh"
#include "operators/team_borders.cuh"
#include "primitives/depth.cuh"

struct SearchState : LoopState {
  i32 phase = BEGIN;
  u32 turns = 0;     // the number of exchanges so far
  u64 expanded = 0;  // vertices of the last frontier that ran ahead
  i64 bound = 0;
};

GR_DEVICE TeamBorders borders_of(const Context& ctx, const Problem& p, SearchState& s) {
  return {ctx.peers, p.bounds, p.border, p.border_vertices, p.received, (BorderNote*)p.notes, s.turns};
}

struct BorderExchange : SeveralDevices {
  GR_DEVICE static bool due(const SearchState& s) { return s.phase == HEAR; }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, SearchState& s) {
    ctx.show(EXCHANGE, s.bound, p.border_vertices, 0);
    borders_of(ctx, p, s).exchange(ctx, (const u32*)p.labels, s.expanded, 0);
  }
};

// A step, from BEGIN on; false, without a step, once all depths are final, which all devices notice at once.
// Each device then knows the depths of its own vertices and, if the border has edges of both directions, of
// other devices' vertices that have edges to or from them. (The unit's own phases come after HEAR.)
GR_DEVICE bool search(Context& ctx, const Problem& p, SearchState& s, int lanes_log) {
  TeamBorders borders = borders_of(ctx, p, s);
  if (s.phase == HEAR && borders.all().frontier == 0) return false;
  if (s.phase > HEAR) return false;
  ctx.show(s.phase, s.bound, s.in);
  switch (s.phase) {
    case BEGIN:  // all devices know the source, and its edges to their own vertices
      seed<AHEAD_KIND>(ctx, s, item_t(p.source));
      s.phase = AHEAD;
      break;
    case AHEAD:
      s.expanded = s.in.count;
      s.bound += p.run_ahead;
      if (s.in.count > 0) {
        LowerDepth lower{p.labels, u32(s.bound)};
        advance_ahead(ctx, s, lanes_log, lower);
      }
      s.phase = HEAR;
      break;
    case HEAR:
      borders.hear<AHEAD_KIND>(ctx, s, (u32*)p.labels, [](vertex_t) { return true; });
      s.phase = AHEAD;
      break;
  }
  return true;
}
