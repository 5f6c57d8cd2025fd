// What a primitive hands an operator: functors, and how operators call them.
//
// An edge functor says what is done with an edge `e` from s to d:
//   visit(s, d, e) -> keep     the exact test and its effects, with atomics where it needs them; returns
//                              whether the edge's end (or the edge) enters the next frontier
// and, where they pay:
//   peek(s, d, e) -> bool      a cheap test by plain loads, asked for BATCH edges at once before any
//                              visit; it may let an edge through needlessly, but never drop one wrongly
//   apply(s, d, e)             what is done with a kept edge and has to wait for visit's answer:
//                              BATCH edges are visited before the first is applied, so that their
//                              atomics overlap
//   Carry, fetch(s, d, e, carry)   all that an edge needs, loaded once, and for BATCH edges before any
//                              of it is waited for; peek and visit get it as a fourth argument
//   PREDICATED                 true: peek and visit get, before s, whether to ask at all, and do without a
//                              branch (load_relaxed_if), so that the loads of BATCH edges overlap; where
//                              nothing is asked the answer is no
//   INCOMING                   true: fetch gets, before carry, the frontier's item that led here (the
//                              edge, in a frontier of edges)
//   WARP_SEARCH           true: its kernel has registers left for a warp to search together for the lists
//                              that its edges belong to, which is faster (search.cuh). Where that would spill
//                              registers, each thread searches by itself [D-search-1]
//   FEW_LONG                   true: where a frontier's lists are short in the mean, hardly any is long, so that equal
//                              shares of items will do [D-advance-2]
//   OWNER_TAGS              true: d's label can hold its finder's name, until it is known
//                              who stands for d (core/last_found.cuh). apply is then made of settle(d), which
//                              labels d, and note(s, d, e), the rest. At first every finder calls note(s, d, e)
//                              and name(d, finder); is_named(asked, d, finder) answers whether d still has
//                              that name, and the finder for which it does settles d. A d that has a name is
//                              new to nobody: peek answers no. Names are numbers below MOST_TAGS. Where no name
//                              is needed, claiming() is asked in f's stead: a functor whose visit settles d by an
//                              atomic, if no one has named or settled it
// A vertex functor says what is done with an item of a frontier: visit(item) -> keep, and apply(item)
// once all tests have passed.
#pragma once
#include "../core/frontier.cuh"

namespace gunrock {

struct Nothing {};
template <class T>
constexpr bool is_nothing = false;
template <>
constexpr bool is_nothing<Nothing> = true;

// Whether a functor without a base says PREDICATED.
template <class...>
using Void = void;
template <class F, class = void>
constexpr bool is_predicated = false;
template <class F>
constexpr bool is_predicated<F, Void<decltype(F::PREDICATED)>> = F::PREDICATED;

struct EdgeFunctor {  // base: keeps every edge, does nothing
  using Carry = Nothing;
  static constexpr bool INCOMING = false;
  static constexpr bool PREDICATED = false;
  static constexpr bool WARP_SEARCH = false;
  static constexpr bool FEW_LONG = false;
  static constexpr bool OWNER_TAGS = false;
  GR_DEVICE bool peek(vertex_t, vertex_t, edge_t) { return true; }
  GR_DEVICE bool visit(vertex_t, vertex_t, edge_t) { return true; }
  GR_DEVICE void apply(vertex_t, vertex_t, edge_t) {}
};

struct VertexFunctor {  // base: keeps every item, does nothing
  GR_DEVICE bool visit(item_t) { return true; }
  GR_DEVICE void apply(item_t) {}
};

// A vertex functor from a test alone: filter<V>(ctx, s, who, lists, Where([&](item_t v) { ... })).
template <class Test>
struct Where : VertexFunctor {
  Test test;
  GR_DEVICE explicit Where(const Test& asked) : test(asked) {}
  GR_DEVICE bool visit(item_t item) { return test(item); }
};

// --- how an advance asks --------------------------------------------------------------------------
template <class F>
GR_DEVICE void fetch_edge(F& f, vertex_t s, vertex_t d, edge_t e, item_t incoming,
                          typename F::Carry& carry) {
  if constexpr (is_nothing<typename F::Carry>) return;
  else if constexpr (F::INCOMING) f.fetch(s, d, e, incoming, carry);
  else f.fetch(s, d, e, carry);
}
// peek's answer, false where it is not asked.
template <class F>
GR_DEVICE auto peek_edge(F& f, bool asked, vertex_t s, vertex_t d, edge_t e, typename F::Carry& carry) {
  if constexpr (F::PREDICATED) return f.peek(asked, s, d, e);
  else if constexpr (is_nothing<typename F::Carry>) return asked && f.peek(s, d, e);
  else return asked && f.peek(s, d, e, carry);
}
template <class F>
GR_DEVICE auto visit_edge(F& f, bool asked, vertex_t s, vertex_t d, edge_t e, typename F::Carry& carry) {
  if constexpr (F::PREDICATED) {
    return f.visit(asked, s, d, e);
  } else if constexpr (is_nothing<typename F::Carry>) {
    return asked ? f.visit(s, d, e) : decltype(f.visit(s, d, e))();
  } else {
    return asked ? f.visit(s, d, e, carry) : decltype(f.visit(s, d, e, carry))();
  }
}

// The types of their answers.
template <class F>
using PeekAnswer = decltype(peek_edge(*(F*)nullptr, true, vertex_t(), vertex_t(), edge_t(),
                                      *(typename F::Carry*)nullptr));
template <class F>
using VisitAnswer = decltype(visit_edge(*(F*)nullptr, true, vertex_t(), vertex_t(), edge_t(),
                                        *(typename F::Carry*)nullptr));

// What f is told of a kept edge: all, unless the collector is to settle d.
template <class C, class F>
GR_DEVICE void apply_kept(F& f, vertex_t s, vertex_t d, edge_t e) {
  if constexpr (C::TAGS) f.note(s, d, e);
  else f.apply(s, d, e);
}

// What is done with a kept edge, given visit's answer.
template <class C, class F, class Keep>
GR_DEVICE void keep_edge(F& f, C& collect, vertex_t s, vertex_t d, edge_t e, Keep keep) {
  apply_kept<C>(f, s, d, e);
  if constexpr (C::KIND == Kind::edge) collect.push(item_t(e), keep);
  else if constexpr (C::KIND == Kind::plain) collect.push(edge_item(s, d), keep);
  else collect.push(item_t(d), keep);
}

// All of the above, for an edge on its own.
template <class C, class F>
GR_DEVICE void process_edge(F& f, C& collect, vertex_t s, vertex_t d, edge_t e, item_t incoming) {
  typename F::Carry carry;
  collect.ctx.count_edges(1);
  fetch_edge(f, s, d, e, incoming, carry);
  if (!peek_edge(f, true, s, d, e, carry)) return;
  const auto keep = visit_edge(f, true, s, d, e, carry);
  if (keep) keep_edge(f, collect, s, d, e, keep);
}

}  // namespace gunrock
