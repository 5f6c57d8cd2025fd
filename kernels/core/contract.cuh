// The contract: what the compiled code tells the host about itself, by name: members' places and types, and the
// values of enumerators and constants. The host packs and reads memory by it (gunrock_cli/engine/contract.py),
// so no offset, type or number is repeated there.
#pragma once
#include "enactor.cuh"

namespace gunrock::contract {

struct TypeName {
  char text[16];
};

// Aggregates, so that they are initialized when the code is compiled.
struct Entry {
  char scope[16];  // a struct or an enum; "constant", "sizeof"
  char name[48];
  TypeName type;              // of a member: i32, f64, Csr; with * a pointer to it
  const volatile void* place; // of a member: its place in a struct at address 0
  i64 value;                  // of any other entry
  i64 size;                   // of a member, in bytes
};

template <class T>
struct Name {
  GR_DEVICE static constexpr const char* text() { return "?"; }
};
#define GR_NAME(TYPE, TEXT)                                          \
  template <>                                                        \
  struct Name<TYPE> {                                                \
    GR_DEVICE static constexpr const char* text() { return TEXT; }   \
  };
GR_NAME(u8, "u8")
GR_NAME(u16, "u16")
GR_NAME(i32, "i32")
GR_NAME(u32, "u32")
GR_NAME(i64, "i64")
GR_NAME(u64, "u64")
GR_NAME(float, "f32")
GR_NAME(double, "f64")
GR_NAME(Csr, "Csr")
GR_NAME(Graph, "Graph")
GR_NAME(Queue, "Queue")
GR_NAME(Workspace, "Workspace")
GR_NAME(Control, "Control")
GR_NAME(Peers, "Peers")
GR_NAME(TraceRow, "TraceRow")

// What a member holds or points to.
template <class T>
struct Element {
  using type = T;
  static constexpr bool POINTER = false;
};
template <class T>
struct Element<const T> : Element<T> {};
template <class T, int N>
struct Element<T[N]> : Element<T> {};
template <class T>
struct Element<T*> : Element<T> {
  static constexpr bool POINTER = true;
};

template <class T>
GR_DEVICE constexpr TypeName type_name() {
  TypeName found = {};
  const char* text = Name<typename Element<T>::type>::text();
  int length = 0;
  for (; text[length]; ++length) found.text[length] = text[length];
  if (Element<T>::POINTER) found.text[length] = '*';
  return found;
}

}  // namespace gunrock::contract

#define GR_MEMBER(STRUCT, NAME)                                                          \
  {#STRUCT, #NAME, contract::type_name<decltype(STRUCT::NAME)>(), GR_PLACE(STRUCT, NAME), 0, \
   sizeof(STRUCT::NAME)},
#define GR_NUMBER(SCOPE, NAME, VALUE) {SCOPE, NAME, {}, nullptr, i64(VALUE), 0},
#define GR_ENUMERATOR(ENUM, NAME) GR_NUMBER(#ENUM, #NAME, ENUM::NAME)
#define GR_CONSTANT(NAME) GR_NUMBER("constant", #NAME, NAME)
#define GR_SIZE(STRUCT) GR_NUMBER("sizeof", #STRUCT, sizeof(STRUCT))

