// Tensor cores of sm_75.
// nvcc sm_75
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

__global__ void wmma_half_turing(const half* a, const half* b, half* c, int n, int k) {
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::row_major> fb;
  wmma::fragment<wmma::accumulator, 32, 8, 16, half> acc;
  wmma::fill_fragment(acc, __float2half(0.0f));
  for (int i = 0; i < k; i += 16) {
    wmma::load_matrix_sync(fa, a + blockIdx.y * 32 * k + i, k);
    wmma::load_matrix_sync(fb, b + i * n + blockIdx.x * 8, n);
    wmma::mma_sync(acc, fa, fb, acc);
  }
  for (int t = 0; t < acc.num_elements; t++) acc.x[t] = __hmul(acc.x[t], __float2half(0.5f));
  wmma::store_matrix_sync(c + blockIdx.y * 32 * n + blockIdx.x * 8, acc, n, wmma::mem_row_major);
}

__global__ void mma_m16n8k8(const unsigned* a, const unsigned* b, float* c, int k) {
  float d[4] = {};
  for (int i = 0; i < k; i += 8) {
    unsigned a0 = a[i * 32 + threadIdx.x], a1 = a[i * 32 + 32 + threadIdx.x], b0 = b[i * 32 + threadIdx.x];
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(b0));
  }
  for (int j = 0; j < 4; j++) c[threadIdx.x * 4 + j] = d[j];
}
