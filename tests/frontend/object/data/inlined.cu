// For the tests of line tables, compiled by scripts/make-cubins.
#include "inlined.cuh"

extern "C" __global__ void inlined(int* data) {
  int value = data[threadIdx.x];
  value = shifted(value);
  data[threadIdx.x] = value;
}
