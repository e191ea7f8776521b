// Forward substitution with a lower triangular matrix, one right-hand side a thread. The inner loop's bound is the
// outer loop's counter: n(n-1)/2 inner turns in all, not n*n.
#include "cuda_subset.h"

extern "C" __global__ void triangular(const float* lower, float* x, int n, int count) {
  const int side = blockIdx.x * blockDim.x + threadIdx.x;
  if (side >= count) {
    return;
  }
  for (int row = 0; row < n; ++row) {
    float value = x[row * count + side];
    for (int column = 0; column < row; ++column) {
      value -= lower[row * n + column] * x[column * count + side];
    }
    x[row * count + side] = value / lower[row * n + row];
  }
}
