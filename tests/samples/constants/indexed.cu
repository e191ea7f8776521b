// Parameters that are read at an index: an array in a struct that is passed by value.
#include <cstdint>

struct Weights {
  uint32_t of[16];
};

extern "C" __global__ void indexed(uint32_t *sums, uint32_t n,
                                   const __grid_constant__ Weights weights) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < n; ++i) sum = sum * 3 + weights.of[(sum >> 2) & 15];
  sums[threadIdx.x] = sum;
}
