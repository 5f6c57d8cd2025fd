// Ranks in the precision that was asked for: of two members of a Problem one is null.
// Options: GR_RANK_DOUBLE.
#pragma once
#include "core/enactor.cuh"

#if GR_RANK_DOUBLE
using rank_t = double;
template <class Problem>
GR_DEVICE rank_t* ranks_of(const Problem& p) { return p.ranks64; }
template <class Problem>
GR_DEVICE rank_t* shares_of(const Problem& p) { return p.shares64; }
#else
using rank_t = float;
template <class Problem>
GR_DEVICE rank_t* ranks_of(const Problem& p) { return p.ranks32; }
template <class Problem>
GR_DEVICE rank_t* shares_of(const Problem& p) { return p.shares32; }
#endif
