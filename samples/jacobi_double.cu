// Jacobi iterations in double precision on a tile in shared memory, `sweeps` of them before the tile is written back.
#include "cuda_subset.h"

constexpr int kTile = 16;

extern "C" __global__ void jacobi_double(const double* grid, double* next, int pitch, int sweeps) {
  __shared__ double tile[kTile + 2][kTile + 2];

  const int column = threadIdx.x + 1;
  const int row = threadIdx.y + 1;
  const double* corner = grid + blockIdx.y * kTile * pitch + blockIdx.x * kTile;
  const int thread = threadIdx.y * kTile + threadIdx.x;
  for (int cell = thread; cell < (kTile + 2) * (kTile + 2); cell += kTile * kTile) {
    tile[cell / (kTile + 2)][cell % (kTile + 2)] = corner[cell / (kTile + 2) * pitch + cell % (kTile + 2)];
  }
  __syncthreads();
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    const double sum = tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] + tile[row][column + 1];
    __syncthreads();
    tile[row][column] = 0.25 * sum;
    __syncthreads();
  }
  next[(blockIdx.y * kTile + row) * pitch + blockIdx.x * kTile + column] =
      tile[row][column] / 1.5 + sqrt(tile[row][column]);
}
