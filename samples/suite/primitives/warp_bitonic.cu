// Each warp sorts 32 numbers in registers, with a bitonic network of shuffles.
#include "../suite_subset.h"

extern "C" __global__ void warp_bitonic(int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  int number = i < n ? numbers[i] : 0x7fffffff;
  for (int size = 2; size <= 32; size *= 2) {
    for (int stride = size / 2; stride > 0; stride /= 2) {
      const int other = __shfl_xor_sync(0xffffffffu, number, stride);
      const bool ascends = (lane & size) == 0;
      const bool is_lower = (lane & stride) == 0;
      number = ascends == is_lower ? min(number, other) : max(number, other);
    }
  }
  if (i < n) {
    numbers[i] = number;
  }
}
