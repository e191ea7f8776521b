// Sparse matrix times vector where every row has `width` places, stored column by column; an empty place has column -1.
#include "../suite_subset.h"

extern "C" __global__ void spmv_ell(const int* columns, const float* values, const float* x, float* y, int rows,
                                    int width) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  float sum = 0.0f;
  for (int place = 0; place < width; ++place) {
    const int column = columns[place * rows + row];
    if (column >= 0) {
      sum += values[place * rows + row] * x[column];
    }
  }
  y[row] = sum;
}
