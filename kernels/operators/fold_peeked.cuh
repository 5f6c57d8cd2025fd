// Folds the entries of one thread's part of a neighbour list that a functor's peek lets through. Called by pulls and
// gathers.
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

}  // namespace gunrock
