// Cholesky factors of small matrices, one of 32 x 32 for each block, a thread for each row, in shared memory.
#include "../suite_subset.h"

constexpr int kSize = 32;

extern "C" __global__ void __launch_bounds__(kSize) cholesky_block(float* matrices) {
  __shared__ float a[kSize][kSize + 1];
  float* matrix = matrices + blockIdx.x * kSize * kSize;
  const int row = threadIdx.x;

  for (int i = 0; i < kSize; ++i) {
    a[i][row] = matrix[i * kSize + row];
  }
  __syncthreads();
  for (int k = 0; k < kSize; ++k) {
    if (row == k) {
      a[k][k] = sqrtf(a[k][k]);
    }
    __syncthreads();
    if (row > k) {
      a[row][k] /= a[k][k];
    }
    __syncthreads();
    for (int column = k + 1; column <= row; ++column) {
      a[row][column] -= a[row][k] * a[column][k];
    }
    __syncthreads();
  }
  for (int i = 0; i < kSize; ++i) {
    matrix[i * kSize + row] = row <= i ? a[i][row] : 0.0f;
  }
}
