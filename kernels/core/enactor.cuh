// The driver of every primitive: runs an enactor's steps until it says that it is done. Called by the entry
// points (entry.cuh).
//
// An enactor is a struct with
//   struct State : LoopState { ... }   what steps carry from one to the next; small
//   static bool step(ctx, problem, control, state)   one bulk-synchronous step: decides from device memory, then
//       runs operators that need no grid-wide barrier between them; false if nothing is left to do
//   static bool fits_block(state)      true if a single block may run the next step. Asked if the in-frontier has
//       at most SINGLE_BLOCK_EDGES items and edges. A single block's queues hold SINGLE_BLOCK_CAPACITY items, at
//       least SINGLE_BLOCK_EDGES. An advance or a filter of that frontier always fits; what a step queues from
//       elsewhere (a range, a bitmap, a pile) must be known to fit. A step that queues more than it promised loses
//       items: the run is given up and repeated without single blocks.
// With GR_RELAY, a step that wants another kernel to go on does nothing but set state.leaves to its frontier's depth,
// and returns false. The other kernel's first step finds the frontier in its in-queue, and the depth in
// ctx.first_level.
// To appear in a trace, a step calls ctx.show once it knows what it does.
// Every thread computes the same state from the same memory, so no thread has to publish decisions.
//
// Loops (--loop): `device` is one persistent cooperative kernel, with a grid barrier between steps; as long as the
// frontier is tiny, a single block runs the steps, its queues in shared memory, and the others wait. `host` is one
// launch per step. Both call the same step.
#pragma once
#include "../operators/advance.cuh"
#include "barrier_with_payload.cuh"

namespace gunrock {

enum Status {
  STATUS_RUNNING,
  STATUS_DONE,
  STATUS_OVERFLOW,       // a queue was too small
  STATUS_STEP_LIMIT,
  STATUS_SINGLE_BLOCK_OVERFLOW,  // a single block's queue was too small
  STATUS_TOO_MANY_EDGES,
  STATUS_INTERRUPTED,
  STATUS_PEER_LOST,      // another device did not come to a meeting in time
  STATUS_PEER_LEFT,      // another device ended its run first, and says why there
  STATUS_LEFT,           // left to another kernel, which goes on with the frontier (engine/relay.py)
};

// In device memory; the host zeroes it before each run.
struct Control {
  Tail tails[TAILS];
  GR_APART(after_tails)
  Barrier barrier;
  GR_APART(after_barrier)
  i32 status;
  u64 needed;  // queue items, after an overflow
  u64 steps;
  u64 end_ns;
  u64 trace_rows;
  u64 limits;       // the user's limits that ended the run, or a part of it: a bit each
  u64 inspected;    // edges that operators have inspected (GR_COUNT)
  u64 counted[COUNTED];
  u64 stop;         // set by the host while the enactor runs, to end it
  GR_APART(after_stop)
  alignas(16) u64 counters[TAILS * sizeof(Tail) / sizeof(u64)];  // the enactor's own; may hold tails
  GR_APART(after_counters)
  u64 state[2][20];  // for the host loop (by the step's parity), and for a single block's results
  i64 level;         // of the frontier that a kernel has left for another
  GR_APART(before_second_barrier)
  Barrier second_barrier;  // for a second kernel, as the first one's barrier keeps its count
};

struct Workspace {
  Queue even, odd;
  Control* control;
  TraceRow* trace;
  i64 trace_capacity;
  i64 lb_threshold;
  i64 max_steps;
  i64 single_block_allowed;  // true if a single block may run steps
  u64* queued_by;   // in a counting run, a word for each vertex; else null
  u64* last_found;  // LAST_FOUND words
  i64 resumes;      // true if another kernel has begun this run
  i64 first_step;   // the step at which this kernel goes on
  i64 first_level;  // the depth of that step's frontier
};

template <class Problem>
struct Arguments {
  Graph graph;
  Workspace workspace;
  Problem problem;
  Peers peers;  // last, so that a single device's members lie where they would without peers
};

// Called by the whole grid: a limit that the user set ends the run, or a part of it, that would have gone on.
// `which` is the number that the option declares as its `limit`.
GR_DEVICE void note_limit(const Context& ctx, Control& control, int which = 0) {
  if (ctx.rank() == 0) control.limits |= u64(1) << which;
}

// The base of enactors whose steps all belong to the whole grid, as most of them visit most of the graph: never
// for a single block. Such an enactor may have a State of its own.
struct WholeGridEnactor {
  struct State : LoopState {};
  static constexpr bool NEVER_SINGLE_BLOCK = true;  // lets the driver make steps shorter [D-gate-1]

