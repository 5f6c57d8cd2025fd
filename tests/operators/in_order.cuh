// The smallest number that no neighbour earlier in an order has, for the tests.
#include "core/enactor.cuh"
#include "operators/in_order.cuh"

struct Problem {
  vertex_t* order;
  i64 long_lists;
  i64 count;
  i32* words;
  u32* tickets;
};

enum Phase { NUMBER };

struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    ctx.show(NUMBER, 0, p.count, 0);
    smallest_free_in_order(ctx, ctx.graph.csr,
                           {p.order, p.long_lists, p.count, p.words, &p.tickets[0], &p.tickets[1]});
    return true;
  }
};
