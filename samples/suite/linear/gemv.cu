// y = a * x, a block for each row: every thread sums a part of it, then a tree in shared memory.
#include "../suite_subset.h"

constexpr int kThreads = 128;

extern "C" __global__ void gemv(const float* a, const float* x, float* y, int columns) {
  __shared__ float sums[kThreads];
  const float* row = a + blockIdx.x * columns;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += kThreads) {
    sum += row[i] * x[i];
  }
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    y[blockIdx.x] = sums[0];
  }
}
