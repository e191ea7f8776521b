// All levels of a Haar wavelet transform of blocks of 512 numbers in shared memory: half of the threads have work after
// each level.
#include "../suite_subset.h"

constexpr int kPoints = 512;

extern "C" __global__ void __launch_bounds__(kPoints / 2) haar(const float* input, float* output) {
  __shared__ float points[kPoints];
  const float scale = 0.70710678f;
  points[threadIdx.x] = input[blockIdx.x * kPoints + threadIdx.x];
  points[threadIdx.x + kPoints / 2] = input[blockIdx.x * kPoints + threadIdx.x + kPoints / 2];
  __syncthreads();
  for (int length = kPoints; length > 1; length /= 2) {
    const bool works = threadIdx.x < length / 2;
    float mean = 0.0f;
    if (works) {
      const float a = points[2 * threadIdx.x];
      const float b = points[2 * threadIdx.x + 1];
      output[blockIdx.x * kPoints + length / 2 + threadIdx.x] = (a - b) * scale;
      mean = (a + b) * scale;
    }
    __syncthreads();
    if (works) {
      points[threadIdx.x] = mean;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    output[blockIdx.x * kPoints] = points[0];
  }
}
