// Sparse matrix times vector in compressed rows. How long a row is stands in memory, so the inner loop has no bound the
// code could tell: give the longest row with --loop-bound.
#include "cuda_subset.h"

extern "C" __global__ void spmv(const int* row_starts, const int* columns, const float* values, const float* x,
                                float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  const int end = row_starts[row + 1];
  float sum = 0.0f;
#pragma unroll 1
  for (int entry = row_starts[row]; entry < end; ++entry) {
    sum += values[entry] * x[columns[entry]];
  }
  y[row] = sum;
}
