// Equal shares for all blocks, of edges or of items, then edge by edge within a block: the modes LB, LB_NODES and AUTO
// of an advance (advance_mode.cuh). Called by advance.cuh.
#pragma once
#include "advance_mode.cuh"
#include "expand.cuh"

namespace gunrock {

// The whole block: loads `share` items from `item` on, fewer than BLOCK, into the window, one per thread, and
// with them where the last item's edges end. Returns the number of items.
GR_DEVICE int fill_few(Window& window, const Queue& in, Size size, i64 item, i64 share) {
  const i64 count = size.count, i = item + thread_id();
  const int here = int(item + share < count ? share : count - item);
  if (thread_id() <= here) {
    const bool inside = i < count;
    window.scan[thread_id()] = inside ? in.scan[i] : edge_t(size.edges);
    if (inside) {
      window.rows[thread_id()] = in.rows[i];
      window.items[thread_id()] = in.items[i];
    }
  }
  block_sync();
  return here;
}

// The whole block: loads into the window the items from `item` on whose tokens come before token `to`, at most
// PASS of them, BATCH per thread at once. Returns their number.
GR_DEVICE int fill_window(Window& window, const Queue& in, i64 count, i64 item, i64 to) {
  edge_t scan[BATCH], rows[BATCH];
  item_t items[BATCH];
  int mine = 0;
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const i64 i = item + k * BLOCK + thread_id(), at = i < count ? i : item;
    scan[k] = in.scan[at];
    rows[k] = in.rows[at];
    items[k] = in.items[at];
  }
  GR_UNROLL
  for (int k = 0; k < BATCH; ++k) {
    const int place = k * BLOCK + thread_id();
    const i64 i = item + place;
    if (i < count && i64(scan[k]) + i < to) {
      window.scan[place] = scan[k];
      window.rows[place] = rows[k];
      window.items[place] = items[k];
      ++mine;
    }
  }
  int found = 0;  // no thread has a later item without the earlier ones
  for (int k = 0; k < BATCH && found == k * BLOCK; ++k) found += block_count(mine > k);
  return found;
}

// The number of items per block if all blocks get equally many. Fewer blocks mean less contention at the tail
// and in its scan.
GR_DEVICE i64 share_of_items(i64 count, int blocks) {
  const i64 share = share_of(count, blocks);
  return share < WARP ? WARP : share;
}

// Equal shares of tokens (LB) or of items (LB_NODES) for each block.
template <Kind IN, class C, class F>
GR_DEVICE void advance_balanced(Context& ctx, const Csr& csr, const Queue& in, Size size, F& f,
                                C& collect, bool by_items) {
  const i64 count = size.count, tokens = count + i64(size.edges);
  i64 begin = 0, end = tokens, item = 0, few = 0;  // this block's tokens; the item that the first token belongs to
  if (by_items && !ctx.single_block) {
    const i64 share = share_of_items(count, ctx.blocks);
    item = ctx.block * share;
    if (item >= count) return;
    if (WARP > 1 && share < BLOCK) {
      few = share;
    } else {
      begin = item + in.scan[item];
      end = item + share < count ? item + share + in.scan[item + share] : tokens;
    }
  } else if (!ctx.single_block) {
    const TokenShare share = equal_share(ctx, in, size);
    begin = share.begin;
    end = share.end;
    item = share.item;
  }
  if (begin >= end) return;
  if constexpr (WARP == 1) {
    const i64 passed = item + (i64(in.scan[item]) + item < begin);
    const i64 last = end == tokens ? count : items_before(in.scan, count, end);
    expand<IN>(csr, in.scan, in.rows, in.items, int(count), int(item), edge_t(begin - passed),
               edge_t(end - last), f, collect);
    return;
  }
  // As many lists as fit the window, however long they are [D-window-1]. A single block has its queue in shared
  // memory.
  Window& window = ctx.shared.window;
  const edge_t* scan = ctx.single_block ? in_shared(ctx.shared, in.scan) : window.scan;
  const edge_t* rows = ctx.single_block ? in_shared(ctx.shared, in.rows) : window.rows;
  const item_t* items = ctx.single_block ? in_shared(ctx.shared, in.items) : window.items;
  for (i64 from = begin;;) {
    int found = int(count);
    edge_t first = 0, last = edge_t(size.edges);
    i64 to = end;
    if (few) {
      found = fill_few(window, in, size, item, few);
      first = window.scan[0];
      last = window.scan[found];
    } else if (!ctx.single_block) {
      const i64 passed = item + (i64(in.scan[item]) + item < from);
      found = fill_window(window, in, count, item, end);
      const i64 next = item + found;
      if (found == PASS && next < count && i64(in.scan[next]) + next < end) to = i64(in.scan[next]) + next;
      first = edge_t(from - passed);
      last = edge_t(to - next);
      item = next;
    }
    expand<IN>(csr, scan, rows, items, found, 0, first, last, f, collect);
    if (to >= end) return;
    from = to;
    block_sync();
  }
}

// AUTO: true if equal shares of items balance as well as equal shares of edges, which need a search
// [D-advance-2]. False if a few items have most of a small frontier's edges, as one block would do most of the
// work.
template <class F>
GR_DEVICE bool suits_items(const Context& ctx, const Csr& csr, Size size) {
  const i64 count = size.count, edges = i64(size.edges);
  if (edges < ctx.lb_threshold && (WARP == 1 || edges <= PASS / 2 || edges <= 32 * count)) return true;
  if constexpr (WARP > 1 && F::FEW_LONG) {
    if (edges <= 8 * count && edges <= ctx.threads() && csr.max_degree <= 2 * PASS) return true;
  }
  return share_of_items(count, ctx.blocks) * csr.max_degree <= 2 * PASS;
}

}  // namespace gunrock
