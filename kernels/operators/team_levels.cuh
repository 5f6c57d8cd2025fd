// Levels of a search over several devices, told while they are found and kept: each device has the lists of
// all, so that of what comes later only the values that have changed need be told [D-kept-1].
//
// What a device tells lies, in everyone's heap, where its own vertices begin, one level behind the other: a
// vertex is in one level, so no one writes where another may still read, and need not wait for an exchange.
// What it tells of a level again lies beside that level's first list. In the exchange a Note says how much it
// was (two in turn, as those of team_queue.cuh); it has
//   first, members  where the device's part of the level lies among its own vertices, and how many are there
//   count           of how many it tells
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "../core/turns.cuh"
#include "exchange.cuh"

namespace gunrock {

// How a step tells of a level: in place of a queue [D-kept-2]. The step's out-frontier counts them.
template <class Value>
struct LevelCollector : Staging<LevelCollector<Value>, Kind::plain> {
  using Base = Staging<LevelCollector<Value>, Kind::plain>;
  using Base::ctx;
  u64* const tail;
  vertex_t* const items;  // in the own heap: where the list begins
  Value* const told;      // and the values
  const Value* const of;  // whose: by vertex

  GR_DEVICE LevelCollector(Context& context, u64* counter, vertex_t* list, Value* list_values, const Value* values)
      : Base(context), tail(counter), items(list), told(list_values), of(values) {}

  // Any thread, at any time: a vertex of its own that has its value.
  GR_DEVICE void push(item_t item) {
    const int place = reserve(&ctx.shared.staged);
    if (place < STAGE) ctx.shared.stage[place] = item;
    else tell(i64(unpack(claim<Kind::plain>(tail, 1, 0)).count), vertex_t(item));
  }

  // The whole block: tell of what is staged. Ends without a barrier.
  GR_DEVICE void flush() {
    block_sync();
    const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
    if (staged > 0) {
      if (thread_id() == 0) ctx.shared.broadcast = claim<Kind::plain>(tail, u64(staged), 0);
      block_sync();
      const i64 first = i64(unpack(ctx.shared.broadcast).count);
      for (int i = thread_id(); i < staged; i += BLOCK) tell(first + i, vertex_t(ctx.shared.stage[i]));
    }
    block_sync();
    if (thread_id() == 0) ctx.shared.staged = 0;
  }

 private:
  GR_DEVICE void tell(i64 place, vertex_t v) const {
    const Peers& peers = ctx.peers;
    const Value x = of[v];
    items[place] = v;
    for (i64 k = 1; k < peers.devices; ++k) {
      const i64 peer = (peers.device + k) % peers.devices;
      peers.at(items, peer)[place] = v;
      peers.at(told, peer)[place] = x;
    }
  }
};

template <class Value, class Note>
struct TeamLevels {
  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* items;    // in the heap: all vertices by device and level,
  vertex_t* again;    // of each level those that it was told of again,
  Value* values;      // and what was told last of either
  Note* notes;        // in the heap: twice one of every device
  u32& number;        // how often it was told; the enactor's State keeps it

  // What was told last, of a device.
  GR_DEVICE Note note(i64 device) const { return load_note(noted() + device); }

  // Its part of that level.
  GR_DEVICE Listed<vertex_t> members(i64 device) const {
    const Note told = note(device);
    return {items + bounds[device] + i64(told.first), i64(told.members)};
  }

  // Of a level whose part begins at `start` among the device's own: those of them that a step finds, by the
  // values that all have, or that it finds again.
  GR_DEVICE LevelCollector<Value> found(Context& ctx, const LoopState& s, i64 start, const Value* by) const {
    return {ctx, ctx.out(s).tail, items + peers.begin + start, values + peers.begin + start, by};
  }
  GR_DEVICE LevelCollector<Value> found_again(Context& ctx, const LoopState& s, i64 start, const Value* by) const {
    return {ctx, ctx.out(s).tail, again + peers.begin + start, values + peers.begin + start, by};
  }

  // The exchange after that step.
  GR_DEVICE void exchange(Context& ctx, const Note& mine) {
    ++number;
    tell_one(ctx, noted(), mine);
  }

  // A step's work: f.hear(v, x) for all that the others have told for the first time, f.keep(v) for the own,
  // and all of them as the next frontier.
  template <Kind OUT, class F>
  GR_DEVICE void receive(Context& ctx, const LoopState& s, F f) const {
    Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
    for (i64 device = 0; device < peers.devices; ++device) {
      const Listed<vertex_t> part = members(device);
      const Value* const told = values + (part.items - items);
      for (i64 base = i64(ctx.block) * BLOCK; base < part.count; base += ctx.threads()) {
        collect.make_room(BLOCK);
        const i64 i = base + thread_id();
        if (i >= part.count) continue;
        const vertex_t v = part.items[i];
        if (device != peers.device) f.hear(v, told[i]);
        else f.keep(v);
        collect.push(item_t(v));
      }
    }
    collect.flush();
  }

  // A part of a step: f(v, x) for all that the others have told again.
  template <class F>
  GR_DEVICE void receive_again(Context& ctx, F f) const {
    for (i64 device = 0; device < peers.devices; ++device) {
      if (device == peers.device) continue;
      const Note told = note(device);
      const i64 begin = bounds[device] + i64(told.first);
      for_each_index(ctx, i64(told.count), [&](i64 i) { f(again[begin + i], values[begin + i]); });
    }
  }

 private:
  GR_DEVICE Note* noted() const { return notes + number % 2 * MOST_DEVICES; }
  // By one load of each warp of a multiprocessor that goes to L2.
  GR_DEVICE static Note load_note(const Note* from) {
    static_assert(sizeof(Note) % sizeof(u64) == 0, "notes are words");
    Note note;
    for (u64 i = 0; i < sizeof(Note) / sizeof(u64); ++i)
      ((u64*)&note)[i] = load_cached((const u64*)from + i);
    return note;
  }
};

}  // namespace gunrock
