// A small register machine: a loop over a program and a switch over sixteen operations, which nvcc and clang make a
// tree of compares. See jump_table.ptx for an indirect branch.
#include "cuda_subset.h"

extern "C" __global__ void interpreter(const int* program, const float* input, float* output, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = input[i];
  float saved = 0.0f;
  float other = 1.0f;
  for (int step = 0; step < length; ++step) {
    switch (program[step]) {
      case 0: value += saved; break;
      case 1: value -= saved; break;
      case 2: value *= saved; break;
      case 3: value = fmaf(value, saved, other); break;
      case 4: saved = value; break;
      case 5: other = value; break;
      case 6: value = saved; break;
      case 7: value = other; break;
      case 8: value = __sinf(value); break;
      case 9: value = __cosf(value); break;
      case 10: value = __expf(value); break;
      case 11: value = rsqrtf(value); break;
      case 12: value = value > saved ? value : saved; break;
      case 13: value = value < saved ? value : saved; break;
      case 14: saved = other + 1.0f; break;
      case 15: output[i] = value; break;
      default: return;
    }
  }
  output[i] = value;
}
