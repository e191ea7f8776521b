// Softmax of each row, a block a row: largest number, sum of exponentials, quotients. Sums go through shuffles, then
// through shared memory.
#include "../suite_subset.h"

constexpr unsigned int kAllLanes = 0xffffffffu;

__device__ float largest_of_block(float value, float* warps) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  }
  if (threadIdx.x % 32 == 0) {
    warps[threadIdx.x / 32] = value;
  }
  __syncthreads();
  for (int warp = 0; warp < blockDim.x / 32; ++warp) {
    value = fmaxf(value, warps[warp]);
  }
  __syncthreads();
  return value;
}

__device__ float sum_of_block(float value, float* warps) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(kAllLanes, value, distance);
  }
  if (threadIdx.x % 32 == 0) {
    warps[threadIdx.x / 32] = value;
  }
  __syncthreads();
  value = 0.0f;
  for (int warp = 0; warp < blockDim.x / 32; ++warp) {
    value += warps[warp];
  }
  __syncthreads();
  return value;
}

extern "C" __global__ void softmax(const float* input, float* output, int columns) {
  __shared__ float warps[32];
  const float* row = input + blockIdx.x * columns;
  float largest = -3.402823466e38f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    largest = fmaxf(largest, row[i]);
  }
  largest = largest_of_block(largest, warps);
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    sum += expf(row[i] - largest);
  }
  sum = sum_of_block(sum, warps);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    output[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
  }
}
