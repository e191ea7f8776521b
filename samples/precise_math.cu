// sinf and expf in full precision: nvcc brings a range reduction with a slow path, local memory and a loop of its own,
// unless -use_fast_math is given.
#include "cuda_subset.h"

extern "C" __global__ void precise_math(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = sinf(x[i]) * expf(-x[i]) / sqrtf(1.0f + x[i] * x[i]);
  }
}
