// Common entries of given lists, for the tests: their number, by each end of a pair, and by the entries.
// Options: GR_CALLS, true if the functor is called for entries and pairs.
#include "core/enactor.cuh"
#include "operators/intersect.cuh"
#include "operators/reduce.cuh"

struct Problem {
  edge_t* offsets;
  vertex_t* columns;
  edge_t* streamed_offsets;
  vertex_t* streamed_columns;
  edge_t* partner_offsets;
  vertex_t* partner_columns;
  i64 count;
  i64 falling;
  i64 long_lists;
  i64 uneven;
  u64* tickets;
  u32* marks;
  i64 rooms;
  u64* total;
  u64* of_x;
  u64* of_y;
  u64* of_w;
  u64* times;
};

struct Note : CommonFunctor {
  static constexpr bool EACH = GR_CALLS;
  static constexpr bool SUMS = GR_CALLS;
  static constexpr bool PAIRS = GR_CALLS;
  const Problem& p;
  GR_DEVICE explicit Note(const Problem& problem) : p(problem) {}
  // Weights tell which pair an entry was found for.
  GR_DEVICE void common(vertex_t x, vertex_t y, vertex_t w) { atomic_add(&p.of_w[w], u64(1000 * x + y)); }
  GR_DEVICE void entry(vertex_t w, u64 count) { atomic_add(&p.times[w], count); }
  GR_DEVICE void pair(vertex_t x, vertex_t y, i64 count) {
    atomic_add(&p.of_x[x], u64(count));
    atomic_add(&p.of_y[y], u64(count));
  }
};

enum Phase { FIND };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(FIND, 0, p.count, 0);
    Note note(p);
    intersect(ctx,
              {p.count, {p.offsets, p.offsets + 1, p.columns},
               {p.streamed_offsets, p.streamed_offsets + 1, p.streamed_columns},
               {p.partner_offsets, p.partner_offsets + 1, p.partner_columns}, p.falling != 0, p.long_lists, p.uneven,
               p.tickets, p.marks, p.rooms},
              note);
    fold_grid<Sum<u64>>(ctx, note.total, p.total);
    return true;
  }
};
