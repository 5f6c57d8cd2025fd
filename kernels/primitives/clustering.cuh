// Local clustering: of the pairs of a vertex's neighbours, in either order, the share that are edges. Neighbours are
// those by out- or in-edges, as LDBC Graphalytics has it; in an undirected graph this is the usual coefficient. Loops
// and repetitions of an edge do not count.
//
// An edge from y to w, between neighbours of x, is entry w that x's list of neighbours and y's list of out-neighbours
// have in common (operators/intersect.cuh). Of each pair of neighbours the end with the smaller number is marked:
// numbers go by falling degree if lists differ much in length, so the shorter list is streamed. What lies around that
// other end is counted by marking out-neighbours and streaming neighbours; in an undirected graph it is the same.
//
// Options: GR_BY_DEGREE, numbers by degree; GR_DIRECTED.
#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
#include "operators/find_entry.cuh"
#include "operators/intersect.cuh"
#include "operators/number_by_degree.cuh"
#include "operators/reduce.cuh"
#include "operators/sublists.cuh"

struct Problem {
  vertex_t* numbers;  // of vertices, and what it takes to find them; null without GR_BY_DEGREE
  u32* by_degree;
  u32* places;
  edge_t* offsets;  // each vertex's neighbours, by numbers
  edge_t* ends;
  vertex_t* columns;
  edge_t* out_offsets;  // its out-neighbours; null without GR_DIRECTED
  edge_t* out_ends;
  vertex_t* out_columns;
  edge_t* partner_offsets;  // its neighbours of greater numbers
  edge_t* partner_ends;
  vertex_t* partner_columns;
  u64* sums;     // for scans, of each kind of lists
  u64* tickets;  // two for each intersection, zero before
  u32* marks;    // of cores
  i64 rooms;
  u64* links;    // edges between each vertex's neighbours, by numbers, zero before
  u64* totals;   // links of all vertices, and pairs of neighbours; zero before
  double* coefficients;
};

GR_DEVICE vertex_t number_of(const Problem& p, vertex_t v) {
#if GR_BY_DEGREE
  return p.numbers[v];
#else
  return v;
#endif
}

// By its lists of out-edges a vertex keeps all neighbours, or those of greater numbers; by those of in-edges the ones
// among them that are no out-neighbours.
struct Kept {
  const Problem& p;
  const Csr& out;
  bool greater, inward;
  GR_DEVICE bool keeps(vertex_t v, vertex_t u) {
    if (greater ? number_of(p, u) <= number_of(p, v) : u == v) return false;
    return !inward || !is_entry_of(out, v, u);
  }
  GR_DEVICE i64 list(vertex_t v) { return number_of(p, v); }
  GR_DEVICE vertex_t entry(vertex_t u) { return number_of(p, u); }
};

struct Count : CommonFunctor {
  static constexpr bool PAIRS = true;
  u64* links;
  bool around_x, around_y;
  GR_DEVICE Count(u64* of, bool x, bool y) : links(of), around_x(x), around_y(y) {}
  GR_DEVICE void pair(vertex_t x, vertex_t y, i64 count) {
    if (around_x) atomic_add(&links[x], u64(count));
    if (around_y) atomic_add(&links[y], u64(count));
  }
};

enum Phase { NUMBER, LIST, COUNT, DIVIDE };
enum Lists { ALL, PARTNERS, OUT };
constexpr int KINDS = GR_DIRECTED ? 3 : 2;

