// Triangles: sets of three vertices of which every two are neighbours; of the whole graph, of each vertex, or of each
// edge. Undirected graphs; loops and repetitions of an edge do not count.
//
// For the graph and for vertices, every edge is oriented from the end with the greater number to the other, so a
// triangle x > y > w is met once: as entry w that the lists of x and y have in common (operators/intersect.cuh).
// Numbers are the vertices' own or, if lists differ much in length, go by falling degree, which leaves hubs few entries
// (Chiba and Nishizeki 1985; Latapy 2008). Orientation is a part of the run. For edges, lists keep all neighbours, as
// the triangles of an edge are all entries that its ends' lists have in common; no triangle costs an atomic.
//
// Options: GR_BY_DEGREE, numbers by degree; GR_IN_PLACE, numbers are the vertices' own and no list repeats an entry, so
// that the graph's lists serve; GR_LONGER, the longer of an edge's two lists is the one that is marked, so that the
// shorter one is streamed, which takes a second set of lists; otherwise the list of the end with the greater number is;
// GR_PER_VERTEX; GR_PER_EDGE, with GR_LONGER; GR_SEVERAL, with GR_LONGER: several devices, which all orient the whole
// graph, by the first one's numbers. Each counts the common entries of its own vertices' pairs.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/find_entry.cuh"
#include "operators/intersect.cuh"
#include "operators/number_by_degree.cuh"
#include "operators/reduce.cuh"
#include "operators/sublists.cuh"
#if GR_SEVERAL
#include "operators/exchange.cuh"
#endif

struct Problem {
  vertex_t* numbers;  // of vertices, and what it takes to find them; null without GR_BY_DEGREE. GR_SEVERAL: in the heap
  vertex_t* drawn;    // the numbers that a further device draws, which nobody uses; null without GR_SEVERAL
  u32* by_degree;
  u32* places;
  vertex_t* vertices;  // by number; null without GR_BY_DEGREE and GR_PER_EDGE
  edge_t* offsets;    // each vertex's neighbours of smaller numbers, or all with GR_PER_EDGE, by numbers; ends alone
                      // with GR_IN_PLACE
  edge_t* ends;
  vertex_t* columns;
  edge_t* partner_offsets;  // the neighbours whose lists are shorter; null without GR_LONGER
  edge_t* partner_ends;
  vertex_t* partner_columns;
  u64* sums;      // for scans
  u64* tickets;   // two, zero before
  u32* marks;     // of cores
  i64 rooms;
  u64* total;     // zero before
  u64* triangles;  // of each vertex, zero before; null without GR_PER_VERTEX
  u64* counts;     // the same by numbers; the same array without GR_BY_DEGREE. GR_SEVERAL: n of each device, in the heap
  i32* of_edges;   // of each entry of the graph, zero before; null without GR_PER_EDGE
};

GR_DEVICE vertex_t number_of(const Problem& p, vertex_t v) {
#if GR_BY_DEGREE
  return p.numbers[v];  // hubs' stay in the multiprocessor's cache
#else
  return v;
#endif
}

GR_DEVICE vertex_t vertex_of(const Problem& p, vertex_t x) { return GR_BY_DEGREE ? p.vertices[x] : x; }

// A vertex keeps its neighbours of smaller numbers, or all.
struct Smaller {
  const Problem& p;
  GR_DEVICE bool keeps(vertex_t v, vertex_t u) { return GR_PER_EDGE ? u != v : number_of(p, u) < number_of(p, v); }
  GR_DEVICE i64 list(vertex_t v) { return number_of(p, v); }
  GR_DEVICE vertex_t entry(vertex_t u) { return number_of(p, u); }
};

// A vertex keeps its neighbours whose lists, as made by Smaller, are shorter than its own, but not empty.
struct Shorter {
  const Problem& p;
  MadeLists lists;
  const Peers& peers;
  GR_DEVICE bool keeps(vertex_t v, vertex_t u) {
    if (GR_SEVERAL && !peers.owns(v)) return false;
    const vertex_t x = number_of(p, v), y = number_of(p, u);
    const edge_t own = lists.row(x).length, other = lists.row(y).length;
    return other > 0 && (other < own || (other == own && y < x));
  }
  GR_DEVICE i64 list(vertex_t v) { return number_of(p, v); }
  GR_DEVICE vertex_t entry(vertex_t u) { return number_of(p, u); }
};

GR_DEVICE u64* own_counts(const Context& ctx, const Problem& p) {
  return p.counts + (GR_SEVERAL && GR_PER_VERTEX ? ctx.peers.device * ctx.graph.n : 0);
}

struct Count : CommonFunctor {
  static constexpr bool SUMS = GR_PER_VERTEX;
  static constexpr bool PAIRS = GR_PER_VERTEX || GR_PER_EDGE;
  const Csr& all;
  const Problem& p;
  u64* counts;
  GR_DEVICE Count(const Context& ctx, const Problem& problem)
      : all(ctx.graph.csr), p(problem), counts(own_counts(ctx, problem)) {}
  GR_DEVICE void entry(vertex_t w, u64 count) { atomic_add(&counts[w], count); }
  GR_DEVICE void pair(vertex_t x, vertex_t y, i64 count) {
#if GR_PER_EDGE
    const vertex_t v = vertex_of(p, x), u = vertex_of(p, y);
    for_each_entry_of(all, v, u, [&](edge_t e) { atomic_add(&p.of_edges[e], i32(count)); });
    for_each_entry_of(all, u, v, [&](edge_t e) { atomic_add(&p.of_edges[e], i32(count)); });
#else
    atomic_add(&counts[x], u64(count));
    atomic_add(&counts[y], u64(count));
#endif
  }
};

