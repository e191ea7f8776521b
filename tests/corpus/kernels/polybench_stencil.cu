// PolyBench-GPU, stencils.
// nvcc sm_80
// nvcc sm_90
// clang-19 sm_70
#include "subset.h"

__global__ void convolution_2d(int ni, int nj, float* a, float* b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  float c11 = 0.2f, c21 = 0.5f, c31 = -0.8f, c12 = -0.3f, c22 = 0.6f, c32 = -0.9f, c13 = 0.4f, c23 = 0.7f, c33 = 0.1f;
  if (i < ni - 1 && j < nj - 1 && i > 0 && j > 0)
    b[i * nj + j] = c11 * a[(i - 1) * nj + j - 1] + c21 * a[(i - 1) * nj + j] + c31 * a[(i - 1) * nj + j + 1] +
                    c12 * a[i * nj + j - 1] + c22 * a[i * nj + j] + c32 * a[i * nj + j + 1] +
                    c13 * a[(i + 1) * nj + j - 1] + c23 * a[(i + 1) * nj + j] + c33 * a[(i + 1) * nj + j + 1];
}

// One plane i; the host goes through the planes.
__global__ void convolution_3d(int ni, int nj, int nk, float* a, float* b, int i) {
  int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni - 1 && j < nj - 1 && k < nk - 1 && i > 0 && j > 0 && k > 0) {
    int p = nj * nk;
    b[i * p + j * nk + k] = 2 * a[(i - 1) * p + (j - 1) * nk + k - 1] + 4 * a[(i + 1) * p + (j - 1) * nk + k - 1] +
                            5 * a[(i - 1) * p + (j - 1) * nk + k + 1] - 8 * a[(i + 1) * p + (j - 1) * nk + k + 1] -
                            3 * a[i * p + (j - 1) * nk + k] + 6 * a[i * p + j * nk + k] -
                            9 * a[i * p + (j + 1) * nk + k] + 7 * a[(i + 1) * p + (j + 1) * nk + k + 1];
  }
}

__global__ void fdtd_step_y(int nx, int ny, float* fict, float* ex, float* ey, float* hz, int t) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    if (i == 0)
      ey[i * ny + j] = fict[t];
    else
      ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  }
}
__global__ void fdtd_step_x(int nx, int ny, float* ex, float* ey, float* hz, int t) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny && j > 0) ex[i * ny + j] = ex[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
}
__global__ void fdtd_step_z(int nx, int ny, float* ex, float* ey, float* hz, int t) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx - 1 && j < ny - 1)
    hz[i * ny + j] -= 0.7f * (ex[i * ny + j + 1] - ex[i * ny + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}

__global__ void jacobi_1d(int n, float* a, float* b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) b[i] = 0.33333f * (a[i - 1] + a[i] + a[i + 1]);
}
__global__ void jacobi_1d_copy(int n, float* a, float* b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > 0 && j < n - 1) a[j] = b[j];
}
__global__ void jacobi_2d(int n, float* a, float* b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1)
    b[i * n + j] =
        0.2f * (a[i * n + j] + a[i * n + j - 1] + a[i * n + j + 1] + a[(i + 1) * n + j] + a[(i - 1) * n + j]);
}

// ADI: a thread goes along its row, then back, then the same for a column, of which the host gives the number.
__global__ void adi_rows(int n, float* a, float* b, float* x) {
  int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n)
    for (int i2 = 1; i2 < n; i2++) {
      x[i1 * n + i2] = x[i1 * n + i2] - x[i1 * n + i2 - 1] * a[i1 * n + i2] / b[i1 * n + i2 - 1];
      b[i1 * n + i2] = b[i1 * n + i2] - a[i1 * n + i2] * a[i1 * n + i2] / b[i1 * n + i2 - 1];
    }
}
__global__ void adi_last_of_rows(int n, float* a, float* b, float* x) {
  int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n) x[i1 * n + n - 1] = x[i1 * n + n - 1] / b[i1 * n + n - 1];
}
__global__ void adi_rows_back(int n, float* a, float* b, float* x) {
  int i1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i1 < n)
    for (int i2 = 0; i2 < n - 2; i2++)
      x[i1 * n + n - i2 - 2] =
          (x[i1 * n + n - 2 - i2] - x[i1 * n + n - 2 - i2 - 1] * a[i1 * n + n - i2 - 3]) / b[i1 * n + n - 3 - i2];
}
__global__ void adi_columns(int n, float* a, float* b, float* x, int i1) {
  int i2 = blockIdx.x * blockDim.x + threadIdx.x;
  if (i2 < n) {
    x[i1 * n + i2] = x[i1 * n + i2] - x[(i1 - 1) * n + i2] * a[i1 * n + i2] / b[(i1 - 1) * n + i2];
    b[i1 * n + i2] = b[i1 * n + i2] - a[i1 * n + i2] * a[i1 * n + i2] / b[(i1 - 1) * n + i2];
  }
}
