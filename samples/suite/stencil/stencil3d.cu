// Seven points in space: a block goes through the planes, one tile with its halo in shared memory and the planes above
// and below in registers.
#include "../suite_subset.h"

constexpr int kTile = 16;

extern "C" __global__ void stencil3d(const float* before, float* after, int nx, int ny, int nz) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x + 1;
  const int y = blockIdx.y * kTile + threadIdx.y + 1;
  const int column = threadIdx.x + 1;
  const int row = threadIdx.y + 1;
  const int plane = nx * ny;
  const int here = y * nx + x;
  const bool is_inside = x < nx - 1 && y < ny - 1;

  float below = is_inside ? before[here] : 0.0f;
  float centre = is_inside ? before[here + plane] : 0.0f;
  for (int z = 1; z < nz - 1; ++z) {
    const int i = here + z * plane;
    const float above = is_inside ? before[i + plane] : 0.0f;
    __syncthreads();
    if (is_inside) {
      tile[row][column] = centre;
      if (threadIdx.x == 0) {
        tile[row][0] = before[i - 1];
      }
      if (threadIdx.x == kTile - 1 || x == nx - 2) {
        tile[row][column + 1] = before[i + 1];
      }
      if (threadIdx.y == 0) {
        tile[0][column] = before[i - nx];
      }
      if (threadIdx.y == kTile - 1 || y == ny - 2) {
        tile[row + 1][column] = before[i + nx];
      }
    }
    __syncthreads();
    if (is_inside) {
      after[i] = (below + above + tile[row - 1][column] + tile[row + 1][column] + tile[row][column - 1] +
                  tile[row][column + 1]) / 6.0f;
    }
    below = centre;
    centre = above;
  }
}
