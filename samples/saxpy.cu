// y = a*x + y over n elements. A grid-stride loop: its trip count needs n, the block and the grid.
#include "cuda_subset.h"

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    y[i] = a * x[i] + y[i];
  }
}
