// Sum of n numbers, one partial sum a block: a grid-stride loop, then a tree in shared memory. Two instances of one
// template, so the names in the PTX are mangled.
#include "cuda_subset.h"

template <int kBlock>
__global__ void reduce(const float* input, float* partial, int n) {
  __shared__ float sums[kBlock];

  float sum = 0.0f;
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += kBlock * gridDim.x) {
    sum += input[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();

  for (unsigned int active = kBlock / 2; active > 0; active /= 2) {
    if (threadIdx.x < active) {
      sums[threadIdx.x] += sums[threadIdx.x + active];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sums[0];
  }
}

template __global__ void reduce<128>(const float*, float*, int);
template __global__ void reduce<512>(const float*, float*, int);
