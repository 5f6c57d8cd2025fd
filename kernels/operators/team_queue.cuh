// A frontier over several devices as queues: each tells all others which of its own vertices are in it, with
// a value for each. It replaces a bitmap (team_frontier.cuh) where few vertices are told, or their values must
// be [D-peers-3].
//
// What a device tells lies, in everyone's heap, where its own vertices begin: it tells each vertex at most
// once per exchange. Two places are used in turn, and no one writes there a second time before all have done
// the step that reads the first. With it comes a Note, whose content is up to the enactor, except for a
// `count` of the vertices.
#pragma once
#include "../core/collector.cuh"
#include "exchange.cuh"

namespace gunrock {

template <class Value, class Note>
struct TeamQueue {
  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* items;    // in the heap: two arrays of all vertices
  Value* values;      // likewise: their values
  i64 stride;         // from one array to the other
  Note* notes;        // in the heap: two sets used in turn, one note from every device each
  u32& number;        // how many exchanges there were; the enactor's State keeps it

  // A device's latest note.
  GR_DEVICE Note note(i64 device) const { return load_received(in_turn(notes, number) + device); }

  // By the whole grid: tells the vertices at `own`.
  template <class ValueOf>
  GR_DEVICE void exchange(Context& ctx, const item_t* own, const Note& mine, ValueOf value) {
    const i64 begin = place(++number) + peers.begin;
    vertex_t* const to_items = items + begin;
    Value* const to_values = values + begin;
    for (i64 i = ctx.rank(); i < i64(mine.count); i += ctx.threads()) {
      const vertex_t v = vertex_t(own[i]);
      const Value x = value(v);
      for (i64 k = 1; k < peers.devices; ++k) {
        const i64 peer = (peers.device + k) % peers.devices;
        peers.at(to_items, peer)[i] = v;
        peers.at(to_values, peer)[i] = x;
      }
    }
    Note* const to_note = in_turn(notes, number) + peers.device;
    for (i64 peer = ctx.rank(); peer < peers.devices; peer += ctx.threads())
      *peers.at(to_note, peer) = mine;
  }

  // A step's work: calls f.hear(v, x) for all that the others have told and f.keep(i, v) for those at `own`, and
  // makes all of them the next frontier.
  template <Kind OUT, class F>
  GR_DEVICE void receive(Context& ctx, const LoopState& s, const item_t* own, F f) const {
    Collector<OUT> collect(ctx, ctx.out(s), ctx.graph.csr);
    for (i64 device = 0; device < peers.devices; ++device) {
      const bool foreign = device != peers.device;
      const i64 count = i64(note(device).count), begin = place(number) + bounds[device];
      for (i64 base = i64(ctx.block) * BLOCK; base < count; base += ctx.threads()) {
        collect.make_room(BLOCK);
        const i64 i = base + thread_id();
        if (i >= count) continue;
        const vertex_t v = foreign ? items[begin + i] : vertex_t(own[i]);
        if (foreign) f.hear(v, values[begin + i]);
        else f.keep(i, v);
        collect.push(item_t(v));
      }
    }
    collect.flush();
  }

 private:
  GR_DEVICE i64 place(u32 turn) const { return turn % 2 * stride; }
};

}  // namespace gunrock
