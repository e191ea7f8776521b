// Bitonic sort of 512 integers a block of 256 threads: two nested loops that double and halve, a data-dependent swap.
#include "cuda_subset.h"

constexpr int kElements = 512;

extern "C" __global__ void bitonic_sort(int* data) {
  __shared__ int keys[kElements];

  const int thread = threadIdx.x;
  int* block = data + blockIdx.x * kElements;
  keys[thread] = block[thread];
  keys[thread + kElements / 2] = block[thread + kElements / 2];
  for (int size = 2; size <= kElements; size *= 2) {
    for (int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const int low = 2 * thread - (thread & (distance - 1));
      const int high = low + distance;
      const bool ascending = (low & size) == 0;
      const int a = keys[low];
      const int b = keys[high];
      if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
      }
    }
  }
  __syncthreads();
  block[thread] = keys[thread];
  block[thread + kElements / 2] = keys[thread + kElements / 2];
}
