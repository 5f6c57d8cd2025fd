// What a GPU's memory and L2 can do at most: streams read and written by 16 bytes, several under way in
// each thread, past the caches of multiprocessors. Called by gunrock_cli/bench/ceilings/bandwidth_device.py.
typedef long long i64;

// `passes` times over, so that the launch itself does not count; `sink` keeps the loads alive.
extern "C" __global__ void read_stream(const uint4* data, i64 count, int passes, unsigned* sink) {
  const i64 stride = i64(gridDim.x) * blockDim.x;
  unsigned found = 0;
  for (int pass = 0; pass < passes; ++pass) {
    i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < count; i += 4 * stride) {
      const uint4 a = __ldcg(data + i), b = __ldcg(data + i + stride);
      const uint4 c = __ldcg(data + i + 2 * stride), d = __ldcg(data + i + 3 * stride);
      found ^= a.x ^ a.y ^ a.z ^ a.w ^ b.x ^ b.y ^ b.z ^ b.w;
      found ^= c.x ^ c.y ^ c.z ^ c.w ^ d.x ^ d.y ^ d.z ^ d.w;
    }
    for (; i < count; i += stride) {
      const uint4 a = __ldcg(data + i);
      found ^= a.x ^ a.y ^ a.z ^ a.w;
    }
    found = found * 3 + 1;  // so that two passes do not cancel out
  }
  if (found == 0x9e3779b9u) *sink = found;
}

extern "C" __global__ void write_stream(uint4* data, i64 count, int passes) {
  const i64 stride = i64(gridDim.x) * blockDim.x;
  for (int pass = 0; pass < passes; ++pass) {
    const uint4 value = make_uint4(pass, pass + 1, pass + 2, pass + 3);
    for (i64 i = i64(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
      __stcg(data + i, value);
  }
}
