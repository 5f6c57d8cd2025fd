// Index types, for both backends.
#pragma once

namespace gunrock {

using u8 = unsigned char;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned int;
using i64 = long long;
using u64 = unsigned long long;

using vertex_t = i32;
#if GR_EDGE64  // more than 2^31 - 1 directed edges
using edge_t = i64;
#else
using edge_t = i32;
#endif
#if GR_WEIGHT_FLOAT
using weight_t = float;
#else
using weight_t = i32;
#endif

}  // namespace gunrock
