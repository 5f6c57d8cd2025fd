// Levels of a search over several devices, told as they are found and kept: each device has the lists of all,
// so that of what comes later only the values that have changed need be told [D-kept-1].
//
// What a device tells lies, in everyone's heap, where its own vertices begin, one level behind the other: a
// vertex is in one level, so no one writes where another may still read. What it tells of a level again lies
// beside that level's first list. With it comes a Note (two in turn, as those of team_queue.cuh) that has
//   first, members  where the device's part of the level lies among its own vertices, and how many are there
//   count           of how many it tells
#pragma once
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "../core/turns.cuh"
#include "exchange.cuh"

namespace gunrock {

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

  // Tell of those at `own`, the whole grid: for the first time, or again.
  template <class ValueOf>
  GR_DEVICE void exchange(Context& ctx, bool first, const item_t* own, const Note& mine, ValueOf value) {
    ++number;
    const i64 begin = peers.begin + i64(mine.first);
    vertex_t* const to_items = (first ? items : again) + begin;
    Value* const to_values = values + begin;
    for (i64 i = ctx.rank(); i < i64(mine.count); i += ctx.threads()) {
      const vertex_t v = vertex_t(own[i]);
      const Value x = value(v);
      if (first) to_items[i] = v;
      for (i64 k = 1; k < peers.devices; ++k) {
        const i64 peer = (peers.device + k) % peers.devices;
        peers.at(to_items, peer)[i] = v;
        peers.at(to_values, peer)[i] = x;
      }
    }
    Note* const to_note = noted() + peers.device;
    for (i64 peer = ctx.rank(); peer < peers.devices; peer += ctx.threads())
      *peers.at(to_note, peer) = mine;
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
