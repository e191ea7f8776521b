// c = a * b for square matrices of width n, n a multiple of 64: tiles of 64 x 64 in shared memory, 4 x 4 sums in the
// registers of each of 256 threads.
#include "../suite_subset.h"

constexpr int kTile = 64;
constexpr int kDepth = 16;
constexpr int kEach = 4;
constexpr int kThreads = 256;

extern "C" __global__ void __launch_bounds__(kThreads)
    gemm_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kDepth][kTile];
  __shared__ float tile_b[kDepth][kTile];
  const int row = threadIdx.x / (kTile / kEach) * kEach;
  const int column = threadIdx.x % (kTile / kEach) * kEach;
  const int first_row = blockIdx.y * kTile;
  const int first_column = blockIdx.x * kTile;

  float sums[kEach][kEach] = {};
  for (int start = 0; start < n; start += kDepth) {
    for (int i = threadIdx.x; i < kTile * kDepth; i += kThreads) {
      tile_a[i % kDepth][i / kDepth] = a[(first_row + i / kDepth) * n + start + i % kDepth];
      tile_b[i / kTile][i % kTile] = b[(start + i / kTile) * n + first_column + i % kTile];
    }
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      for (int i = 0; i < kEach; ++i) {
        for (int j = 0; j < kEach; ++j) {
          sums[i][j] += tile_a[k][row + i] * tile_b[k][column + j];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < kEach; ++i) {
    for (int j = 0; j < kEach; ++j) {
      c[(first_row + row + i) * n + first_column + column + j] = sums[i][j];
    }
  }
}
