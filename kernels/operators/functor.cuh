// Functors, which a primitive hands to an operator, and how operators call them. Every operator that visits
// edges includes this; the primitives derive their functors from the bases below.
//
// An edge functor says what to do with an edge `e` from s to d:
//   visit(s, d, e) -> keep     the exact test and its effects, with atomics where necessary; true if d (or
//                              the edge) enters the next frontier
// and optionally:
//   peek(s, d, e) -> bool      a cheap test by plain loads, made for BATCH edges before any visit; it may
//                              let an edge through needlessly, but must never drop one wrongly
//   apply(s, d, e)             the effects on a kept edge that have to wait for visit's answer: BATCH edges
//                              are visited before the first is applied, so that their atomics overlap
//   Carry, fetch(s, d, e, carry)   loads all that an edge needs, once, and for BATCH edges before any load is
//                              waited for; peek and visit get the carry as a fourth argument
//   peek and visit may take, before s, a flag that says whether to ask at all, and return "no" if not. They do
//                              without a branch (load_relaxed_if), so that the loads of BATCH edges overlap
//   fetch may take, before carry, the frontier's item that led here (the edge, in a frontier of edges)
//   WARP_SEARCH                a warp searches together for the lists that its edges belong to (search.cuh):
//                              faster, but it takes registers. False where that would spill registers: each
//                              thread then searches by itself [D-search-1]
//   FEW_LONG                   where a frontier's lists are short on average, hardly any list is long, so
//                              equal shares of items balance well enough [D-advance-2]
//   OWNER_TAGS                 d's label can hold the tag of the thread that found it (last_found.cuh)
//
// A vertex functor says what to do with an item of a frontier: visit(item) -> keep, and apply(item) once the
// item has passed all tests.
#pragma once
#include "../core/frontier.cuh"

namespace gunrock {

struct Nothing {};
template <class T>
constexpr bool is_nothing = false;
template <>
constexpr bool is_nothing<Nothing> = true;

// What a functor's members take, read from their declarations.
template <class...>
using Void = void;
template <class T>
GR_DEVICE T& any();  // for expressions that are never evaluated
// peek takes a flag that says whether to ask.
template <class F, class = void>
constexpr bool takes_asked = false;
template <class F>
constexpr bool takes_asked<F, Void<decltype(any<F>().peek(true, vertex_t(), vertex_t(), edge_t()))>> = true;
template <class F>
constexpr bool is_predicated = takes_asked<F> && is_nothing<typename F::Carry>;
// fetch takes the item that led to an edge.
template <class F, class = void>
constexpr bool takes_incoming = false;
template <class F>
constexpr bool takes_incoming<F, Void<decltype(any<F>().fetch(vertex_t(), vertex_t(), edge_t(), item_t(),
                                                              any<typename F::Carry>()))>> = true;

struct EdgeFunctor {  // base: keeps every edge, does nothing
  using Carry = Nothing;
  static constexpr bool WARP_SEARCH = false;
  static constexpr bool FEW_LONG = false;
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

// --- calls by an advance --------------------------------------------------------------------------
template <class F>
GR_DEVICE void fetch_edge(F& f, vertex_t s, vertex_t d, edge_t e, item_t incoming,
                          typename F::Carry& carry) {
  if constexpr (is_nothing<typename F::Carry>) return;
  else if constexpr (takes_incoming<F>) f.fetch(s, d, e, incoming, carry);
  else f.fetch(s, d, e, carry);
}
// peek's answer; false if not asked.
template <class F>
GR_DEVICE auto peek_edge(F& f, bool asked, vertex_t s, vertex_t d, edge_t e, typename F::Carry& carry) {
  if constexpr (is_predicated<F>) return f.peek(asked, s, d, e);
  else if constexpr (is_nothing<typename F::Carry>) return asked && f.peek(s, d, e);
  else return asked && f.peek(s, d, e, carry);
}
template <class F>
GR_DEVICE auto visit_edge(F& f, bool asked, vertex_t s, vertex_t d, edge_t e, typename F::Carry& carry) {
  if constexpr (is_predicated<F>) {
    return f.visit(asked, s, d, e);
  } else if constexpr (is_nothing<typename F::Carry>) {
    return asked ? f.visit(s, d, e) : decltype(f.visit(s, d, e))();
  } else {
    return asked ? f.visit(s, d, e, carry) : decltype(f.visit(s, d, e, carry))();
  }
}

// The types of peek's and visit's answers.
template <class F>
using PeekAnswer = decltype(peek_edge(*(F*)nullptr, true, vertex_t(), vertex_t(), edge_t(),
                                      *(typename F::Carry*)nullptr));
template <class F>
using VisitAnswer = decltype(visit_edge(*(F*)nullptr, true, vertex_t(), vertex_t(), edge_t(),
                                        *(typename F::Carry*)nullptr));

// Applies f to a kept edge: all of apply, or only note where the collector calls finalize later.
template <class C, class F>
GR_DEVICE void apply_kept(F& f, vertex_t s, vertex_t d, edge_t e) {
  if constexpr (C::TAGS) f.note(s, d, e);
  else f.apply(s, d, e);
}

// Applies f to an edge that visit has kept, and collects what the edge leads to.
template <class C, class F, class Keep>
GR_DEVICE void keep_edge(F& f, C& collect, vertex_t s, vertex_t d, edge_t e, Keep keep) {
  apply_kept<C>(f, s, d, e);
  if constexpr (C::KIND == Kind::edge) collect.push(item_t(e), keep);
  else if constexpr (C::KIND == Kind::plain) collect.push(edge_item(s, d), keep);
  else collect.push(item_t(d), keep);
}

// Fetches, peeks, visits and keeps a single edge.
template <class C, class F>
GR_DEVICE void process_edge(F& f, C& collect, vertex_t s, vertex_t d, edge_t e, item_t incoming) {
  typename F::Carry carry;
  collect.ctx.look_at_edges(1);
  fetch_edge(f, s, d, e, incoming, carry);
  if (!peek_edge(f, true, s, d, e, carry)) return;
  const auto keep = visit_edge(f, true, s, d, e, carry);
  if (keep) keep_edge(f, collect, s, d, e, keep);
}

}  // namespace gunrock
