// TeamLevels: the levels of a search over several devices, broadcast as they are found, and kept: each device has
// bitmaps of the last KEPT - 2 levels, the lists of all levels, from which older bitmaps can be filled again, and a
// value for each vertex. Later, only changed values need be sent [D-kept-1]. Called by BC on several devices.
//
// Values are written where the other devices keep them, one word each, during a step that takes far longer: the
// writes are spread over the step, and receivers need not read and store them again [D-place-1].
// Lists lie where the device's own vertices begin, one level after the other. A vertex is in one level, so no
// device writes where another may still read, and none of this waits for an exchange. The exchange broadcasts the
// bitmap, which is cleared two levels ahead: no device writes there before all have done that step.
//
// With a level comes a Note (in two sets used in turn, as in team_queue.cuh), which has
//   first, members  where the device's part of the level begins among its own vertices, and its size
#pragma once
#include "../core/bitmap.cuh"
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "exchange.cuh"
#include "filter.cuh"

namespace gunrock {

// A collector that broadcasts a level or, without a list, changed values; it takes the place of a queue's
// collector. The step's out-frontier counts its vertices.
template <class Value>
struct LevelCollector : Staging<LevelCollector<Value>, Kind::plain> {
  using Base = Staging<LevelCollector<Value>, Kind::plain>;
  using Base::ctx;
  Tail* const tail;
  Value* const values;    // in the symmetric heap: of all vertices
  vertex_t* const items;  // in the symmetric heap: where the list begins; or null
  u32* const bits;        // of the level, if there is a list

  GR_DEVICE LevelCollector(Context& context, const NextFrontier& out, Value* of, vertex_t* list, u32* level)
      : Base(context), tail(out.tail), values(of), items(list), bits(level) {}

  // Any thread, at any time: pushes one of the device's own vertices, whose value is set.
  GR_DEVICE void push(item_t item) {
    const int place = reserve(&ctx.shared.staged);
    if (place < STAGE) ctx.shared.stage[place] = item;
    else broadcast(i64(unpack(claim<Kind::plain>(tail, 1, 0)).count), vertex_t(item));
  }

  // The whole block: broadcasts what is staged. Ends without a barrier.
  GR_DEVICE void flush() {
    block_sync();
    const int staged = ctx.shared.staged < STAGE ? ctx.shared.staged : STAGE;
    if (staged > 0) {
      if (thread_id() == 0) ctx.shared.broadcast = claim<Kind::plain>(tail, u64(staged), 0);
      block_sync();
      const i64 first = i64(unpack(ctx.shared.broadcast).count);
      for (int i = thread_id(); i < staged; i += BLOCK) broadcast(first + i, vertex_t(ctx.shared.stage[i]));
    }
    block_sync();
    if (thread_id() == 0) ctx.shared.staged = 0;
  }

 private:
  GR_DEVICE void broadcast(i64 place, vertex_t v) const {
    const Peers& peers = ctx.peers;
    const Value x = values[v];
    for (i64 k = 1; k < peers.devices; ++k) {
      const i64 peer = (peers.device + k) % peers.devices;
      peers.at(values, peer)[v] = x;
      if (items) peers.at(items, peer)[place] = v;
    }
    if (!items) return;
    items[place] = v;
    bitmap_set(bits, v);
  }
};

template <class Value, class Note>
struct TeamLevels {
  static constexpr i32 KEPT = 16;  // bitmaps, two of which are clear for coming levels

  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* items;    // in the symmetric heap: all vertices by device and level
  Value* values;      // in the symmetric heap: of all vertices
  u32* bitmaps;       // in the symmetric heap: KEPT of them used in turn, clear at first
  i64 stride;         // words from one to the next
  Note* notes;        // in the symmetric heap: two sets used in turn, each with one note per device
  u32& number;        // the number of exchanges so far; the enactor's State keeps it

  // A device's latest note.
  GR_DEVICE Note note(i64 device) const { return load_received(in_turn(notes, number) + device); }

  // A device's part of the latest level.
  GR_DEVICE Listed<vertex_t> members(i64 device) const {
    const Note latest = note(device);
    return {items + bounds[device] + i64(latest.first), i64(latest.members)};
  }

  GR_DEVICE u32* bits(i32 level) const { return bitmaps + level % KEPT * stride; }
  // True if an earlier level's bitmap is still kept when the search is at level `deepest`.
  GR_DEVICE static bool keeps(i32 level, i32 deepest) { return deepest - level < KEPT - 2; }

  // A part of a step that works on a level: clears the bitmap that the level after the next will fill.
  GR_DEVICE void clear_ahead(Context& ctx, i32 level) const {
    if (level + 2 >= KEPT) clear(ctx, level + 2);
  }
  GR_DEVICE void clear(Context& ctx, i32 level) const {
    u32* const words = bits(level);
    for_each_index(ctx, stride, [&](i64 i) { store_relaxed(&words[i], 0u); });
  }
  // A part of a step: fills the bitmap of the latest level, which is clear, from the level's lists.
  GR_DEVICE void fill_again(Context& ctx, i32 level) const {
    u32* const words = bits(level);
    for (i64 device = 0; device < peers.devices; ++device) {
      const Listed<vertex_t> part = members(device);
      for_each_index(ctx, part.count, [&](i64 i) { bitmap_set(words, part.items[i]); });
    }
  }

  // A collector for a level whose part begins at `first` among the device's own vertices.
  GR_DEVICE LevelCollector<Value> found(Context& ctx, const LoopState& s, i32 level, i64 first) const {
    return {ctx, ctx.out(s), values, items + peers.begin + first, bits(level)};
  }
  // A collector for changed values.
  GR_DEVICE LevelCollector<Value> changed(Context& ctx, const LoopState& s) const {
    return {ctx, ctx.out(s), values, nullptr, nullptr};
  }

  // The exchange after a step that has found a level, or changed values: broadcasts the bitmap and the note of
  // the grid's first thread.
  GR_DEVICE void exchange_level(Context& ctx, i32 level, const Note& mine) {
    broadcast_bits(ctx, bits(level), bitmap_words(peers.begin), bitmap_words(peers.end));
    exchange(ctx, mine);
  }
  GR_DEVICE void exchange(Context& ctx, const Note& mine) {
    ++number;
    broadcast_one(ctx, in_turn(notes, number), mine);
  }

  // A step's work: makes the whole latest level the next frontier.
  GR_DEVICE void queue(Context& ctx, const LoopState& s) const {
    Collector<V> collect(ctx, ctx.out(s), ctx.graph.csr);
    VertexFunctor all;
    for (i64 device = 0; device < peers.devices; ++device) {
      filter_into(ctx, members(device), all, collect);
      block_sync();  // filter_into's flush ends without a barrier
    }
  }
};

}  // namespace gunrock
