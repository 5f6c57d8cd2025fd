// GatherFunctor, the base of functors that fold lists (gather.cuh, pull.cuh). What a list's entries mean:
//   wants(v) -> bool           true if v's list is to be walked
//   passes(v) -> keep          called instead of finish for vertices that are not wanted
//   value(u, e)                what entry e of a list, neighbour u, contributes; 1 by default
//   PEEKS, peek(u, v, e)       true if entry e of v's list contributes; asked for several entries before the
//                              first answer is waited for. As in an EdgeFunctor, peek may take a flag before u;
//                              then several values are loaded before the first is added, too
//   word(u, e)                 with peek: value(u, e) is computed from this word, and the monoid has add_words
//   Carry, fetch(e)            with peek or fold: what is loaded of an entry together with its neighbour; peek
//                              gets the carry as a fourth argument, and value is value(u, v, e, carry)
//   FOLDS, fold(v, u, total)   the functor itself joins several entries u of v's list (-1: no entry) to the
//                              total; with a Carry: fold(v, u, carry, there, total), and u
//                              is only an entry if it is `there`
//   SPLIT_LOADS, Found,        a value takes a branch, or a load from one of two places: find(u) makes the
//   find(u), value(found)      loads, for several entries before the first value(found). For u = -1, find
//                              loads nothing and the value is the monoid's zero. Without peek
// and what becomes of the fold:
//   EMPTY_LISTS                vertices without a list are handed over too
//   Own, own(v, length)        what finish(v, own, total) needs of v itself, loaded along with the list, which
//                              has this length
//   finish(v, total) -> keep   one thread hands over the fold of v's list
//   ask(u)                     under AllLists, on cores: prefetches what value will load for u
//   FINISHES_RUNS,             under AllLists, cores hand over the folds of consecutive vertices together, with
//   finish_run(v, count, totals)   as many digits as a difference of two running totals has
//   NOTIFIES, notifies(total)  if true, the same threads walk v's list a second time, at once, so that each
//   knows(u)                   entry learns v's new state. What u knows is loaded for several entries together,
//   notify(u, v, e, known)     and not for u = -1
#pragma once
#include "functor.cuh"

namespace gunrock {

struct GatherFunctor {
  using Own = Nothing;
  using Carry = Nothing;
  static constexpr bool PEEKS = false;
  static constexpr bool FOLDS = false;
  static constexpr bool SPLIT_LOADS = false;
  static constexpr bool EMPTY_LISTS = true;
  static constexpr bool FINISHES_RUNS = false;
  static constexpr bool NOTIFIES = false;
  GR_DEVICE bool wants(vertex_t) { return true; }
  GR_DEVICE void ask(vertex_t) {}
  GR_DEVICE i32 value(vertex_t, edge_t) { return 1; }
  GR_DEVICE Nothing own(vertex_t, edge_t) { return {}; }
};

// True if a functor has `passes`.
template <class F, class = void>
constexpr bool has_passes = false;
template <class F>
constexpr bool has_passes<F, Void<decltype(any<F>().passes(vertex_t()))>> = true;

template <class F, class Total>
GR_DEVICE bool finish_vertex(F& f, vertex_t v, const typename F::Own& own, const Total& total) {
  if constexpr (is_nothing<typename F::Own>) return f.finish(v, total);
  else return f.finish(v, own, total);
}

}  // namespace gunrock
