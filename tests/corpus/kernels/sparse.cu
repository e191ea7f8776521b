// Sparse matrices times vectors, by format, and what solvers make of them.
// nvcc sm_80
// nvcc sm_120
// clang-19 sm_62
#include "subset.h"

__global__ void csr_scalar(const int* row_ptr, const int* col, const float* val, const float* x, float* y, int rows) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    int row_start = row_ptr[row];
    int row_end = row_ptr[row + 1];
    for (int jj = row_start; jj < row_end; jj++) dot += val[jj] * x[col[jj]];
    y[row] += dot;
  }
}

__global__ void csr_vector(const int* row_ptr, const int* col, const float* val, const float* x, float* y, int rows) {
  int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
  int warp_id = thread_id / 32;
  int lane = thread_id & 31;
  for (int row = warp_id; row < rows; row += gridDim.x * blockDim.x / 32) {
    float sum = 0;
    for (int jj = row_ptr[row] + lane; jj < row_ptr[row + 1]; jj += 32) sum += val[jj] * x[col[jj]];
    for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) y[row] = sum;
  }
}

__global__ void coo_atomic(const int* row, const int* col, const int* val, const int* x, int* y, int nnz) {
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < nnz; k += gridDim.x * blockDim.x)
    atomicAdd(&y[row[k]], val[k] * x[col[k]]);
}

__global__ void ell(const int* col, const float* val, const float* x, float* y, int rows, int width) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row >= rows) return;
  float dot = 0;
  for (int n = 0; n < width; n++) {
    int c = col[rows * n + row];
    float v = val[rows * n + row];
    if (v != 0) dot += v * x[c];
  }
  y[row] = dot;
}

__global__ void dia(const int* offsets, const float* data, const float* x, float* y, int rows, int diagonals) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    for (int n = 0; n < diagonals; n++) {
      int c = row + offsets[n];
      if (c >= 0 && c < rows) dot += data[rows * n + row] * x[c];
    }
    y[row] = dot;
  }
}

// Slices of 32 rows, each as wide as its widest row.
__global__ void sliced_ell(const int* slice_ptr, const int* col, const float* val, const float* x, float* y, int rows) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row >= rows) return;
  int slice = row / 32, lane = row % 32;
  float dot = 0;
  for (int k = slice_ptr[slice] + lane; k < slice_ptr[slice + 1]; k += 32) dot += val[k] * x[col[k]];
  y[row] = dot;
}

__global__ void jacobi_csr(const int* row_ptr, const int* col, const double* val, const double* b, const double* x,
                           double* next, int rows) {
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows; row += blockDim.x * gridDim.x) {
    double sum = b[row], diagonal = 1;
    for (int k = row_ptr[row]; k < row_ptr[row + 1]; ++k) {
      if (col[k] == row)
        diagonal = val[k];
      else
        sum -= val[k] * x[col[k]];
    }
    next[row] = sum / diagonal;
  }
}

// Forward substitution where a row waits for the rows that it needs.
__global__ void lower_solve_sync_free(const int* row_ptr, const int* col, const float* val, const float* b,
                                      volatile float* x, volatile int* ready, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = b[row];
  int k = row_ptr[row];
  int last = row_ptr[row + 1] - 1;
  while (k <= last) {
    if (k == last) {
      x[row] = sum / val[k];
      ready[row] = 1;
      k++;
    } else if (ready[col[k]]) {
      sum -= val[k] * x[col[k]];
      k++;
    }
  }
}