enum Phase { NUMBER, ORIENT, COUNT, EXCHANGE };

enum Step : u32 {
  DEGREES, SUM_DEGREES, SCAN_DEGREES, NUMBERS,
  LENGTHS, SUM_LENGTHS, SCAN_LENGTHS, PLACE,
  SUM_PARTNERS, SCAN_PARTNERS, PLACE_PARTNERS,
  INTERSECT, RETURN, DONE,
};

// The steps that these options need, one after the other.
GR_DEVICE u32 step_of(u32 number) {
  u32 step = number + (GR_BY_DEGREE ? 0 : u32(LENGTHS));
  if (GR_IN_PLACE && step > LENGTHS) step += INTERSECT - SUM_LENGTHS;
  else if (!GR_LONGER && step > PLACE) step += INTERSECT - SUM_PARTNERS;
  if (!(GR_PER_VERTEX && (GR_BY_DEGREE || GR_SEVERAL)) && step > INTERSECT) step = DONE;
  return step;
}

#if GR_SEVERAL
// All devices go by the first one's numbers, and get each other's counts.
struct NumbersAndCounts : SeveralDevices {
  GR_DEVICE static bool due(const LoopState& s) {
    const u32 step = step_of(s.step - 1);
    return step == NUMBERS || (GR_PER_VERTEX && step == INTERSECT);
  }
  GR_DEVICE static void exchange(Context& ctx, const Problem& p, Control&, const LoopState& s) {
    const i64 n = ctx.graph.n, device = ctx.peers.device;
    ctx.show(EXCHANGE, 0, n, 0);
    if (step_of(s.step - 1) == INTERSECT) broadcast(ctx, p.counts, device * n, (device + 1) * n);
    else if (device == 0) broadcast(ctx, p.numbers, 0, n);
  }
};
#endif

struct Enactor : WholeGridEnactor {
#if GR_SEVERAL
  using Team = NumbersAndCounts;
#endif

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n, m = ctx.graph.m;
    const Csr& all = ctx.graph.csr;
    const bool draws_for_all = !GR_SEVERAL || ctx.peers.device == 0;
    const Numbering numbering = {draws_for_all ? p.numbers : p.drawn, p.by_degree, p.places};
    const Sublists smaller = {p.offsets, p.ends, p.columns};
    const Sublists shorter = {p.partner_offsets, p.partner_ends, p.partner_columns};
    switch (step_of(s.step)) {
      case DEGREES:
        ctx.show(NUMBER, 0, n, 0);
        count_degrees(ctx, all, p.by_degree);
        break;
      case SUM_DEGREES:
        sum_degrees(ctx, all, numbering, p.sums);
        break;
      case SCAN_DEGREES:
        scan_degrees(ctx, all, numbering, p.sums);
        break;
      case NUMBERS:
        number_vertices(ctx, all, numbering);
        break;
      case LENGTHS:
        ctx.show(ORIENT, 0, n, m);
        if (GR_IN_PLACE) find_smaller(ctx, all, p.ends);
        else count_entries(ctx, all, smaller, Smaller{p});
#if GR_BY_DEGREE && GR_PER_EDGE
        for_each_index(ctx, n, [&](i64 v) { p.vertices[p.numbers[v]] = vertex_t(v); });
#endif
        break;
      case SUM_LENGTHS:
        sum_lengths(ctx, n, smaller, p.sums);
        break;
      case SCAN_LENGTHS:
        scan_lengths(ctx, n, smaller, p.sums);
        break;
      case PLACE:
        ctx.show(ORIENT, 1, n, m);
        place_entries(ctx, all, smaller, Smaller{p});
#if GR_LONGER
        count_entries(ctx, all, shorter, Shorter{p, smaller.lists(), ctx.peers});
#endif
        break;
      case SUM_PARTNERS:
        sum_lengths(ctx, n, shorter, p.sums);
        break;
      case SCAN_PARTNERS:
        scan_lengths(ctx, n, shorter, p.sums);
        break;
      case PLACE_PARTNERS:
        ctx.show(ORIENT, 2, n, m);
        place_entries(ctx, all, shorter, Shorter{p, smaller.lists(), ctx.peers});
        break;
      case INTERSECT: {
        ctx.show(COUNT, 0, n, m / 2);
        Count count(ctx, p);
        const MadeLists lists = GR_IN_PLACE ? smaller_in_place(all, p.ends) : smaller.lists();
        intersect(ctx, pairs(ctx, p, numbering, lists, shorter.lists()), count);
        fold_grid<Sum<u64>>(ctx, count.total, p.total);
        break;
      }
      case RETURN:
        for_each_index(ctx, n, [&](i64 v) {
          u64 count = 0;
          for (i64 device = 0; device < (GR_SEVERAL ? ctx.peers.devices : 1); ++device)
            count += p.counts[device * n + number_of(p, vertex_t(v))];
          p.triangles[v] = count;
        });
        break;
      default:
        return false;
    }
    return true;
  }

 private:
  GR_DEVICE static Pairs pairs(const Context& ctx, const Problem& p, const Numbering& numbering,
                               const MadeLists& smaller, const MadeLists& shorter) {
    const Csr& all = ctx.graph.csr;
    const i64 for_blocks = GR_BY_DEGREE ? longer_than(all, numbering, LONGEST_FOR_WARP) : 0;
    const i64 uneven = GR_BY_DEGREE ? longer_than(all, numbering, WARP) : 0;
    const MadeLists& partners = GR_LONGER ? shorter : smaller;
    return {ctx.graph.n, smaller, smaller, partners, !GR_PER_EDGE, for_blocks, uneven, p.tickets, p.marks, p.rooms};
  }
};
