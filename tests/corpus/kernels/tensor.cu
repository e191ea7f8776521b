// Tensor cores by wmma and by mma.sync with ldmatrix.
// nvcc sm_80
// nvcc sm_90
// nvcc sm_120
#include <cuda_fp16.h>
#include <mma.h>
#include <cstdint>
using namespace nvcuda;

__global__ void wmma_half(const half* a, const half* b, float* c, int m, int n, int k) {
  int warp_m = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int warp_n = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int i = 0; i < k; i += 16) {
    int row = warp_m * 16, col = warp_n * 16;
    if (row < m && col < n) {
      wmma::load_matrix_sync(fa, a + row * k + i, k);
      wmma::load_matrix_sync(fb, b + col * k + i, k);
      wmma::mma_sync(acc, fa, fb, acc);
    }
  }
  if (warp_m * 16 < m && warp_n * 16 < n)
    wmma::store_matrix_sync(c + warp_m * 16 * n + warp_n * 16, acc, n, wmma::mem_row_major);
}

__global__ void wmma_int8(const signed char* a, const signed char* b, int* c, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> acc;
  wmma::fill_fragment(acc, 0);
  for (int i = 0; i < k / 16; ++i) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * k + 16 * i, k);
    wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * k + 16 * i, k);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, acc, n, wmma::mem_row_major);
}

__global__ void wmma_tf32(const float* a, const float* b, float* c, int n, int k) {
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> acc;
  wmma::fill_fragment(acc, 0.0f);
  for (int i = 0; i < k; i += 8) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 16 * k + i, k);
    wmma::load_matrix_sync(fb, b + blockIdx.x * 16 * k + i, k);
    for (int t = 0; t < fa.num_elements; t++) fa.x[t] = wmma::__float_to_tf32(fa.x[t]);
    for (int t = 0; t < fb.num_elements; t++) fb.x[t] = wmma::__float_to_tf32(fb.x[t]);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  wmma::store_matrix_sync(c + blockIdx.y * 16 * n + blockIdx.x * 16, acc, n, wmma::mem_row_major);
}

__device__ __forceinline__ void ldmatrix_x4(uint32_t (&r)[4], const void* address) {
  uint32_t s = (uint32_t)__cvta_generic_to_shared(address);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(s));
}

__device__ __forceinline__ void mma_16816(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// 64 x 64 of a block of four warps, tiles of 32 in k, copied ahead by cp.async.
__global__ void __launch_bounds__(128) mma_gemm(const half* a, const half* b, float* c, int n, int k) {
  __shared__ __align__(16) half as[2][64][40], bs[2][64][40];
  int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
  float acc[8][4] = {};
  auto load = [&](int stage, int k0) {
    for (int e = tid; e < 64 * 4; e += 128) {
      int r = e / 4, col = e % 4 * 8;
      uint32_t da = (uint32_t)__cvta_generic_to_shared(&as[stage][r][col]);
      uint32_t db = (uint32_t)__cvta_generic_to_shared(&bs[stage][r][col]);
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(da), "l"(a + (blockIdx.y * 64 + r) * k + k0 + col));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(db), "l"(b + (blockIdx.x * 64 + r) * k + k0 + col));
    }
    asm volatile("cp.async.commit_group;");
  };
  load(0, 0);
  for (int t = 0; t < k / 32; t++) {
    if (t + 1 < k / 32) {
      load((t + 1) & 1, (t + 1) * 32);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 32; kk += 16) {
      uint32_t fa[4];
      ldmatrix_x4(fa, &as[t & 1][warp * 16 + lane % 16][kk + lane / 16 * 8]);
#pragma unroll
      for (int j = 0; j < 4; j++) {
        uint32_t fb[4];
        ldmatrix_x4(fb, &bs[t & 1][j * 16 + lane % 16][kk + lane / 16 * 8]);
        mma_16816(acc[2 * j], fa, fb[0], fb[2]);
        mma_16816(acc[2 * j + 1], fa, fb[1], fb[3]);
      }
    }
    __syncthreads();
  }
  for (int j = 0; j < 8; j++) {
    float* at = c + (blockIdx.y * 64 + warp * 16 + lane / 4) * n + blockIdx.x * 64 + j * 8 + lane % 4 * 2;
    at[0] = acc[j][0];
    at[1] = acc[j][1];
    at[8 * n] = acc[j][2];
    at[8 * n + 1] = acc[j][3];
  }
}

__global__ void half_axpy(const half2* x, half2* y, half2 a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = __hfma2(a, x[i], y[i]);
}
