// The ways in which an advance shares out a frontier's lists (--advance-mode); advance.cuh chooses by them:
//   TM        one thread per item, serially: cheapest where lists are short and equally long. Merrill's
//             serial gathering; SERIAL is a second name for it
//   WARP      one warp per item (Merrill's coarse-grained gathering)
//   SCAN      the lists of a tile of BLOCK items, end to end, edge by edge (Merrill's fine-grained gathering)
//   TWC       whole pieces of WARP edges of a tile's lists to warps, several for a long list; the rest edge
//             by edge (Merrill's scan+warp+CTA)
//   LB        equal chunks of edges, found by sorted search on the scanned lengths (Davidson)
//   LB_NODES  equal chunks of items, then edge by edge within the block: no search
//   AUTO      LB_NODES where no block can get much more than its share, else LB
//   HYBRID    the Gunrock papers' rule: TWC where lists are short, else LB_NODES below a threshold, else LB
#pragma once
#include "../backend/backend.cuh"

namespace gunrock {

enum Mode {
  MODE_TM, MODE_TWC, MODE_LB, MODE_LB_NODES, MODE_AUTO, MODE_SERIAL, MODE_WARP, MODE_SCAN, MODE_HYBRID
};
constexpr Mode ADVANCE_MODE = Mode(GR_ADVANCE_MODE);
// True if blocks may take parts of one list.
constexpr bool SHARES_LISTS = ADVANCE_MODE == MODE_LB || ADVANCE_MODE == MODE_AUTO ||
                              ADVANCE_MODE == MODE_TWC || ADVANCE_MODE == MODE_HYBRID;

}  // namespace gunrock
