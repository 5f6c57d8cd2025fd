// Folds over one thread's part of a neighbour list, by whichever members a gather's functor has. Called by gathers.
#pragma once
#include "fold_peeked.cuh"

namespace gunrock {

// The values of several entries, `stride` apart from `e` on; an entry of -1 contributes zero. All loads are in
// flight before the first is waited for, even if the functor's loads are split (SPLIT_LOADS).
template <class Monoid, int BATCH, class F>
GR_DEVICE void load_values(F& f, const vertex_t (&s)[BATCH], edge_t e, edge_t stride,
                           typename Monoid::Value (&x)[BATCH]) {
  if constexpr (F::SPLIT_LOADS) {
    typename F::Found found[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) found[k] = f.find(s[k]);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) x[k] = f.value(found[k]);
  } else {
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      x[k] = s[k] >= 0 ? f.value(s[k], edge_t(e + k * stride)) : Monoid::zero();
  }
}

// Folds all entries. A few at a time are joined as Values, and the results are added as Totals: the sum of a
// long list of equal floats would drift as a float.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void fold_all(Context& ctx, const Lists& lists, F& f, i64 first, i64 end, int stride,
                        typename Monoid::Total& total) {
  using Value = typename Monoid::Value;
  for (i64 e = first; e < end; e += BATCH * stride) {
    vertex_t s[BATCH];
    Value x[BATCH];
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      const bool inside = end - e > k * stride;
      s[k] = inside ? lists.neighbor(edge_t(e + k * stride)) : -1;
      ctx.look_at_edges(inside);
    }
    load_values<Monoid>(f, s, edge_t(e), edge_t(stride), x);
    GR_UNROLL
    for (int d = 1; d < BATCH; d *= 2) {
      GR_UNROLL
      for (int k = 0; k + d < BATCH; k += 2 * d) Monoid::join(x[k], x[k + d]);
    }
    Monoid::add(total, x[0]);
  }
}

// Notifies the entries from `e` on, `stride` apart, of v's new state. What each entry knows is loaded first,
// for several together.
template <int BATCH, class F>
GR_DEVICE void notify_entries(Context& ctx, const Csr& lists, F& f, vertex_t v, edge_t e, edge_t end,
                              edge_t stride) {
  for (; e < end; e += BATCH * stride) {
    vertex_t u[BATCH];
    decltype(f.knows(u[0])) known[BATCH];
    load_entries(ctx, lists, e, end, stride, u);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) known[k] = f.knows(u[k]);
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k)
      if (u[k] >= 0) f.notify(u[k], v, e + k * stride, known[k]);
  }
}

// Folds with a functor that folds several entries at once by itself (FOLDS).
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void fold_together(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t e, edge_t end,
                             edge_t stride, typename Monoid::Total& total) {
  for (; e < end; e += BATCH * stride) {
    vertex_t u[BATCH];
    if constexpr (is_nothing<typename F::Carry>) {
      load_entries(ctx, lists, e, end, stride, u);
      f.fold(v, u, total);
    } else {
      typename F::Carry carry[BATCH];
      bool there[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) {
        there[k] = e + k * stride < end;
        const edge_t at = there[k] ? e + k * stride : e;
        u[k] = lists.neighbor(at);
        carry[k] = f.fetch(at);
        ctx.look_at_edges(there[k]);
      }
      branch_sync();  // else the assembler waits for some of these before it loads the rest, as in [D-stage-1]
      f.fold(v, u, carry, there, total);
    }
  }
}

// Folds in the way that the functor's members select.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void fold_part(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t first, edge_t end,
                         edge_t stride, typename Monoid::Total& total) {
  if constexpr (F::FOLDS) fold_together<Monoid, BATCH>(ctx, lists, f, v, first, end, stride, total);
  else if constexpr (F::PEEKS) fold_peeked<Monoid, BATCH>(ctx, lists, f, v, first, end, stride, total);
  else fold_all<Monoid, BATCH>(ctx, lists, f, first, end, int(stride), total);
}

}  // namespace gunrock