  GR_DEVICE static bool fits_block(const LoopState&) { return false; }
};

// The devices that share a run, which an enactor names as its Team: one, by default (several_devices.cuh). A Team may
// also exchange something between two steps of one device.
struct OneDevice {
  static constexpr bool EXCHANGES = false, MEETS = false;
  GR_DEVICE static bool due(const LoopState&) { return true; }
};
template <class Enactor, class = void>
struct TeamOf {
  using type = OneDevice;
};
template <class Enactor>
struct TeamOf<Enactor, Void<typename Enactor::Team>> {
  using type = typename Enactor::Team;
};

template <class Enactor, class = void>
constexpr bool NEVER_SINGLE_BLOCK = false;
template <class Enactor>
constexpr bool NEVER_SINGLE_BLOCK<Enactor, Void<decltype(Enactor::NEVER_SINGLE_BLOCK)>> = Enactor::NEVER_SINGLE_BLOCK;

// True if the enactor's steps pass keys on (Context::pass_least).
template <class Enactor, class = void>
constexpr bool PASSES_LEAST = false;
template <class Enactor>
constexpr bool PASSES_LEAST<Enactor, Void<decltype(Enactor::PASSES_LEAST)>> = Enactor::PASSES_LEAST;

template <class Enactor, class Problem>
struct Driver {
  using State = typename Enactor::State;
  using Team = typename TeamOf<Enactor>::type;
  static_assert(sizeof(State) <= sizeof(Control::state[0]), "the state is too large");

  const Arguments<Problem>& a;
  Control& control;
  BlockShared& shared;
  int block, blocks;

  // The persistent loop; every block of the grid calls it. True if the first block ended the run by itself, while
  // the others waited.
  GR_DEVICE bool run() const {
    prepare();
    Context ctx = whole_grid();
    State state;
    Barrier* const barrier = resume(state);
    u32 generation = 0, single_block_runs = 0;
    u64 meetings = 0;
    bool more = true, alone = false;
    look(ctx, state);
    while (more) {
      const u32 halted = receive(ctx, state);
      // Leaving and coming back cost a few barriers, so a block leaves only well below the limit.
      const u64 limit = ctx.single_block ? SINGLE_BLOCK_EDGES : SINGLE_BLOCK_EDGES / 2;
      const bool small = state.in.edges <= limit && state.in.count <= SINGLE_BLOCK_EDGES &&
                         a.workspace.single_block_allowed && !Team::EXCHANGES && Enactor::fits_block(state);
      // Part of the frontier was not written, here or in shared memory; step reports that.
      const bool lost = state.in.count > ctx.capacity(state.step);
      if (small && !ctx.single_block && !lost) {
        if (block != 0) {
          more = await(single_block_runs++, generation, state, barrier);
          alone = !more;
          look(ctx, state);
          continue;
        }
        enter_single_block(ctx, state);
      } else if (!small && ctx.single_block && !lost) {
        leave_single_block(ctx, state, true, single_block_runs++, generation, barrier);
      }
      more = step(ctx, state, halted);
      ++state.step;
      if (ctx.single_block) {
        block_sync();
        alone = !more;
        if (!more) leave_single_block(ctx, state, false, single_block_runs++, generation, barrier);
      } else if (more) {
        if constexpr (HAS_BARRIER_WITH_PAYLOAD && !Team::EXCHANGES) {
          barrier_with_payload<PASSES_LEAST<Enactor>>(ctx.tail(state.step), u32(blocks), &shared.received);
        } else {
          grid_barrier(barrier, generation, u32(blocks));
          if constexpr (Team::EXCHANGES) exchange(ctx, state, generation, meetings);
          look(ctx, state);
        }
      }
    }
    add_inspected(ctx);
    return alone;
  }

  // One step of the host loop, or the exchange after it; `number` counts launches.
  GR_DEVICE void run_step(u32 number) const {
    prepare();
    Context ctx = whole_grid();
    State state;
    if (number > 0) state = *(State*)control.state[number & 1];
    else resume(state);
    if constexpr (Team::EXCHANGES) {
      if (number % 2 == 1 && Team::due(state)) {
        begin_row(ctx);
        Team::exchange(ctx, a.problem, control, state);
        end_row(ctx);
      }
    }
    if (!Team::EXCHANGES || number % 2 == 0) {
      look(ctx, state);
      step(ctx, state, receive(ctx, state));
      ++state.step;
    }
    add_inspected(ctx);
    if (ctx.rank() == 0) *(State*)control.state[(number + 1) & 1] = state;
  }

 private:
  // Resumes a run where another kernel has left it, if one has; returns this kernel's barrier.
  GR_DEVICE Barrier* resume(State& state) const {
    if (!RELAYS || !a.workspace.resumes) return &control.barrier;
    state.step = u32(a.workspace.first_step);
    if (block == 0 && thread_id() == 0) control.status = STATUS_RUNNING;
    return &control.second_barrier;
  }

