// Ranks, in the precision that was asked for. Options: GR_RANK_DOUBLE.
#pragma once

#if GR_RANK_DOUBLE
using rank_t = double;
#else
using rank_t = float;
#endif
