// PolyBench-GPU, linear algebra: a thread for each element, or for each row, and loops over whole dimensions.
// nvcc sm_80
// nvcc sm_80 -G
// clang-19 sm_70
#include "subset.h"

// GEMM.
__global__ void gemm(int ni, int nj, int nk, float alpha, float beta, float* a, float* b, float* c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    c[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++) c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

// 2MM and 3MM: each of their products.
__global__ void mm2_first(int ni, int nj, int nk, float alpha, float* tmp, float* a, float* b) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    tmp[i * nj + j] = 0;
    for (int k = 0; k < nk; k++) tmp[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}
__global__ void mm2_second(int ni, int nl, int nj, float beta, float* tmp, float* c, float* d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nl) {
    d[i * nl + j] *= beta;
    for (int k = 0; k < nj; k++) d[i * nl + j] += tmp[i * nj + k] * c[k * nl + j];
  }
}
__global__ void mm3(int ni, int nj, int nk, float* a, float* b, float* e) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    e[i * nj + j] = 0;
    for (int k = 0; k < nk; k++) e[i * nj + j] += a[i * nk + k] * b[k * nj + j];
  }
}

// ATAX.
__global__ void atax_forward(int nx, int ny, float* a, float* x, float* tmp) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    tmp[i] = 0;
    for (int j = 0; j < ny; j++) tmp[i] += a[i * ny + j] * x[j];
  }
}
__global__ void atax_backward(int nx, int ny, float* a, float* y, float* tmp) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    y[j] = 0;
    for (int i = 0; i < nx; i++) y[j] += a[i * ny + j] * tmp[i];
  }
}

// BICG.
__global__ void bicg_s(int nx, int ny, float* a, float* r, float* s) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < ny) {
    s[j] = 0.0f;
    for (int i = 0; i < nx; i++) s[j] += r[i] * a[i * ny + j];
  }
}
__global__ void bicg_q(int nx, int ny, float* a, float* p, float* q) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nx) {
    q[i] = 0.0f;
    for (int j = 0; j < ny; j++) q[i] += a[i * ny + j] * p[j];
  }
}

// MVT.
__global__ void mvt_rows(int n, float* a, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) x[i] += a[i * n + j] * y[j];
}
__global__ void mvt_columns(int n, float* a, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) x[i] += a[j * n + i] * y[j];
}

// GESUMMV.
__global__ void gesummv(int n, float alpha, float beta, float* a, float* b, float* tmp, float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) {
      tmp[i] += a[i * n + j] * x[j];
      y[i] += b[i * n + j] * x[j];
    }
    y[i] = alpha * tmp[i] + beta * y[i];
  }
}

// GEMVER.
__global__ void gemver_rank_two(int n, float* a, float* v1, float* v2, float* u1, float* u2) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) a[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}
__global__ void gemver_transposed(int n, float beta, float* a, float* x, float* y, float* z) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) x[i] += beta * a[j * n + i] * y[j];
    x[i] += z[i];
  }
}
__global__ void gemver_product(int n, float alpha, float* a, float* x, float* w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int j = 0; j < n; j++) w[i] += alpha * a[i * n + j] * x[j];
}

// SYRK and SYR2K.
__global__ void syrk(int n, int m, float alpha, float beta, float* a, float* c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    c[i * n + j] *= beta;
    for (int k = 0; k < m; k++) c[i * n + j] += alpha * a[i * m + k] * a[j * m + k];
  }
}
__global__ void syr2k(int n, int m, float alpha, float beta, float* a, float* b, float* c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    c[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
      c[i * n + j] += alpha * a[i * m + k] * b[j * m + k] + alpha * b[i * m + k] * a[j * m + k];
  }
}

// DOITGEN.
__global__ void doitgen_sum(int nr, int nq, int np, float* sum, float* a, float* c4, int r) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < np && q < nq) {
    sum[r * (nq * np) + q * np + p] = 0;
    for (int s = 0; s < np; s++) sum[r * (nq * np) + q * np + p] += a[r * (nq * np) + q * np + s] * c4[s * np + p];
  }
}
__global__ void doitgen_copy(int nr, int nq, int np, float* sum, float* a, int r) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < np && q < nq) a[r * (nq * np) + q * np + p] = sum[r * (nq * np) + q * np + p];
}

// CORR and COVAR.
__global__ void corr_mean(int m, int n, float* mean, float* data) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    mean[j] = 0;
    for (int i = 0; i < n; i++) mean[j] += data[i * m + j];
    mean[j] /= 3214212.01f;
  }
}
__global__ void corr_deviation(int m, int n, float* mean, float* deviation, float* data) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) {
    deviation[j] = 0;
    for (int i = 0; i < n; i++) deviation[j] += (data[i * m + j] - mean[j]) * (data[i * m + j] - mean[j]);
    deviation[j] /= 3214212.01f;
    deviation[j] = sqrtf(deviation[j]);
    if (deviation[j] <= 0.005f) deviation[j] = 1.0f;
  }
}
__global__ void corr_reduce(int m, int n, float* mean, float* deviation, float* data) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < m) {
    data[i * m + j] -= mean[j];
    data[i * m + j] /= sqrtf(3214212.01f) * deviation[j];
  }
}
__global__ void corr_matrix(int m, int n, float* symmetric, float* data) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m - 1) {
    symmetric[j1 * m + j1] = 1.0f;
    for (int j2 = j1 + 1; j2 < m; j2++) {
      symmetric[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++) symmetric[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      symmetric[j2 * m + j1] = symmetric[j1 * m + j2];
    }
  }
}
__global__ void covar_matrix(int m, int n, float* symmetric, float* data) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m)
    for (int j2 = j1; j2 < m; j2++) {
      symmetric[j1 * m + j2] = 0;
      for (int i = 0; i < n; i++) symmetric[j1 * m + j2] += data[i * m + j1] * data[i * m + j2];
      symmetric[j2 * m + j1] = symmetric[j1 * m + j2];
    }
}

// GRAMSCHM: norm, column, update, for the column k.
__global__ void gramschmidt_norm(int ni, int nj, float* a, float* r, float* q, int k) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t == 0) {
    float norm = 0;
    for (int i = 0; i < ni; i++) norm += a[i * nj + k] * a[i * nj + k];
    r[k * nj + k] = sqrtf(norm);
  }
}
__global__ void gramschmidt_column(int ni, int nj, float* a, float* r, float* q, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < ni) q[i * nj + k] = a[i * nj + k] / r[k * nj + k];
}
__global__ void gramschmidt_update(int ni, int nj, float* a, float* r, float* q, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < nj) {
    r[k * nj + j] = 0;
    for (int i = 0; i < ni; i++) r[k * nj + j] += q[i * nj + k] * a[i * nj + j];
    for (int i = 0; i < ni; i++) a[i * nj + j] -= q[i * nj + k] * r[k * nj + j];
  }
}

// LU: a row, then what is right of it and below.
__global__ void lu_row(int n, float* a, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j > k && j < n) a[k * n + j] = a[k * n + j] / a[k * n + k];
}
__global__ void lu_rest(int n, float* a, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i > k && j > k && i < n && j < n) a[i * n + j] = a[i * n + j] - a[i * n + k] * a[k * n + j];
}
