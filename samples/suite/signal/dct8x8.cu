// Discrete cosine transform of 8 x 8 pixels as two products of matrices in shared memory, a block each.
#include "../suite_subset.h"

constexpr int kSize = 8;

extern "C" __global__ void dct8x8(const float* image, float* coefficients, const float* cosines, int width) {
  __shared__ float pixels[kSize][kSize];
  __shared__ float half[kSize][kSize];
  __shared__ float basis[kSize][kSize];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int place = (blockIdx.y * kSize + y) * width + blockIdx.x * kSize + x;

  pixels[y][x] = image[place];
  basis[y][x] = cosines[y * kSize + x];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < kSize; ++k) {
    sum += basis[y][k] * pixels[k][x];
  }
  half[y][x] = sum;
  __syncthreads();
  sum = 0.0f;
  for (int k = 0; k < kSize; ++k) {
    sum += half[y][k] * basis[x][k];
  }
  coefficients[place] = sum;
}
