// Exclusive prefix sums of blocks of 1024 numbers: shuffles in each warp, then over the sums of the warps. scan_add
// brings in the sums of the blocks before.
#include "../suite_subset.h"

constexpr unsigned int kAllLanes = 0xffffffffu;

__device__ int scan_of_warp(int value, int lane) {
  for (int distance = 1; distance < 32; distance *= 2) {
    const int other = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) {
      value += other;
    }
  }
  return value;
}

extern "C" __global__ void scan_blocks(const int* numbers, int* sums, int* block_sums, int n) {
  __shared__ int warp_sums[32];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  const int number = i < n ? numbers[i] : 0;
  int sum = scan_of_warp(number, lane);
  if (lane == 31) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  if (warp == 0) {
    warp_sums[lane] = scan_of_warp(lane < blockDim.x / 32 ? warp_sums[lane] : 0, lane);
  }
  __syncthreads();
  if (warp > 0) {
    sum += warp_sums[warp - 1];
  }
  if (i < n) {
    sums[i] = sum - number;
  }
  if (threadIdx.x == blockDim.x - 1) {
    block_sums[blockIdx.x] = sum;
  }
}

extern "C" __global__ void scan_add(int* sums, const int* block_offsets, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sums[i] += block_offsets[blockIdx.x];
  }
}
