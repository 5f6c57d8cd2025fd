// Certificate of BC: dependencies (Brandes) are right if their equations hold at every vertex, on levels that
// are proved as for BFS, with counts of shortest paths that satisfy their own equation:
//     paths(v)      = sum over in-edges (u, v) from the level above of paths(u)
//     dependency(u) = sum over out-edges (u, v) to the level below of paths(u) / paths(v) * (1 + dependency(v))
// Each equation involves one vertex and its neighbours, so all are checked at once, and by induction over the levels
// only one answer satisfies them all. Counts exceed a double's range, so they have a mantissa and an exponent; they
// are compared as ratios of neighbours' counts, whose sum over the in-edges is 1.
//
// By weight, edges that lead exactly to their end's distance take the place of those from level to level. All
// weights are above zero, so a chain of such edges, each from a smaller distance, leads back to the source.
#pragma once
#include "certificates/levels.cuh"
#include "math/wide_number.cuh"

struct Problem {
  i32* labels;        // null by weight
  double* distances;  // null by levels
  u64* paths;         // words of wide_number.cuh
  float* scores;
  u32* explained;     // a bit each, zero before
  double* shares;     // of n, zero before: the sum of paths(u) / paths(v)
  double* sums;       // of n, zero before: the right-hand side of the second equation
  i64 source;
  double path_tolerance;   // relative, of the first equation
  double score_tolerance;  // of the second
  double negligible;  // scores below this are compared by its absolute error
  u64* broken;
  i64* first;
};

enum Condition { PATHS = LEVEL_CONDITIONS, SCORE };

// Distances, as Levels has depths.
struct Distances {
  const double* distances;
  const weight_t* weights;
  u32* explained;
  i64 source;

  // True if the edge is on a shortest path; it must not make v closer.
  GR_DEVICE bool leads_on(vertex_t u, vertex_t v, edge_t e, const Tally& tally) const {
    const double near = distances[u], far = distances[v], reach = near + double(weights[e]);
    if (!reached(u)) return false;
    tally.require(far <= reach, SKIPPED, v);
    return near < far && far == reach;
  }
  GR_DEVICE bool reached(vertex_t v) const { return distances[v] < bits_double(u64(0x7ff) << 52); }
  GR_DEVICE void judge(vertex_t v, const Tally& tally) const {
    tally.require(distances[v] >= 0, LABEL, v);
    tally.require((distances[v] == 0) == (v == source), SOURCE, v);
    tally.require(v == source || !reached(v) || bitmap_test(explained, v), UNEXPLAINED, v);
  }
};

struct Enactor : TwoSteps<Enactor> {
  GR_DEVICE static void walk(const Context& ctx, const Problem& p, const Tally& tally) {
    const Levels levels{p.labels, p.explained, p.source};
    const Distances lengths{p.distances, ctx.graph.csr.values, p.explained, p.source};
    for_each_edge(ctx, ctx.graph.csr, [&](vertex_t u, vertex_t v, edge_t e) {
      if (!(p.distances ? lengths.leads_on(u, v, e, tally) : levels.leads_on(u, v, tally))) return;
      levels.explain(v);
      const double share = ratio(p.paths[u], p.paths[v]);
      atomic_add(&p.shares[v], share);
      if (u != p.source) atomic_add(&p.sums[u], share * (1 + double(p.scores[v])));
    });
  }

  GR_DEVICE static void judge(const Context& ctx, const Problem& p, const Tally& tally) {
    const Levels levels{p.labels, p.explained, p.source};
    const Distances lengths{p.distances, ctx.graph.csr.values, p.explained, p.source};
    for_each_vertex(ctx, [&](vertex_t v) {
      if (p.distances) lengths.judge(v, tally);
      else levels.judge(v, ctx.graph.n, tally);
      if (v == p.source) {
        tally.require(p.paths[v] == ONE, PATHS, v);
      } else if (p.distances ? lengths.reached(v) : p.labels[v] > 0) {
        tally.require(near(p.shares[v], 1, p.path_tolerance), PATHS, v);
      }
      const double wanted = p.sums[v], scale = wanted > p.negligible ? wanted : p.negligible;
      tally.require(near(p.scores[v], wanted, p.score_tolerance * scale), SCORE, v);
    });
  }

 private:
  GR_DEVICE static double ratio(u64 upper, u64 lower) {
    const Wide a = from_word(upper), b = from_word(lower);
    const i32 exponent = a.exponent - b.exponent;
    return exponent > 1000 ? 1e300 : a.mantissa / b.mantissa * power_of_two(exponent);
  }

  GR_DEVICE static bool near(double found, double wanted, double allowed) {
    return found >= wanted - allowed && found <= wanted + allowed;  // not NaN
  }
};