  GR_DEVICE void prepare() const {
    if (thread_id() == 0) shared.staged = 0;
#if GR_CULL_HISTORY
    for (int i = thread_id(); i < HISTORY; i += BLOCK) shared.history[i] = -1;
#endif
    block_sync();
  }

  GR_DEVICE Context whole_grid() const {
    Context ctx = {a.graph, shared, block, blocks, false, a.workspace.even, a.workspace.odd,
                   control.tails, a.workspace.lb_threshold, a.peers};
#if GR_RELAY
    ctx.first_level = a.workspace.first_level;
#endif
#if GR_CULL_GRID
    ctx.last_found = a.workspace.last_found;
#endif
#if GR_COUNT
    ctx.queued_by = a.workspace.queued_by;
#endif
    return ctx;
  }

  // Before a step of the grid whose barrier had no payload: one thread per block loads the step's first words.
  // If all warps of the grid loaded one word, they would queue up for it, 0.3 ns each, which was one to two
  // microseconds per step [D-driver-1].
  GR_DEVICE void look(const Context& ctx, const State& state) const {
    const Tail* tail = ctx.tail(state.step);
    if (thread_id() == 0) {
      shared.received.size = load_relaxed(&tail->size);
      shared.received.barrier = load_relaxed(&tail->barrier);
      if constexpr (PASSES_LEAST<Enactor>) shared.received.least = load_relaxed(&tail->least);
    }
    block_sync();
  }

  // The size of the in-frontier, and why it must not be processed (or 0). A single block's tails are in shared
  // memory. (Chosen by pointer: otherwise the compiler computes the block's memory address in 15 more places,
  // and SSSP on R-MAT takes 3 % longer. With NEVER_SINGLE_BLOCK both words are read directly, and searches of
  // meshes gain 4 % [D-gate-1].)
  GR_DEVICE u32 receive(const Context& ctx, State& state) const {
    if constexpr (NEVER_SINGLE_BLOCK<Enactor>) {
      state.in = unpack(shared.received.size);
      return halted_in(shared.received.barrier);
    }
    const Tail* tail = ctx.tail(state.step);
    const Tail* const received = ctx.single_block ? nullptr : &shared.received;
    state.in = unpack(received ? received->size : load_relaxed(&tail->size));
    return halted_in(received ? received->barrier : load_relaxed(&tail->barrier));
  }

  // Between two steps: sends to the other devices, and waits until they have sent to this one.
  GR_DEVICE void exchange(Context& ctx, State& state, u32& generation, u64& meetings) const {
    if (!Team::due(state)) return;
    begin_row(ctx);
    Team::exchange(ctx, a.problem, control, state);
    if constexpr (Team::MEETS) Team::meet(ctx, control, state, generation, ++meetings);
    grid_barrier(&control.barrier, generation, u32(blocks));
    end_row(ctx);
  }

  // The reason why a step must not run, from what halted it.
  GR_DEVICE static Status why(u32 halted) {
    if constexpr (Team::MEETS) {
      if (const Status lost = Team::why(halted)) return lost;
    }
    return halted & OVERFLOW ? STATUS_TOO_MANY_EDGES : STATUS_INTERRUPTED;
  }

  // False when the run is over; one thread records why.
  GR_DEVICE bool step(Context& ctx, State& state, u32 halted) const {
    Status status = STATUS_RUNNING;
    if (halted)
      status = why(halted);
    else if (state.in.count > ctx.capacity(state.step))
      status = ctx.single_block ? STATUS_SINGLE_BLOCK_OVERFLOW : STATUS_OVERFLOW;
    else if (i64(state.step) >= a.workspace.max_steps)
      status = STATUS_STEP_LIMIT;
    if (status == STATUS_RUNNING) {
      begin_row(ctx);
#if GR_COUNT
      ctx.step = state.step;
#endif
      if (ctx.rank() == 0) clear(ctx.tail(state.step + 2));
      Tail* next = ctx.tail(state.step + 1);
      const bool asked = heeds_host(ctx, state) && load_relaxed(&control.stop);
      if (!Enactor::step(ctx, a.problem, control, state)) status = ended(state);
      if (asked) halt(next, ASKED);
      end_row(ctx);
    }
    if (status != STATUS_RUNNING && ctx.rank() == 0) {
      control.needed = state.in.count;
      control.steps = state.step;
#if GR_RELAY
      control.level = state.leaves;
#endif
      control.end_ns = clock_ns();
      control.status = status;
    }
    if constexpr (Team::MEETS) {
      if (status != STATUS_RUNNING) Team::leave(ctx, control, status, halted);
    }
    return status == STATUS_RUNNING;
  }

