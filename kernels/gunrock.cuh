// The header that most primitives include: the driver, and the usual operators. Operators for special shapes of
// work are included by name: advance_by_value, gather_all, dataflow, advance_ahead, priority_queue.
#pragma once
#include "core/enactor.cuh"
#include "operators/advance.cuh"
#include "operators/compute.cuh"
#include "operators/convert.cuh"
#include "operators/culling.cuh"
#include "operators/filter.cuh"
#include "operators/gather.cuh"
#include "operators/parts_of_lists.cuh"
#include "operators/pull.cuh"
#include "operators/reduce.cuh"
