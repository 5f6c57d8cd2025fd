// TeamBorders: values of vertices over several devices, for graphs with few edges between parts, such as
// meshes. Each device broadcasts the new values of its border (its vertices with edges to other parts), and
// keeps the values that it receives in cells of its own. Called by searches that run ahead on several devices.
// Values only fall, so reading a word while its owner rewrites it is harmless: either value is valid.
//
// A device's values lie, in every symmetric heap, where its own vertices begin, always in the same order. With
// them comes a note, in one of two places used in turn.
#pragma once
#include "../core/collector.cuh"
#include "../core/partition.cuh"
#include "exchange.cuh"

namespace gunrock {

// What a device reports of a step besides its border.
struct BorderNote {
  u64 vertices;  // vertices of its border that have changed
  u64 frontier;  // vertices that it has expanded
  u64 least;     // least value that waits to be expanded on the device; all ones if none waits
};

struct TeamBorders {
  const Peers& peers;
  const i64* bounds;       // where the devices' vertices begin, and the end
  const vertex_t* border;  // own vertices that have edges to other parts
  i64 count;               // the number of such vertices
  u64* received;               // in the symmetric heap, a word per vertex: the vertex above its value; all ones at first
  BorderNote* notes;       // in the symmetric heap: two sets used in turn, each with one note per device
  u32& number;             // the number of exchanges so far; the enactor's State keeps it

  // The sum of all devices' notes: what they have expanded, and the least value that waits.
  GR_DEVICE BorderNote all() const {
    BorderNote sum = {0, 0, ~u64(0)};
    for (i64 d = 0; d < peers.devices; ++d) {
      const BorderNote* const one = in_turn(notes, number) + d;
      const u64 least = load_cached(&one->least);
      sum.vertices += load_cached(&one->vertices);
      sum.frontier += load_cached(&one->frontier);
      sum.least = least < sum.least ? least : sum.least;
    }
    return sum;
  }

  // The exchange: broadcasts the border's cells that have changed.
  GR_DEVICE void exchange(Context& ctx, const u32* cells, u64 frontier, u64 least) {
    ++number;
    for_each_index(ctx, count, [&](i64 i) {
      const u64 word = u64(u32(border[i])) << 32 | load_relaxed(&cells[border[i]]);
      u64* const place = received + peers.begin + i;
      if (word == load_relaxed(place)) return;
      store_relaxed(place, word);
      for (i64 k = 1; k < peers.devices; ++k)
        store_relaxed(peers.at(place, (peers.device + k) % peers.devices), word);
    });
    broadcast_one(ctx, in_turn(notes, number), BorderNote{u64(count), frontier, least});
  }

  // A step's work: adds to the frontier the other devices' vertices that have edges to own vertices and have
  // received a lower value. fresh(v) is true if such a v is not in the frontier yet.
  template <Kind OUT, class Fresh>
  GR_DEVICE void hear(Context& ctx, const LoopState& s, u32* cells, Fresh fresh) const {
    const Csr& csr = ctx.graph.csr;
    const Frontier in = ctx.in(s);
    Collector<OUT> collect(ctx, ctx.out(s), csr);
    for (i64 base = i64(ctx.block) * BLOCK; base < i64(in.size.count); base += ctx.threads()) {
      collect.make_room(BLOCK);
      if (base + thread_id() < i64(in.size.count)) collect.push(in.queue.items[base + thread_id()]);
    }
    for (i64 device = 0; device < peers.devices; ++device) {
      if (device == peers.device) continue;
      const i64 vertices = i64(load_cached(&in_turn(notes, number)[device].vertices)), begin = bounds[device];
      for (i64 base = i64(ctx.block) * BLOCK; base < vertices; base += ctx.threads()) {
        collect.make_room(BLOCK);
        if (base + thread_id() >= vertices) continue;
        const u64 word = load_relaxed(&received[begin + base + thread_id()]);
        const vertex_t v = vertex_t(word >> 32);
        if (u32(word) >= load_relaxed(&cells[v])) continue;
        store_relaxed(&cells[v], u32(word));
        if (csr.row(v).length > 0 && fresh(v)) collect.push(item_t(v));
      }
    }
    collect.flush();
  }
};

}  // namespace gunrock
