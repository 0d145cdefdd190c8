// Fixed kernels of the micro-benchmark: what a launch takes, what moving the same bytes takes, and the prefix sums between the
// two launches of a kernel that gives texts. None of them is part of a candidate.
#include "rw_core.cuh"

extern "C" __global__ void rw_empty() {}

// Loads of one thread, so that enough of them are under way.
constexpr int kLoads = 4;

// Reads and writes as many bytes as the kernel beside it, sixteen at a time, in any proportion.
extern "C" __global__ void rw_touch(const uint4* in, int64_t reads, uint4* out, int64_t writes) {
  const int64_t first = static_cast<int64_t>(blockIdx.x) * blockDim.x * kLoads + threadIdx.x;
  uint4 values[kLoads];
#pragma unroll
  for (int k = 0; k < kLoads; ++k) {
    const int64_t i = first + k * blockDim.x;
    values[k] = i < reads ? in[i] : uint4{1, 2, 3, 4};
  }
#pragma unroll
  for (int k = 0; k < kLoads; ++k) {
    const int64_t i = first + k * blockDim.x;
    const uint4 v = values[k];
    // What is only read has to count for something, or it would not be read at all.
    const bool odd = v.x == 0x9e3779b9u && v.y == 0x7f4a7c15u && v.z == 0x85ebca6bu && v.w == 0xc2b2ae35u;
    if (i < writes || odd) out[i < writes ? i : 0] = v;
  }
}

// Threads of a block here, and items of a thread.
constexpr int kThreads = 256;
constexpr int kItems = 4;

// Sums of what stands before each of `count` items, within blocks of kThreads * kItems; item `known` and later ones are zero.
extern "C" __global__ void rw_scan(const int32_t* in, int64_t known, int32_t* out, int32_t* sums, int64_t count) {
  __shared__ int32_t totals[kThreads];
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kItems;
  int32_t before[kItems];
  int32_t total = 0;
  for (int k = 0; k < kItems; ++k) {
    before[k] = total;
    total += first + k < known ? in[first + k] : 0;
  }
  totals[threadIdx.x] = total;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const int32_t left = threadIdx.x >= step ? totals[threadIdx.x - step] : 0;
    __syncthreads();
    totals[threadIdx.x] += left;
    __syncthreads();
  }
  const int32_t mine = totals[threadIdx.x] - total;
  for (int k = 0; k < kItems; ++k) {
    if (first + k < count) out[first + k] = mine + before[k];
  }
  if (sums != nullptr && threadIdx.x == kThreads - 1) sums[blockIdx.x] = totals[threadIdx.x];
}

// Adds to every block what stands before it.
extern "C" __global__ void rw_add(int32_t* out, const int32_t* sums, int64_t count) {
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) * kItems;
  for (int k = 0; k < kItems; ++k) {
    if (first + k < count) out[first + k] += sums[blockIdx.x];
  }
}
