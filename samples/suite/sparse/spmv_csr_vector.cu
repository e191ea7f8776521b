// Sparse matrix times vector in compressed rows, a warp for each row. How long a row is stands in memory.
#include "../suite_subset.h"

extern "C" __global__ void spmv_csr_vector(const int* row_starts, const int* columns, const float* values,
                                           const float* x, float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int entry = row_starts[row] + lane; entry < row_starts[row + 1]; entry += 32) {
    sum += values[entry] * x[columns[entry]];
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  }
  if (lane == 0) {
    y[row] = sum;
  }
}
