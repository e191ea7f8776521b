// Each thread sums a window of rows x columns around its element: two nested loops whose bounds are arguments.
#include "cuda_subset.h"

extern "C" __global__ void nested_loop(const float* image, float* sums, int pitch, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns; ++column) {
      sum += image[row * pitch + x + column];
    }
  }
  sums[x] = sum;
}