  // The status of a run whose enactor wants no more steps.
  GR_DEVICE static Status ended(const State& state) {
#if GR_RELAY
    if (state.leaves >= 0) return STATUS_LEFT;
#endif
    return STATUS_DONE;
  }

  GR_DEVICE void add_inspected(const Context& ctx) const {
#if GR_COUNT
    if (ctx.inspected) atomic_add(&control.inspected, ctx.inspected);
    for (int i = 0; i < COUNTED; ++i)
      if (ctx.counted[i]) atomic_add(&control.counted[i], ctx.counted[i]);
#endif
  }

  // True if this thread asks whether the host wants the run to end. The last thread asks, as it seldom has work
  // if there is little; it needs the answer only at the end of its step. A single block's steps are too short
  // to ask in each.
  GR_DEVICE static bool heeds_host(const Context& ctx, const State& state) {
    return ctx.rank() == ctx.threads() - 1 && (!ctx.single_block || state.step % 64 == 0);
  }

  GR_DEVICE void begin_row(Context& ctx) const {
#if GR_TRACE
    ctx.row = {clock_ns(), 0, 0, 0, 0, ctx.single_block, -1};
    ctx.shown = false;
#endif
  }

  GR_DEVICE void end_row(const Context& ctx) const {
#if GR_TRACE
    if (!ctx.shown || ctx.rank() != 0) return;
    if (i64(control.trace_rows) < a.workspace.trace_capacity)
      a.workspace.trace[control.trace_rows] = ctx.row;
    control.trace_rows += 1;
#endif
  }

  // The first block leaves the others and goes on by itself: its queues move to shared memory.
  GR_DEVICE void enter_single_block(Context& ctx, const State& state) const {
    BlockItems<SINGLE_BLOCK_CAPACITY>*even = &shared.single_block[0], *odd = &shared.single_block[1];
    ctx.even = {even->items, even->scan, even->rows, SINGLE_BLOCK_CAPACITY};
    ctx.odd = {odd->items, odd->scan, odd->rows, SINGLE_BLOCK_CAPACITY};
    ctx.tails = shared.tails;  // others may still be reading the grid's tails
    move(whole_grid(), ctx, state);
    ctx.blocks = 1;
    ctx.single_block = true;
  }

  // The first block publishes its state to the blocks that wait, and becomes one of them again.
  GR_DEVICE void leave_single_block(Context& ctx, State& state, bool more, u32 single_block_run, u32& generation,
                        Barrier* barrier) const {
    const Context own = ctx;
    await_others(barrier, generation, u32(blocks));  // the others have read the grid's tails
    ctx.even = a.workspace.even;
    ctx.odd = a.workspace.odd;
    ctx.tails = control.tails;
    ctx.blocks = blocks;
    ctx.single_block = false;
    move(own, ctx, state);
    if (thread_id() == 0) {
      state.more = more;
      *(State*)control.state[single_block_run & 1] = state;
    }
    grid_barrier(barrier, generation, u32(blocks));
  }

  // The other blocks: take over the state when the first block is done. Two slots are used in turn, so that the
  // next run of a single block does not overtake a slow reader.
  GR_DEVICE bool await(u32 single_block_run, u32& generation, State& state, Barrier* barrier) const {
    grid_barrier(barrier, generation, u32(blocks));
    state = *(State*)control.state[single_block_run & 1];
    return state.more;
  }

  // Moves the in-frontier and the tails of `state.step` from one context's queues to another's.
  GR_DEVICE static void move(const Context& from, const Context& to, const State& state) {
    const Queue source = from.queue(state.step), target = to.queue(state.step);
    const u64 tail = load_relaxed(&from.tail(state.step)->size);
    const u32 why = halted(from.tail(state.step));
    // Items that did not fit were not written, so they must not be read.
    const u64 room = source.capacity < target.capacity ? source.capacity : target.capacity;
    const u64 count = unpack(tail).count < room ? unpack(tail).count : room;
    for (u64 i = thread_id(); i < count; i += BLOCK) {
      target.items[i] = source.items[i];
      target.scan[i] = source.scan[i];
      target.rows[i] = source.rows[i];
    }
    block_sync();
    if (thread_id() == 0) {
      GR_NO_UNROLL
      for (u32 k = 0; k < TAILS; ++k) clear(to.tails + k);
      store_relaxed(&to.tail(state.step)->size, tail);
      store_relaxed(&to.tail(state.step)->barrier, barrier_word(why));
    }
    block_sync();
  }
};

}  // namespace gunrock

// A primitive is one translation unit, and uses these names without a prefix.
using namespace gunrock;
