// Sum of a row by one warp, with shuffles in place of shared memory. Needs sm_30.
#include "cuda_subset.h"

extern "C" __global__ void shuffle_sum(const float* matrix, float* sums, int columns) {
  const int lane = threadIdx.x % 32;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0.0f;
  for (int column = lane; column < columns; column += 32) {
    sum += matrix[row * columns + column];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    sums[row] = sum;
  }
}
