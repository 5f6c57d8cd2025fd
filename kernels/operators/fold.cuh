// Folds over one thread's part of a neighbour list, by whichever members a gather's functor has. Called by gathers.
#pragma once
#include "functor.cuh"
#include "walk.cuh"

namespace gunrock {

// peek's answer for an entry (false if not asked) and its value, with the arguments that the functor takes.
template <class F>
GR_DEVICE auto peek_at(F& f, bool asked, vertex_t u, vertex_t v, edge_t e, const typename F::Carry& carry) {
  if constexpr (is_predicated<F>) return f.peek(asked, u, v, e);
  else if constexpr (is_nothing<typename F::Carry>) return asked && f.peek(u, v, e);
  else return asked && f.peek(u, v, e, carry);
}
template <class F>
GR_DEVICE auto value_at(F& f, vertex_t u, vertex_t v, edge_t e, const typename F::Carry& carry) {
  if constexpr (is_nothing<typename F::Carry>) return f.value(u, e);
  else return f.value(u, v, e, carry);
}

// True if a functor has `word`.
template <class F, class = void>
constexpr bool has_words = false;
template <class F>
constexpr bool has_words<F, Void<decltype(any<F>().word(vertex_t(), edge_t()))>> = true;

// fold_peeked on a core, for values that are words of which the monoid adds several: the entries that
// contribute are listed first, without a branch per entry that the core would have to predict [D-cores-8].
template <class Monoid, class Lists, class F>
GR_DEVICE void fold_listed(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t e, edge_t end,
                           typename Monoid::Total& total) {
  constexpr edge_t MOST = 64;  // entries that are listed at once
  edge_t listed[MOST];
  for (edge_t stop; e < end; e = stop) {
    stop = end - e < MOST ? end : e + MOST;
    ctx.count_edges(stop - e);
    i64 count = 0;
    for (edge_t at = e; at < stop; ++at) {
      listed[count] = at;
      count += i64(bool(peek_at(f, true, lists.neighbor(at), v, at, Nothing{})));
    }
    Monoid::add_words(total, count, [&](i64 k) { return f.word(lists.neighbor(listed[k]), listed[k]); });
  }
}

// Folds the entries from `e` on, `stride` apart, that the functor's peek lets through.
template <class Monoid, int BATCH, class Lists, class F>
GR_DEVICE void fold_peeked(Context& ctx, const Lists& lists, F& f, vertex_t v, edge_t e, edge_t end,
                           edge_t stride, typename Monoid::Total& total) {
  if constexpr (WARP == 1 && has_words<F>) {
    fold_listed<Monoid>(ctx, lists, f, v, e, end, total);
    return;
  }
  for (; e < end; e += BATCH * stride) {
    vertex_t u[BATCH];
    typename F::Carry carry[BATCH];
    decltype(peek_at(f, true, u[0], v, e, carry[0])) counts[BATCH];
    load_entries(ctx, lists, e, end, stride, u);
    if constexpr (!is_nothing<typename F::Carry>) {
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k) carry[k] = f.fetch(e + k * stride < end ? e + k * stride : e);
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) counts[k] = peek_at(f, u[k] >= 0, u[k], v, e + k * stride, carry[k]);
    if constexpr (is_predicated<F> && !Monoid::SHORT_CIRCUITS) {  // values are loaded together, too
      typename Monoid::Value x[BATCH];
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (counts[k]) x[k] = value_at(f, u[k], v, e + k * stride, carry[k]);
      GR_UNROLL
      for (int k = 0; k < BATCH; ++k)
        if (counts[k]) Monoid::add(total, x[k]);
      continue;
    }
    GR_UNROLL
    for (int k = 0; k < BATCH; ++k) {
      if (counts[k]) {
        Monoid::add(total, value_at(f, u[k], v, e + k * stride, carry[k]));
        if constexpr (Monoid::SHORT_CIRCUITS) return;
      }
    }
  }
}

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
      ctx.count_edges(inside);
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
        ctx.count_edges(there[k]);
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