struct Enactor : WholeGridEnactor {
  enum Step : u32 {
    DEGREES, SUM_DEGREES, SCAN_DEGREES, NUMBERS,
    LENGTHS, IN_LENGTHS, SUM_LENGTHS, SCAN_LENGTHS, PLACE, IN_PLACE,
    INTERSECT, FINISH, DONE,
  };

  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    const i64 n = ctx.graph.n, m = ctx.graph.m;
    const Csr &out = ctx.graph.csr, &in = ctx.graph.reverse;
    const Numbering numbering = {p.numbers, p.by_degree, p.places};
    const Sublists made[] = {{p.offsets, p.ends, p.columns},
                             {p.partner_offsets, p.partner_ends, p.partner_columns},
                             {p.out_offsets, p.out_ends, p.out_columns}};
    const MadeLists all = made[ALL].lists(), onward = made[GR_DIRECTED ? OUT : ALL].lists();
    const u32 step = step_of(s);
    const bool inward = step == IN_LENGTHS || step == IN_PLACE;
    const int walked = inward ? int(OUT) : KINDS;
    switch (step) {
      case DEGREES:
        ctx.show(NUMBER, 0, n, 0);
        count_degrees(ctx, degrees(out, in), p.by_degree);
        break;
      case SUM_DEGREES:
        sum_degrees(ctx, degrees(out, in), numbering, p.sums);
        break;
      case SCAN_DEGREES:
        scan_degrees(ctx, degrees(out, in), numbering, p.sums);
        break;
      case NUMBERS:
        number_vertices(ctx, degrees(out, in), numbering);
        break;
      case LENGTHS:
      case IN_LENGTHS:
        ctx.show(LIST, inward, n, m);
        for (int kind = 0; kind < walked; ++kind)
          count_entries(ctx, inward ? in : out, made[kind], Kept{p, out, kind == PARTNERS, inward});
        break;
      case SUM_LENGTHS:
        for (int kind = 0; kind < KINDS; ++kind) sum_lengths(ctx, n, made[kind], p.sums + kind * SCAN_CHUNKS);
        break;
      case SCAN_LENGTHS:
        for (int kind = 0; kind < KINDS; ++kind) scan_lengths(ctx, n, made[kind], p.sums + kind * SCAN_CHUNKS);
        break;
      case PLACE:
      case IN_PLACE:
        ctx.show(LIST, 2 + inward, n, m);
        for (int kind = 0; kind < walked; ++kind)
          place_entries(ctx, inward ? in : out, made[kind], Kept{p, out, kind == PARTNERS, inward});
        break;
      case INTERSECT:
        ctx.show(COUNT, 0, n, m);
        for (int turn = 0; turn <= int(GR_DIRECTED); ++turn) {
          Count count(p.links, turn == 0, turn == 1 || !GR_DIRECTED);
          intersect(ctx,
                    pairs(ctx, p, numbering, turn ? onward : all, turn ? all : onward, made[PARTNERS].lists(),
                          p.tickets + 2 * turn),
                    count);
        }
        break;
      case FINISH: {
        ctx.show(DIVIDE, 0, n, 0);
        u64 links = 0, pairs = 0;
        for_each_index(ctx, n, [&](i64 v) {
          const i64 x = number_of(p, vertex_t(v));
          const u64 around = u64(all.row(x).length), possible = around < 2 ? 0 : around * (around - 1);
          links += p.links[x];
          pairs += possible;
          p.coefficients[v] = possible ? double(p.links[x]) / double(possible) : 0.0;
        });
        fold_grid<Sum<u64>>(ctx, links, &p.totals[0]);
        fold_grid<Sum<u64>>(ctx, pairs, &p.totals[1]);
        break;
      }
      default:
        return false;
    }
    return true;
  }

 private:
  // The steps that these options need, one after the other.
  GR_DEVICE static u32 step_of(const State& s) {
    u32 step = s.step + (GR_BY_DEGREE ? 0 : u32(LENGTHS));
    if (!GR_DIRECTED && step >= IN_LENGTHS) ++step;
    if (!GR_DIRECTED && step >= IN_PLACE) ++step;
    return step;
  }

#if GR_DIRECTED
  GR_DEVICE static BothWays degrees(const Csr& out, const Csr& in) { return {out, in}; }
#else
  GR_DEVICE static const Csr& degrees(const Csr& out, const Csr&) { return out; }
#endif

  GR_DEVICE static Pairs pairs(const Context& ctx, const Problem& p, const Numbering& numbering,
                               const MadeLists& marked, const MadeLists& streamed, const MadeLists& partners,
                               u64* tickets) {
    const auto& lists = degrees(ctx.graph.csr, ctx.graph.reverse);
    const i64 for_blocks = GR_BY_DEGREE ? longer_than(lists, numbering, LONGEST_FOR_WARP) : 0;
    const i64 uneven = GR_BY_DEGREE ? longer_than(lists, numbering, WARP) : 0;
    return {ctx.graph.n, marked, streamed, partners, false, for_blocks, uneven, tickets, p.marks, p.rooms};
  }
};
