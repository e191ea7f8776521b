// Dense and sparse linear algebra, as it is written before a library is taken.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
using namespace nvcuda;
extern "C" {

__global__ void gemm16(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M, int N,
                       int K) {
  __shared__ float a[16][16], b[16][16];
  int r = blockIdx.y * 16 + threadIdx.y, c = blockIdx.x * 16 + threadIdx.x;
  float s = 0;
  for (int k = 0; k < K; k += 16) {
    a[threadIdx.y][threadIdx.x] = A[r * K + k + threadIdx.x];
    b[threadIdx.y][threadIdx.x] = B[(k + threadIdx.y) * N + c];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 16; i++) s += a[threadIdx.y][i] * b[i][threadIdx.x];
    __syncthreads();
  }
  C[r * N + c] = s;
}

// 64 x 64 of C a block of 256, 4 x 4 a thread
__global__ void gemm_blocked(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int M,
                             int N, int K) {
  __shared__ float a[16][64 + 4], b[16][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float c[4][4] = {};
  for (int k = 0; k < K; k += 16) {
    for (int i = 0; i < 4; i++) {
      a[t % 16][t / 16 + 16 * i] = A[(blockIdx.y * 64 + t / 16 + 16 * i) * K + k + t % 16];
      b[t / 64 + 4 * i][t % 64] = B[(k + t / 64 + 4 * i) * N + blockIdx.x * 64 + t % 64];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; kk++) {
      float x[4], y[4];
#pragma unroll
      for (int i = 0; i < 4; i++) x[i] = a[kk][ty * 4 + i], y[i] = b[kk][tx * 4 + i];
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) c[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * N + blockIdx.x * 64 + tx * 4 + j] = c[i][j];
}

// 16 x 16 a warp, straight from memory
__global__ void gemm_wmma(const __half* A, const __half* B, float* C, int M, int N, int K) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, columns = N / 16, row = warp / columns * 16,
      column = warp % columns * 16;
  if (row >= M) return;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + row * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + column, N);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + row * N + column, c, N, wmma::mem_row_major);
}

// 64 x 64 of C a block of four warps, tiles in shared memory, mma.sync of 16 x 8 x 16
__global__ void gemm_mma_tile(const __half* __restrict__ A, const __half* __restrict__ B, float* __restrict__ C, int M,
                              int N, int K) {
  __shared__ __align__(16) __half a[64][32 + 8], b[64][32 + 8];
  int t = threadIdx.x, warp = t / 32, lane = t % 32, group = lane / 4, pair = lane % 4;
  float c[8][4] = {};
  for (int k = 0; k < K; k += 32) {
    for (int i = t; i < 64 * 4; i += 128) {
      *(uint4*)&a[i / 4][i % 4 * 8] = *(const uint4*)(A + (blockIdx.y * 64 + i / 4) * K + k + i % 4 * 8);
      *(uint4*)&b[i / 4][i % 4 * 8] = *(const uint4*)(B + (blockIdx.x * 64 + i / 4) * K + k + i % 4 * 8);
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 32; kk += 16) {
      int row = warp * 16 + group;
      unsigned a0 = *(unsigned*)&a[row][kk + pair * 2], a1 = *(unsigned*)&a[row + 8][kk + pair * 2];
      unsigned a2 = *(unsigned*)&a[row][kk + 8 + pair * 2], a3 = *(unsigned*)&a[row + 8][kk + 8 + pair * 2];
#pragma unroll
      for (int n = 0; n < 8; n++) {
        unsigned b0 = *(unsigned*)&b[n * 8 + group][kk + pair * 2],
                 b1 = *(unsigned*)&b[n * 8 + group][kk + 8 + pair * 2];
        asm volatile(
            "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(c[n][0]), "+f"(c[n][1]), "+f"(c[n][2]), "+f"(c[n][3])
            : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
      }
    }
    __syncthreads();
  }
  for (int n = 0; n < 8; n++) {
    float* p = C + (blockIdx.y * 64 + warp * 16 + group) * N + blockIdx.x * 64 + n * 8 + pair * 2;
    *(float2*)p = make_float2(c[n][0], c[n][1]);
    *(float2*)(p + 8 * N) = make_float2(c[n][2], c[n][3]);
  }
}

__global__ void gemv_warps(const float* __restrict__ A, const float* __restrict__ x, float* __restrict__ y, int rows,
                           int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0;
  for (int i = lane; i < columns; i += 32) s += A[(size_t)row * columns + i] * x[i];
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (lane == 0) y[row] = s;
}

__global__ void dot_double(const double* __restrict__ x, const double* __restrict__ y, double* __restrict__ sum,
                           int n) {
  __shared__ double part[1024];
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i] * y[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

__global__ void transpose_padded(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transpose_plain(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}

// one column of an LU decomposition
__global__ void lu_update(float* A, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1, i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
  if (i < n && j < n) A[i * n + j] -= A[i * n + k] / (A[k * n + k] + 1) * A[k * n + j];
}

// a matrix of 16 x 16 a block, in shared memory
__global__ void cholesky_batch(const float* __restrict__ A, float* __restrict__ L) {
  __shared__ float a[16][17];
  int i = threadIdx.y, j = threadIdx.x;
  a[i][j] = A[blockIdx.x * 256 + i * 16 + j] * 0.01f + (i == j ? 1.f : 0.f);
  __syncthreads();
  for (int k = 0; k < 16; k++) {
    if (i == k && j == k) a[k][k] = sqrtf(a[k][k]);
    __syncthreads();
    if (j == k && i > k) a[i][k] /= a[k][k];
    __syncthreads();
    if (i > k && j > k && j <= i) a[i][j] -= a[i][k] * a[j][k];
    __syncthreads();
  }
  L[blockIdx.x * 256 + i * 16 + j] = j <= i ? a[i][j] : 0.f;
}

__global__ void spmv_rows(const int* __restrict__ rows, const int* __restrict__ columns,
                          const float* __restrict__ values, const float* __restrict__ x, float* __restrict__ y, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float s = 0;
  for (int i = rows[r]; i < rows[r + 1]; i++) s += values[i] * x[columns[i]];
  y[r] = s;
}

__global__ void spmv_warps(const int* __restrict__ rows, const int* __restrict__ columns,
                           const double* __restrict__ values, const double* __restrict__ x, double* __restrict__ y,
                           int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= n) return;
  double s = 0;
  for (int i = rows[r] + lane; i < rows[r + 1]; i += 32) s += values[i] * x[columns[i]];
  for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
  if (lane == 0) y[r] = s;
}

__global__ void spmv_ell(const int* __restrict__ columns, const float* __restrict__ values, const float* __restrict__ x,
                         float* __restrict__ y, int n, int width) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n) return;
  float s = 0;
  for (int i = 0; i < width; i++) {
    int c = columns[i * n + r];
    if (c > 0) s += values[i * n + r] * x[c];
  }
  y[r] = s;
}

// a triangular system of 32 a warp, by shuffles
__global__ void solve_triangular(const float* __restrict__ L, const float* __restrict__ b, float* __restrict__ x,
                                 int systems) {
  int system = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (system >= systems) return;
  const float* row = L + (size_t)system * 1024 + lane * 32;
  float rest = b[system * 32 + lane], mine = 0;
  for (int k = 0; k < 32; k++) {
    float solved = __shfl_sync(~0u, rest / (row[lane] + 1), k);
    if (lane == k) mine = solved;
    if (lane > k) rest -= row[k] * solved;
  }
  x[system * 32 + lane] = mine;
}
}
