// TeamFrontier: a frontier over several devices. Each device has a bitmap of all vertices, fills its own
// vertices' part and receives the other parts. Three bitmaps are used in turn, so that a step that reads one
// and fills the next can clear the third: no device writes to that one before all have done the step. Called by
// BFS on several devices.
//
// Ranges of vertices begin at words of the bitmap. With each part come its number of vertices, the number of
// edges out of them and, if the enactor counts these, into them, and the number of the device's vertices that may be
// in a later frontier.
#pragma once
#include "../core/bitmap.cuh"
#include "../core/members.cuh"
#include "exchange.cuh"

namespace gunrock {

struct Count {
  u64 vertices, edges;
  u64 in_edges;    // zero unless the enactor counts them
  u64 candidates;  // as the enactor says at the exchange
};

// The device's own vertices, or an array of some of them.
struct OwnOrListed {
  const item_t* items;  // or null
  i64 begin, count;
  GR_DEVICE item_t at(i64 i) const { return items ? items[i] : item_t(begin + i); }
  GR_DEVICE bool holds(item_t) const { return true; }
};
GR_DEVICE bool in_order(const OwnOrListed& who) { return !who.items; }

struct TeamFrontier {
  const Peers& peers;
  u32* words;   // three bitmaps in the symmetric heap, clear at first
  i64 stride;   // words from one to the next
  Count* sizes;  // in the symmetric heap: three sets used in turn, each with one count per device
  u32& number;  // the number of turns so far; the enactor's State keeps it

  GR_DEVICE u32* bits() const { return at(0); }
  GR_DEVICE u32* next() const { return at(1); }
  // The step that fills the next bitmap adds to this.
  GR_DEVICE Count* next_size() const { return sizes_at(1) + peers.device; }

  // The size over all devices. (Of a multiprocessor's warps, one reads it from L2.)
  GR_DEVICE Count size() const {
    Count sum = {0, 0, 0, 0};
    for (i64 d = 0; d < peers.devices; ++d) {
      sum.vertices += load_cached(&sizes_at(0)[d].vertices);
      sum.edges += load_cached(&sizes_at(0)[d].edges);
      sum.in_edges += load_cached(&sizes_at(0)[d].in_edges);
      sum.candidates += load_cached(&sizes_at(0)[d].candidates);
    }
    return sum;
  }
  // A part of a step that fills the next bitmap.
  GR_DEVICE void clear_spare(Context& ctx) const {
    bitmap_clear(ctx, at(2));
    if (ctx.rank() == 0) {
      store_relaxed(&sizes_at(2)[peers.device].vertices, u64(0));
      store_relaxed(&sizes_at(2)[peers.device].edges, u64(0));
      store_relaxed(&sizes_at(2)[peers.device].in_edges, u64(0));
    }
  }
  // The next bitmap becomes the frontier of the next step.
  GR_DEVICE void turn() { ++number; }

  // The exchange after the turn: broadcasts this device's part.
  GR_DEVICE void exchange(Context& ctx, u64 candidates) const {
    broadcast_bits(ctx, bits(), bitmap_words(peers.begin), bitmap_words(peers.end));
    if (ctx.rank() != 0) return;
    const Count* const own = sizes_at(0) + peers.device;
    broadcast_one(ctx, sizes_at(0), Count{load_relaxed(&own->vertices), load_relaxed(&own->edges),
                                          load_relaxed(&own->in_edges), candidates});
  }

 private:
  GR_DEVICE u32* at(u32 ahead) const { return words + (number + ahead) % 3 * stride; }
  GR_DEVICE Count* sizes_at(u32 ahead) const { return sizes + (number + ahead) % 3 * MOST_DEVICES; }
};

}  // namespace gunrock
