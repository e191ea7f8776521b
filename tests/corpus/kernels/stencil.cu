// Stencils of one to three dimensions.
// nvcc sm_80
// nvcc sm_100
// nvcc sm_80 -G
// clang-19 sm_62
// clang-14 sm_35 -O2
#include "subset.h"

#define RADIUS 4
#define BLOCK 256

__constant__ float c_coefficients[RADIUS + 1];

__global__ void stencil_1d(const float* in, float* out, int n) {
  __shared__ float tile[BLOCK + 2 * RADIUS];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + RADIUS;
  tile[l] = g < n ? in[g] : 0;
  if (threadIdx.x < RADIUS) {
    tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
    tile[l + BLOCK] = g + BLOCK < n ? in[g + BLOCK] : 0;
  }
  __syncthreads();
  float result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += tile[l + offset];
  if (g < n) out[g] = result;
}

__global__ void heat_2d(const float* in, float* out, int width, int height, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
    int i = y * width + x;
    out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width] - 4 * in[i]);
  }
}

// Eighth order in space; the column in z is kept in registers.
__global__ void finite_difference_3d(const float* in, float* out, int dimx, int dimy, int dimz) {
  __shared__ float tile[16 + 2 * RADIUS][32 + 2 * RADIUS];
  int ix = blockIdx.x * 32 + threadIdx.x;
  int iy = blockIdx.y * 16 + threadIdx.y;
  int stride = dimx * dimy;
  int index = iy * dimx + ix;
  float behind[RADIUS], front[RADIUS], current;
#pragma unroll
  for (int i = RADIUS - 1; i >= 0; i--) {
    behind[i] = in[index];
    index += stride;
  }
  current = in[index];
  int out_index = index;
  index += stride;
#pragma unroll
  for (int i = 0; i < RADIUS; i++) {
    front[i] = in[index];
    index += stride;
  }
  int tx = threadIdx.x + RADIUS, ty = threadIdx.y + RADIUS;
  for (int iz = 0; iz < dimz; iz++) {
    __syncthreads();
    if (threadIdx.y < RADIUS) {
      tile[threadIdx.y][tx] = in[out_index - RADIUS * dimx];
      tile[threadIdx.y + 16 + RADIUS][tx] = in[out_index + 16 * dimx];
    }
    if (threadIdx.x < RADIUS) {
      tile[ty][threadIdx.x] = in[out_index - RADIUS];
      tile[ty][threadIdx.x + 32 + RADIUS] = in[out_index + 32];
    }
    tile[ty][tx] = current;
    __syncthreads();
    float value = c_coefficients[0] * current;
#pragma unroll
    for (int i = 1; i <= RADIUS; i++)
      value += c_coefficients[i] *
               (front[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] + tile[ty][tx - i] + tile[ty][tx + i]);
    out[out_index] = value;
    for (int i = RADIUS - 1; i > 0; i--) behind[i] = behind[i - 1];
    behind[0] = current;
    current = front[0];
    for (int i = 0; i < RADIUS - 1; i++) front[i] = front[i + 1];
    front[RADIUS - 1] = in[index];
    index += stride;
    out_index += stride;
  }
}

// Several time steps in shared memory; what is right shrinks by a ring each step.
__global__ void heat_time_tiles(const float* in, float* out, int width, int steps) {
  __shared__ float a[2][BLOCK];
  int left = blockIdx.x * (BLOCK - 2 * steps) - steps;
  int g = left + (int)threadIdx.x;
  int t = threadIdx.x;
  a[0][t] = g >= 0 && g < width ? in[g] : 0;
  int now = 0;
  for (int s = 1; s <= steps; s++) {
    __syncthreads();
    if (t >= s && t < BLOCK - s) a[now ^ 1][t] = 0.25f * (a[now][t - 1] + 2 * a[now][t] + a[now][t + 1]);
    now ^= 1;
  }
  if (t >= steps && t < BLOCK - steps && g < width) out[g] = a[now][t];
}

__global__ void red_black_sweep(double* u, const double* f, int n, int color, double omega) {
  for (int y = 1 + blockIdx.y * blockDim.y + threadIdx.y; y < n - 1; y += gridDim.y * blockDim.y)
    for (int x = 1 + blockIdx.x * blockDim.x + threadIdx.x; x < n - 1; x += gridDim.x * blockDim.x)
      if (((x + y) & 1) == color) {
        int i = y * n + x;
        double r = 0.25 * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - f[i]) - u[i];
        u[i] += omega * r;
      }
}

// Steps until the largest change is small, in one block.
__global__ void relax_until_converged(float* u, int n, float tolerance) {
  __shared__ int again;
  do {
    __syncthreads();
    if (threadIdx.x == 0) again = 0;
    __syncthreads();
    for (int i = 1 + threadIdx.x; i < n - 1; i += blockDim.x) {
      float next = 0.5f * (u[i - 1] + u[i + 1]);
      float change = next - u[i];
      if (change > tolerance || -change > tolerance) again = 1;
      u[i] = next;
    }
    __syncthreads();
  } while (again);
}

__global__ void multigrid_restrict(const float* fine, float* coarse, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int half = n / 2;
  if (x >= half || y >= half) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int fx = min(max(2 * x + dx, 0), n - 1);
      int fy = min(max(2 * y + dy, 0), n - 1);
      sum += fine[fy * n + fx] * (dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1);
    }
  coarse[y * half + x] = sum / 16;
}
