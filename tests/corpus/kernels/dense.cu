// Dense matrices.
// nvcc sm_80
// nvcc sm_90 -lineinfo
// clang-19 sm_62
// clang-14 sm_60 -O1
#include "subset.h"

#define TILE 16

__global__ void gemm_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0;
    for (int i = 0; i < k; i++) sum += a[row * k + i] * b[i * n + col];
    c[row * n + col] = sum;
  }
}

__global__ void gemm_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE + 1];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < (k + TILE - 1) / TILE; t++) {
    int ac = t * TILE + threadIdx.x, br = t * TILE + threadIdx.y;
    as[threadIdx.y][threadIdx.x] = row < m && ac < k ? a[row * k + ac] : 0;
    bs[threadIdx.y][threadIdx.x] = br < k && col < n ? b[br * n + col] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE; i++) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

// 64 x 64 of a block, 4 x 4 of a thread, loads of four.
__global__ void gemm_float4(const float4* a, const float4* b, float4* c, int n, int k) {
  __shared__ float as[16][64 + 4];
  __shared__ float4 bs[16][16];
  float acc[4][4] = {};
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  for (int k0 = 0; k0 < k; k0 += 16) {
    float4 v = a[((blockIdx.y * 64 + threadIdx.x / 4) * k + k0) / 4 + threadIdx.x % 4];
    int kk = threadIdx.x % 4 * 4, r = threadIdx.x / 4;
    as[kk][r] = v.x;
    as[kk + 1][r] = v.y;
    as[kk + 2][r] = v.z;
    as[kk + 3][r] = v.w;
    bs[ty][tx] = b[((k0 + ty) * n + blockIdx.x * 64) / 4 + tx];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; i++) {
      float4 bv = bs[i][tx];
#pragma unroll
      for (int j = 0; j < 4; j++) {
        float av = as[i][ty * 4 + j];
        acc[j][0] += av * bv.x;
        acc[j][1] += av * bv.y;
        acc[j][2] += av * bv.z;
        acc[j][3] += av * bv.w;
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; j++)
    c[((blockIdx.y * 64 + ty * 4 + j) * n + blockIdx.x * 64) / 4 + tx] = {acc[j][0], acc[j][1], acc[j][2], acc[j][3]};
}

__global__ void gemv_warp(const float* a, const float* x, float* y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int c = lane; c < columns; c += 32) sum += a[row * columns + c] * x[c];
  for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) y[row] = sum;
}

__global__ void transpose_diagonal(const float* in, float* out, int width) {
  __shared__ float tile[32][33];
  int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = by * 32 + threadIdx.x;
  y = bx * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8) out[(y + i) * width + x] = tile[threadIdx.x][threadIdx.y + i];
}

// In place, no pivots, one block.
__global__ void lu_block(float* a, int n) {
  for (int k = 0; k < n - 1; k++) {
    for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] /= a[k * n + k];
    __syncthreads();
    for (int e = threadIdx.x; e < (n - k - 1) * (n - k - 1); e += blockDim.x) {
      int i = k + 1 + e / (n - k - 1), j = k + 1 + e % (n - k - 1);
      a[i * n + j] -= a[i * n + k] * a[k * n + j];
    }
    __syncthreads();
  }
}

__global__ void cholesky_left(float* a, int n) {
  for (int j = 0; j < n; j++) {
    if (threadIdx.x == 0) {
      float d = a[j * n + j];
      for (int k = 0; k < j; k++) d -= a[j * n + k] * a[j * n + k];
      a[j * n + j] = sqrtf(d);
    }
    __syncthreads();
    for (int i = j + 1 + threadIdx.x; i < n; i += blockDim.x) {
      float s = a[i * n + j];
      for (int k = 0; k < j; k++) s -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = s / a[j * n + j];
    }
    __syncthreads();
  }
}

// A small inverse for each thread, by Gauss and Jordan with pivots.
__global__ void batched_inverse_4x4(const float* in, float* out, int batch) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= batch) return;
  float m[4][8];
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) {
      m[r][c] = in[16 * b + 4 * r + c];
      m[r][c + 4] = r == c;
    }
  for (int p = 0; p < 4; p++) {
    int best = p;
    for (int r = p + 1; r < 4; r++)
      if (m[r][p] * m[r][p] > m[best][p] * m[best][p]) best = r;
    for (int c = 0; c < 8; c++) {
      float t = m[p][c];
      m[p][c] = m[best][c];
      m[best][c] = t;
    }
    float scale = 1 / m[p][p];
    for (int c = 0; c < 8; c++) m[p][c] *= scale;
    for (int r = 0; r < 4; r++)
      if (r != p) {
        float f = m[r][p];
        for (int c = 0; c < 8; c++) m[r][c] -= f * m[p][c];
      }
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) out[16 * b + 4 * r + c] = m[r][c + 4];
}

__global__ void upper_solve(const float* u, float* x, int n) {
  for (int row = n - 1; row >= 0; row--) {
    if (threadIdx.x == 0) x[row] /= u[row * n + row];
    __syncthreads();
    for (int i = threadIdx.x; i < row; i += blockDim.x) x[i] -= u[i * n + row] * x[row];
    __syncthreads();
  }
}

// Power iteration: until the eigenvalue stands still, or the limit.
__global__ void power_iteration(const float* a, float* x, float* value, int n, int limit, float tolerance) {
  __shared__ float sums[256];
  float previous = 0;
  for (int step = 0; step < limit; step++) {
    float y = 0;
    for (int c = 0; c < n; c++) y += a[threadIdx.x * n + c] * x[c];
    sums[threadIdx.x] = y * y;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
      if (threadIdx.x < s) sums[threadIdx.x] += sums[threadIdx.x + s];
      __syncthreads();
    }
    float norm = sqrtf(sums[0]);
    __syncthreads();
    x[threadIdx.x] = y / norm;
    __syncthreads();
    if (norm - previous < tolerance && previous - norm < tolerance) break;
    previous = norm;
  }
  if (threadIdx.x == 0) *value = previous;
}

// Matrix power by squaring: as many turns as the exponent has bits.
__global__ void matrix_power(float* a, float* result, int exponent) {
  __shared__ float s[16][16], r[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  s[y][x] = a[16 * y + x];
  r[y][x] = x == y;
  __syncthreads();
  while (exponent > 0) {
    float sum = 0;
    if (exponent & 1) {
      for (int i = 0; i < 16; i++) sum += r[y][i] * s[i][x];
      __syncthreads();
      r[y][x] = sum;
    }
    __syncthreads();
    sum = 0;
    for (int i = 0; i < 16; i++) sum += s[y][i] * s[i][x];
    __syncthreads();
    s[y][x] = sum;
    __syncthreads();
    exponent /= 2;
  }
  result[16 * y + x] = r[y][x];
}

// Triangular tiles are dealt to blocks; a block finds its row by counting down.
__global__ void symmetric_rank_k(const float* a, float* c, int n, int k) {
  int tile = blockIdx.x, row = 0;
  while (tile > row) {
    tile -= row + 1;
    row++;
  }
  int y = row * TILE + threadIdx.y, x = tile * TILE + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[y * k + i] * a[x * k + i];
  if (x <= y && y < n) c[y * n + x] = sum;
}
