// Lanes of one warp go different ways: by lane number into one of three branches of unequal work, two of them loops
// that compilers are told to keep, then by the sign of the data.
#include "cuda_subset.h"

extern "C" __global__ void divergent(const unsigned int* input, unsigned int* output, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned int value = input[i];
  if (threadIdx.x % 4 == 0) {
#pragma unroll 1
    for (int round = 0; round < 16; ++round) {
      value = value * 1664525u + 1013904223u;
      output[n + round * n + i] = value;
    }
  } else if (threadIdx.x % 4 == 1) {
#pragma unroll 1
    for (int round = 0; round < 6; ++round) {
      value ^= value << 13;
      value ^= value >> 17;
      value += input[n + round * n + i];
    }
  } else {
    value += input[n + i];
  }
  if (static_cast<int>(value) > 0) {
    output[i] = value / 7u;
  } else {
    output[i] = value % 10u;
  }
}
