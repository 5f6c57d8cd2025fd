// Values of vertices over several devices where few edges lead from part to part, as on meshes. Each device
// tells the others what became of its border (its vertices with edges to theirs), and keeps the values that it
// is told in cells of its own. Values only fall, so a word that is read while its owner rewrites it is as good
// before as after.
//
// What a device tells lies, in everyone's heap, where its own vertices begin, always in the same order. With
// it comes a note, in one of two places used in turn.
#pragma once
#include "../core/collector.cuh"
#include "../core/partition.cuh"
#include "exchange.cuh"

namespace gunrock {

// What a device says of a step besides its border.
struct BorderNote {
  u64 vertices;  // vertices of its border
  u64 frontier;  // vertices that it has expanded
  u64 least;     // least value that waits there to be expanded; all ones for none
};

struct TeamBorders {
  const Peers& peers;
  const i64* bounds;       // where the devices' vertices begin, and the end
  const vertex_t* border;  // own vertices that have edges to others'
  i64 count;               // how many they are
  u64* received;               // in the heap, a word per vertex: the vertex above its value; all ones at first
  BorderNote* notes;       // in the heap: two sets used in turn, one note from every device each
  u32& number;             // how many exchanges there were; the enactor's State keeps it

  // What all devices have expanded, and the least value that waits.
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

  // The exchange: tells the border's cells that have changed.
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

  // A step's work: adds to the frontier the others' vertices that have edges to own ones and of which a lower
  // value was told. fresh(v) says whether such a v is not in it yet.
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
