// 256-bin histogram of bytes: a copy in shared memory filled with atomics, then added to the global one. How many lanes
// hit the same bin depends on the data, so the worst case serialises a warp.
#include "cuda_subset.h"

constexpr int kBins = 256;

extern "C" __global__ void histogram(const unsigned char* data, unsigned int* bins, int n) {
  __shared__ unsigned int counts[kBins];

  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    counts[bin] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&counts[data[i]], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    atomicAdd(&bins[bin], counts[bin]);
  }
}
