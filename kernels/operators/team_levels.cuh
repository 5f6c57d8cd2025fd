// Levels of a search over several devices, told as they are found, and kept: each device has bitmaps of the last
// KEPT - 2 levels, the lists of all levels, from which older bitmaps can be filled again, and a value for each
// vertex. Later on, only values that have changed need be told [D-kept-1].
//
// Values are written where the others have them, a word each, during a step that takes far longer: the writes are
// spread over the step, and receivers need not read them and put them in place [D-place-1].
// Lists lie where the device's own vertices begin, one level after the other. A vertex is in one level, so no
// one writes where another may still read, and none of this waits for an exchange. The exchange tells the bitmap,
// which is cleared two levels ahead: no device writes there before all have done that step.
//
// With a level comes a Note (in two sets used in turn, as in team_queue.cuh), which has
//   first, members  where the device's part of the level lies among its own vertices, and how many are there
#pragma once
#include "../core/bitmap.cuh"
#include "../core/collector.cuh"
#include "../core/members.cuh"
#include "exchange.cuh"
#include "filter.cuh"

namespace gunrock {

// How a step tells of a level or, without a list, of values that have changed: it stands in place of a queue. The
// step's out-frontier counts its vertices.
template <class Value>
struct LevelCollector : Staging<LevelCollector<Value>, Kind::plain> {
  using Base = Staging<LevelCollector<Value>, Kind::plain>;
  using Base::ctx;
  Tail* const tail;
  Value* const values;    // in the heap: of all vertices
  vertex_t* const items;  // in the heap: where the list begins; or null
  u32* const bits;        // of the level, with a list

  GR_DEVICE LevelCollector(Context& context, const NextFrontier& out, Value* of, vertex_t* list, u32* level)
      : Base(context), tail(out.tail), values(of), items(list), bits(level) {}

  // Any thread, at any time: pushes one of the device's vertices, which has its value.
  GR_DEVICE void push(item_t item) {
    const int place = reserve(&ctx.shared.staged);
    if (place < STAGE) ctx.shared.stage[place] = item;
    else broadcast(i64(unpack(claim<Kind::plain>(tail, 1, 0)).count), vertex_t(item));
  }

  // The whole block: tell what is staged. Ends without a barrier.
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
  static constexpr i32 KEPT = 16;  // bitmaps, two of which are clear for the levels to come

  const Peers& peers;
  const i64* bounds;  // where the devices' vertices begin, and the end
  vertex_t* items;    // in the heap: all vertices by device and level
  Value* values;      // in the heap: of all vertices
  u32* bitmaps;       // in the heap: KEPT of them used in turn, clear at first
  i64 stride;         // words from one to the next
  Note* notes;        // in the heap: two sets used in turn, one note from every device each
  u32& number;        // how many exchanges there were; the enactor's State keeps it

  // A device's latest note.
  GR_DEVICE Note note(i64 device) const { return load_received(in_turn(notes, number) + device); }

  // Its part of that level.
  GR_DEVICE Listed<vertex_t> members(i64 device) const {
    const Note latest = note(device);
    return {items + bounds[device] + i64(latest.first), i64(latest.members)};
  }

  GR_DEVICE u32* bits(i32 level) const { return bitmaps + level % KEPT * stride; }
  // Whether the bitmap of an earlier level is still kept once the search has come to the deepest.
  GR_DEVICE static bool keeps(i32 level, i32 deepest) { return deepest - level < KEPT - 2; }

  // A part of a step that works on a level: clear the bitmap that the level after the next will fill.
  GR_DEVICE void clear_ahead(Context& ctx, i32 level) const {
    if (level + 2 >= KEPT) clear(ctx, level + 2);
  }
  GR_DEVICE void clear(Context& ctx, i32 level) const {
    u32* const words = bits(level);
    for_each_index(ctx, stride, [&](i64 i) { store_relaxed(&words[i], 0u); });
  }
  // A part of a step: fill again the bitmap of the level that was told last, which is clear.
  GR_DEVICE void fill_again(Context& ctx, i32 level) const {
    u32* const words = bits(level);
    for (i64 device = 0; device < peers.devices; ++device) {
      const Listed<vertex_t> part = members(device);
      for_each_index(ctx, part.count, [&](i64 i) { bitmap_set(words, part.items[i]); });
    }
  }

  // To tell of a level whose part begins at `first` among the device's own vertices.
  GR_DEVICE LevelCollector<Value> found(Context& ctx, const LoopState& s, i32 level, i64 first) const {
    return {ctx, ctx.out(s), values, items + peers.begin + first, bits(level)};
  }
  // To tell of values that have changed.
  GR_DEVICE LevelCollector<Value> changed(Context& ctx, const LoopState& s) const {
    return {ctx, ctx.out(s), values, nullptr, nullptr};
  }

  // The exchange after a step that has found a level, or changed values: tells what is left. One thread's
  // Note is sent.
  GR_DEVICE void exchange_level(Context& ctx, i32 level, const Note& mine) {
    broadcast_bits(ctx, bits(level), bitmap_words(peers.begin), bitmap_words(peers.end));
    exchange(ctx, mine);
  }
  GR_DEVICE void exchange(Context& ctx, const Note& mine) {
    ++number;
    broadcast_one(ctx, in_turn(notes, number), mine);
  }

  // A step's work: makes all of the level that was told last the next frontier.
  GR_DEVICE void queue(Context& ctx, const LoopState& s) const {
    Collector<V> collect(ctx, ctx.out(s), ctx.graph.csr);
    VertexFunctor all;
    for (i64 device = 0; device < peers.devices; ++device) {
      filter_into(ctx, members(device), all, collect);
      block_sync();  // its flush ends without a barrier
    }
  }
};

}  // namespace gunrock
