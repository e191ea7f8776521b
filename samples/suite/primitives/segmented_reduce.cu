// The sum of each segment of an array, a warp for each segment. Where segments begin stands in memory.
#include "../suite_subset.h"

extern "C" __global__ void segmented_reduce(const float* values, const int* starts, float* sums, int segments) {
  const int segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (segment >= segments) {
    return;
  }
  const int end = starts[segment + 1];
  float sum = 0.0f;
  for (int i = starts[segment] + lane; i < end; i += 32) {
    sum += values[i];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    sums[segment] = sum;
  }
}
