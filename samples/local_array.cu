// Sixteen counters a thread, picked by the data: the array cannot live in registers, so it goes to local memory.
#include "cuda_subset.h"

constexpr int kCounters = 16;

extern "C" __global__ void local_array(const unsigned int* data, unsigned int* most_frequent, int n) {
  unsigned int counters[kCounters];
  for (int counter = 0; counter < kCounters; ++counter) {
    counters[counter] = 0;
  }
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = blockDim.x * gridDim.x;
  for (int i = 0; i < n; ++i) {
    ++counters[data[i * threads + thread] % kCounters];
  }
  unsigned int best = 0;
  for (unsigned int counter = 1; counter < kCounters; ++counter) {
    if (counters[counter] > counters[best]) {
      best = counter;
    }
  }
  most_frequent[thread] = best;
}