// The entries of every primitive's code.
#define GR_CORE_ENTRIES                                                                               \
  GR_MEMBER(Csr, row_offsets) GR_MEMBER(Csr, column_indices) GR_MEMBER(Csr, values)                   \
  GR_MEMBER(Csr, max_degree) GR_SIZE(Csr)                                                             \
  GR_MEMBER(Graph, n) GR_MEMBER(Graph, m) GR_MEMBER(Graph, csr) GR_MEMBER(Graph, reverse)             \
  GR_MEMBER(Graph, vertex_weights) GR_MEMBER(Graph, weights_each)                                     \
  GR_SIZE(Graph)                                                                                      \
  GR_MEMBER(Queue, items) GR_MEMBER(Queue, scan) GR_MEMBER(Queue, rows) GR_MEMBER(Queue, capacity)    \
  GR_SIZE(Queue)                                                                                      \
  GR_MEMBER(Workspace, even) GR_MEMBER(Workspace, odd) GR_MEMBER(Workspace, control)                  \
  GR_MEMBER(Workspace, trace) GR_MEMBER(Workspace, trace_capacity) GR_MEMBER(Workspace, lb_threshold) \
  GR_MEMBER(Workspace, max_steps) GR_MEMBER(Workspace, single_block_allowed) GR_MEMBER(Workspace, queued_by)   \
  GR_MEMBER(Workspace, last_found) GR_MEMBER(Workspace, resumes) GR_MEMBER(Workspace, first_step)     \
  GR_MEMBER(Workspace, first_level) GR_SIZE(Workspace)                                                 \
  GR_MEMBER(Control, barrier) GR_MEMBER(Control, status)                    \
  GR_MEMBER(Control, needed) GR_MEMBER(Control, steps) GR_MEMBER(Control, end_ns)                     \
  GR_MEMBER(Control, trace_rows) GR_MEMBER(Control, limits) GR_MEMBER(Control, inspected)             \
  GR_MEMBER(Control, stop) GR_MEMBER(Control, counted) GR_MEMBER(Control, counters) GR_MEMBER(Control, state) GR_SIZE(Control) \
  GR_MEMBER(Control, level)                                                                           \
  GR_MEMBER(TraceRow, time_ns) GR_MEMBER(TraceRow, phase) GR_MEMBER(TraceRow, iteration)              \
  GR_MEMBER(TraceRow, count) GR_MEMBER(TraceRow, edges) GR_MEMBER(TraceRow, single_block)                    \
  GR_MEMBER(TraceRow, mode) GR_SIZE(TraceRow)                                                         \
  GR_ENUMERATOR(Status, STATUS_RUNNING) GR_ENUMERATOR(Status, STATUS_DONE)                            \
  GR_ENUMERATOR(Status, STATUS_OVERFLOW) GR_ENUMERATOR(Status, STATUS_STEP_LIMIT)                     \
  GR_ENUMERATOR(Status, STATUS_SINGLE_BLOCK_OVERFLOW) GR_ENUMERATOR(Status, STATUS_TOO_MANY_EDGES)            \
  GR_ENUMERATOR(Status, STATUS_INTERRUPTED) GR_ENUMERATOR(Status, STATUS_PEER_LOST)                   \
  GR_ENUMERATOR(Status, STATUS_PEER_LEFT) GR_ENUMERATOR(Status, STATUS_LEFT)                          \
  GR_ENUMERATOR(Mode, MODE_TM) GR_ENUMERATOR(Mode, MODE_TWC) GR_ENUMERATOR(Mode, MODE_LB)             \
  GR_ENUMERATOR(Mode, MODE_LB_NODES) GR_ENUMERATOR(Mode, MODE_AUTO)                                   \
  GR_ENUMERATOR(Counted, PAST_BITMASK) GR_ENUMERATOR(Counted, PAST_LABEL)                             \
  GR_ENUMERATOR(Counted, PAST_WARP) GR_ENUMERATOR(Counted, PAST_HISTORY)                              \
  GR_ENUMERATOR(Counted, AGAIN_IN_WARP) GR_ENUMERATOR(Counted, AGAIN_IN_BLOCK)                        \
  GR_ENUMERATOR(Counted, AGAIN_ELSEWHERE) GR_ENUMERATOR(Counted, PAST_GRID)                           \
  GR_ENUMERATOR(Counted, BY_LANES) GR_ENUMERATOR(Counted, WARP_TURNS)                                 \
  GR_ENUMERATOR(Mode, MODE_SERIAL) GR_ENUMERATOR(Mode, MODE_WARP) GR_ENUMERATOR(Mode, MODE_SCAN)      \
  GR_ENUMERATOR(Mode, MODE_HYBRID)                                                                    \
  GR_MEMBER(Peers, device) GR_MEMBER(Peers, devices) GR_MEMBER(Peers, begin) GR_MEMBER(Peers, end)    \
  GR_MEMBER(Peers, limit_ns) GR_MEMBER(Peers, heaps) GR_MEMBER(Peers, threads) GR_SIZE(Peers)         \
  GR_CONSTANT(BLOCK) GR_CONSTANT(EDGE_LIMIT) GR_CONSTANT(MOST_ITEMS) GR_CONSTANT(MOST_DEVICES)         \
  GR_CONSTANT(LAST_FOUND) GR_SIZE(BlockShared)
