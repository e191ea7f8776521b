// A step of heat in a plate: five points, a tile with its halo in shared memory.
#include "../suite_subset.h"

constexpr int kWidth = 32;
constexpr int kHeight = 8;

extern "C" __global__ void stencil2d(const float* before, float* after, int width, int height, float rate) {
  __shared__ float tile[kHeight + 2][kWidth + 2];
  const int x = blockIdx.x * kWidth + threadIdx.x;
  const int y = blockIdx.y * kHeight + threadIdx.y;
  const int left = blockIdx.x * kWidth - 1;
  const int top = blockIdx.y * kHeight - 1;

  const int thread = threadIdx.y * kWidth + threadIdx.x;
  for (int i = thread; i < (kHeight + 2) * (kWidth + 2); i += kWidth * kHeight) {
    const int column = min(max(left + i % (kWidth + 2), 0), width - 1);
    const int row = min(max(top + i / (kWidth + 2), 0), height - 1);
    tile[i / (kWidth + 2)][i % (kWidth + 2)] = before[row * width + column];
  }
  __syncthreads();
  if (x >= width || y >= height) {
    return;
  }
  const int row = threadIdx.y + 1;
  const int column = threadIdx.x + 1;
  const float centre = tile[row][column];
  const float around = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1];
  after[y * width + x] = centre + rate * (around - 4.0f * centre);
}
