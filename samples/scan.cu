// Exclusive prefix sum of 512 integers a block of 256 threads: up-sweep and down-sweep of a balanced tree in shared
// memory. Loop bounds are constants; fewer and fewer threads work, and the strides conflict in the banks.
#include "cuda_subset.h"

constexpr int kElements = 512;

extern "C" __global__ void scan(const int* input, int* output, int* block_sums) {
  __shared__ int tree[kElements];

  const int thread = threadIdx.x;
  const int first = blockIdx.x * kElements;
  tree[2 * thread] = input[first + 2 * thread];
  tree[2 * thread + 1] = input[first + 2 * thread + 1];

  int offset = 1;
  for (int active = kElements / 2; active > 0; active /= 2) {
    __syncthreads();
    if (thread < active) {
      tree[offset * (2 * thread + 2) - 1] += tree[offset * (2 * thread + 1) - 1];
    }
    offset *= 2;
  }
  if (thread == 0) {
    block_sums[blockIdx.x] = tree[kElements - 1];
    tree[kElements - 1] = 0;
  }
  for (int active = 1; active < kElements; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (thread < active) {
      const int left = offset * (2 * thread + 1) - 1;
      const int right = offset * (2 * thread + 2) - 1;
      const int sum = tree[left];
      tree[left] = tree[right];
      tree[right] += sum;
    }
  }
  __syncthreads();
  output[first + 2 * thread] = tree[2 * thread];
  output[first + 2 * thread + 1] = tree[2 * thread + 1];
}
