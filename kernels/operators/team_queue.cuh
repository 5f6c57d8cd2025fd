// TeamQueue: a frontier over several devices as queues: each device broadcasts which of its own vertices are in
// it, with a value for each. It replaces a bitmap (team_frontier.cuh) if few vertices are sent, or if values
// must be sent with them [D-peers-3]. Called by SSSP on several devices.
//
// A device's vertices lie, in every symmetric heap, where its own vertices begin: it sends each vertex at most
// once per exchange. Two places are used in turn, and no device writes to one again before all have done the
// step that reads it. With them comes a Note, whose content is up to the enactor except for `count`, the number
// of vertices.
#pragma once
#include "../core/collector.cuh"
#include "exchange.cuh"

namespace gunrock {

template <class Value, class Note>
struct TeamQueue {
  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* items;    // in the symmetric heap: two arrays of all vertices
  Value* values;      // in the symmetric heap: the values of those vertices
  i64 stride;         // from one array to the other
  Note* notes;        // in the symmetric heap: two sets used in turn, each with one note per device
  u32& number;        // the number of exchanges so far; the enactor's State keeps it

  // A device's latest note.
  GR_DEVICE Note note(i64 device) const { return load_received(in_turn(notes, number) + device); }

  // The whole grid: broadcasts the vertices at `own`.
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

  // A step's work: calls f.hear(v, x) for all vertices that the other devices have sent and f.keep(i, v) for
  // those at `own`, and makes all of them the next frontier.
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
