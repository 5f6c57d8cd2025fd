// The unit in which SALSA's scores are added: whole numbers of 2^-62, whose sums are the same in any order.
#pragma once
#include "../../core/types.cuh"

constexpr double UNIT = 1.0 / double(u64(1) << 62);

GR_DEVICE u64 in_units(double score) { return u64(score / UNIT); }
