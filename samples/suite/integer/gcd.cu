// Greatest common divisors after Euclid. How many divisions it takes depends on the numbers: at most 46 for 32 bits.
#include "../suite_subset.h"

extern "C" __global__ void gcd(const unsigned int* a, const unsigned int* b, unsigned int* divisors, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  unsigned int x = a[i];
  unsigned int y = b[i];
  while (y != 0) {
    const unsigned int rest = x % y;
    x = y;
    y = rest;
  }
  divisors[i] = x;
}
