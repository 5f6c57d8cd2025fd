// Path counts and scores by dataflow, for meshes, on one device or on each of several: each vertex waits for
// the values that it sums, in an order in which it depends only on earlier vertices. The order is a counting
// sort of the reached vertices by depth. Included by ahead.cuh and ahead_in_parts.cuh.
//
// The unit must first declare Problem, which has labels, counts and ratios of all vertices, the latter two
// NOT_YET at first, and the scores, order and level_ends of a device's own vertices. A Team says how a device
// finishes a vertex (operators/team_flow.cuh): where its own vertices begin, whether other devices wait for a
// vertex, and how a value is written.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/dataflow.cuh"
#include "primitives/depth.cuh"

// The Team of a single device, which has all vertices.
struct SingleDevice {
  using Border = Nothing;
  GR_DEVICE i64 begin() const { return 0; }
  GR_DEVICE Border at_border(vertex_t) const { return {}; }
  GR_DEVICE void write(u64* place, u64 word, const Border&) const { store_relaxed(place, word); }
};

// --- the order ------------------------------------------------------------------------------------
// The words of Control::counters: the deepest level, reached vertices, their edges (for traces), and how far
// above NO_LEVEL the first level is.
enum Counter { DEPTH, REACHED, EDGES, ABOVE };
constexpr i64 NO_LEVEL = i64(1) << 31;

// Counts a device's own vertices by level; `lists` are their lists.
template <class Team>
GR_DEVICE void count_levels(Context& ctx, const Problem& p, Control& control, const Team& team, i64 count,
                            const Csr& lists) {
  constexpr bool SEVERAL = !is_nothing<typename Team::Border>;
  u64 deepest = 0, edges = 0, above = 0;
  for_each_contiguous(ctx, count, [&](i64 i) {
    const i64 v = team.begin() + i;
    const i32 label = p.labels[v];
    if (label < 0) return;
    atomic_add(&p.level_ends[label], 1);
    if (u64(label) > deepest) deepest = u64(label);
    if (SEVERAL && u64(NO_LEVEL - label) > above) above = u64(NO_LEVEL - label);
    if (GR_TRACE) edges += u64(lists.row(v).length);
  });
  if (GR_TRACE) atomic_add(&control.counters[EDGES], edges);
  if (load_relaxed(&control.counters[DEPTH]) < deepest) atomic_max(&control.counters[DEPTH], deepest);
  if (SEVERAL && load_relaxed(&control.counters[ABOVE]) < above)
    atomic_max(&control.counters[ABOVE], above);
}

// One block: replaces the number of vertices at each depth by the number above it; finds their sum.
GR_DEVICE void sum_levels(Context& ctx, const Problem& p, Control& control, i64 levels) {
  i64 before = 0;
  int turn = 0;
  for (i64 base = 0; base < levels; base += BLOCK) {
    const i64 i = base + thread_id();
    const u64 here = i < levels ? u64(load_relaxed(&p.level_ends[i])) : 0;
    u64 total;
    const u64 inside = block_scan(here, total, ctx.shared.wide_scan, turn++);
    if (i < levels) store_relaxed(&p.level_ends[i], i32(before + i64(inside)));
    before += i64(total);
  }
  if (thread_id() == 0) store_relaxed(&control.counters[REACHED], u64(before));
}

template <class Team>
GR_DEVICE void sort_by_level(Context& ctx, const Problem& p, const Team& team, i64 count) {
  for_each_contiguous(ctx, count, [&](i64 i) {
    const i64 v = team.begin() + i;
    const i32 label = p.labels[v];
    if (label >= 0) p.order[atomic_add(&p.level_ends[label], 1)] = vertex_t(v);
  });
}

// --- dataflow -------------------------------------------------------------------------------------
// Counts the shortest paths to a vertex: the sum over its in-neighbours one level up.
template <class Team>
struct CountPaths {
  using Own = typename Team::Border;
  using Fetched = Nothing;
  const Problem& p;
  Team team;
  GR_DEVICE const u64* words() const { return p.counts; }
  GR_DEVICE const i32* ranks() const { return p.labels; }
  GR_DEVICE i32 needs(i32 label) const { return label - 1; }
  GR_DEVICE Fetched fetch(bool, vertex_t) const { return {}; }
  GR_DEVICE Own own(vertex_t v, Fetched) const { return team.at_border(v); }
  GR_DEVICE void finish(vertex_t v, const Own& own, const Wide& sum) const {
    team.write(&p.counts[v], to_word(sum), own);
  }
};

// The source's dependency on v: count(v) times the sum of (1 + score) / count one level down. So v's own ratio
// is that sum plus 1 / count.
template <class Team>
struct Dependency {
  struct Own : Wide, Team::Border {};  // 1 / count
  using Fetched = u64;                 // count
  const Problem& p;
  Team team;
  GR_DEVICE const u64* words() const { return p.ratios; }
  GR_DEVICE const i32* ranks() const { return p.labels; }
  GR_DEVICE i32 needs(i32 label) const { return label + 1; }
  GR_DEVICE Fetched fetch(bool asked, vertex_t v) const {
    return load_relaxed_if(asked, &p.counts[v], ONE);
  }
  GR_DEVICE Own own(vertex_t v, Fetched word) const {
    const Wide count = from_word(word);
    return {Wide{1 / count.mantissa, -count.exponent}, team.at_border(v)};
  }
  GR_DEVICE void finish(vertex_t v, const Own& own, const Wide& sum) const {
    Wide ratio = own;
    ratio.add(sum.mantissa, sum.exponent);
    team.write(&p.ratios[v], to_word(ratio), own);
    if (v == vertex_t(p.source) || sum.mantissa == 0) return;  // scores are zero at first
    const Wide count = from_word(p.counts[v]);
    p.scores[v - team.begin()] =
        float(sum.mantissa * count.mantissa * power_of_two(sum.exponent + count.exponent));
  }
};
