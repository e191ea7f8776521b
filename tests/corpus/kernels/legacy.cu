// Kernels of the years of sm_35 and sm_60: warps without .sync, everything in 32 bits, low optimization.
// clang-14 sm_35
// clang-14 sm_60 -O1
// clang-14 sm_35 -O0
#include "subset.h"

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void dot_product(const float* a, const float* b, float* partial, int n) {
  __shared__ float cache[256];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int index = threadIdx.x;
  float temp = 0;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[index] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (index < i) cache[index] += cache[index + i];
    __syncthreads();
    i /= 2;
  }
  if (index == 0) partial[blockIdx.x] = cache[0];
}

__global__ void matrix_vector(const float* a, const float* x, float* y, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += a[row + c * rows] * x[c];
    y[row] = sum;
  }
}

__global__ void needleman_wunsch_tile(const int* reference, int* items, int columns, int penalty, int index) {
  __shared__ int temp[17][17];
  int tx = threadIdx.x, bx = blockIdx.x;
  int base = columns * 16 * (index - 1 - bx) + 16 * bx;
  for (int ty = 0; ty <= 16; ty++) temp[ty][tx] = items[base + columns * ty + tx];
  __syncthreads();
  for (int m = 0; m < 16; m++) {
    if (tx <= m) {
      int x = tx + 1, y = m - tx + 1;
      temp[y][x] = max(temp[y - 1][x - 1] + reference[base + columns * y + x],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int m = 14; m >= 0; m--) {
    if (tx <= m) {
      int x = tx + 16 - m, y = 16 - tx;
      temp[y][x] = max(temp[y - 1][x - 1] + reference[base + columns * y + x],
                       max(temp[y][x - 1] - penalty, temp[y - 1][x] - penalty));
    }
    __syncthreads();
  }
  for (int ty = 0; ty < 16; ty++) items[base + columns * (ty + 1) + tx + 1] = temp[ty + 1][tx + 1];
}

__global__ void path_finder(int iterations, const int* wall, const int* source, int* result, int columns) {
  __shared__ int previous[256], current[256];
  int tx = threadIdx.x;
  int x = blockIdx.x * 256 + tx;
  previous[tx] = x < columns ? source[x] : 1 << 30;
  __syncthreads();
  for (int i = 0; i < iterations; i++) {
    if (tx >= i + 1 && tx <= 256 - i - 2) {
      int shortest = min(min(previous[tx - 1], previous[tx]), previous[tx + 1]);
      current[tx] = shortest + wall[columns * i + x];
    }
    __syncthreads();
    if (i == iterations - 1) break;
    previous[tx] = current[tx];
    __syncthreads();
  }
  if (x < columns) result[x] = current[tx];
}
