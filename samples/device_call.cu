// A device function that stays a call: the kernel's time contains the callee's, once for each turn of the loop.
#include "cuda_subset.h"

__device__ __noinline__ float horner(const float* coefficients, float x) {
  float value = coefficients[7];
  for (int power = 6; power >= 0; --power) {
    value = fmaf(value, x, coefficients[power]);
  }
  return value;
}

extern "C" __global__ void device_call(const float* coefficients, const float* x, float* y, int polynomials, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  float sum = 0.0f;
  for (int polynomial = 0; polynomial < polynomials; ++polynomial) {
    sum += horner(coefficients + 8 * polynomial, x[i]);
  }
  y[i] = sum;
}
