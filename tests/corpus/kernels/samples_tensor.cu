// CUDA samples, tensor cores: a block goes through tiles of C, with parts of A and B in shared memory.
// nvcc sm_80
// nvcc sm_90
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
using namespace nvcuda;

// A tile of 128 by 128 for eight warps of 2 by 4 fragments, K in pieces of CHUNK fragments.
// The sizes are constants, in fragments.
template <typename In, typename Element, typename Out, int M, int N, int K, int CHUNK, int m_tiles, int n_tiles,
          int k_tiles, bool ASYNC>
__device__ void gemm_tiles(const In* a, const In* b, const Out* c, Out* d, Out alpha, Out beta) {
  constexpr int pad = 16 / sizeof(In), row = CHUNK * K + pad, bytes = CHUNK * K * (int)sizeof(In), lanes = bytes / 16,
                lines = 32 / lanes;
  extern __shared__ __attribute__((aligned(128))) char bytes_of_tile[];
  In(*shared)[row] = reinterpret_cast<In(*)[row]>(bytes_of_tile);
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const size_t n_global = (size_t)n_tiles * N, k_global = (size_t)k_tiles * K;
  constexpr int rows_of_block = 8 * M;
  for (unsigned block = blockIdx.x;; block += gridDim.x) {
    const unsigned tile_i = block * 8 / n_tiles * 8, tile_j = block * 8 % n_tiles;
    if (tile_i >= m_tiles) break;
    wmma::fragment<wmma::accumulator, M, N, K, Out> sums[2][4];
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
      for (int j = 0; j < 4; j++) {
        wmma::load_matrix_sync(sums[i][j],
                               c + ((tile_i + warp / 2 * 2 + i) * M * n_global + (tile_j + warp % 2 * 4 + j) * N),
                               n_global, wmma::mem_row_major);
#pragma unroll
        for (int t = 0; t < sums[i][j].num_elements; t++) sums[i][j].x[t] *= beta;
      }
    const In* from = warp < 4 ? a + tile_i * M * k_global + M * k_global * (warp % 4) * 2
                              : b + tile_j * N * k_global + N * k_global * (warp % 4) * 2;
#pragma unroll 1
    for (int tile_k = 0; tile_k < k_tiles; tile_k += CHUNK) {
      size_t to = warp < 4 ? (warp % 4) * M * 2 : (warp % 4) * N * 2 + rows_of_block;
      const int4* line = (const int4*)(from + tile_k * K + (lane / lanes) * k_global) + lane % lanes;
      to += lane / lanes;
#pragma unroll
      for (int i = 0; i < (M * 2) / lines; i++) {
        if (ASYNC)
          __pipeline_memcpy_async((int4*)&shared[to][0] + lane % lanes, line, 16);
        else
          *((int4*)&shared[to][0] + lane % lanes) = *line;
        line = (const int4*)((const In*)line + k_global * lines);
        to += lines;
      }
      if (ASYNC) {
        __pipeline_commit();
        __pipeline_wait_prior(0);
      }
      __syncthreads();
#pragma unroll
      for (int k_step = 0; k_step < CHUNK; k_step++) {
        wmma::fragment<wmma::matrix_a, M, N, K, Element, wmma::row_major> fa[2];
        wmma::fragment<wmma::matrix_b, M, N, K, Element, wmma::col_major> fb[4];
#pragma unroll
        for (int i = 0; i < 2; i++) {
          wmma::load_matrix_sync(fa[i], &shared[(warp / 2) * M * 2 + i * M][k_step * K], row);
#pragma unroll
          for (int j = 0; j < 4; j++) {
            if (i == 0)
              wmma::load_matrix_sync(fb[j], &shared[rows_of_block + (warp % 2) * (N * 4) + j * N][k_step * K], row);
            wmma::mma_sync(sums[i][j], fa[i], fb[j], sums[i][j]);
          }
        }
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 2; i++)
#pragma unroll
      for (int j = 0; j < 4; j++) {
#pragma unroll
        for (int t = 0; t < sums[i][j].num_elements; t++) sums[i][j].x[t] *= alpha;
        wmma::store_matrix_sync(d + ((tile_i + warp / 2 * 2 + i) * M * n_global + (tile_j + warp % 2 * 4 + j) * N),
                                sums[i][j], n_global, wmma::mem_row_major);
      }
    __syncthreads();
  }
}

__global__ void tensor_gemm_half(const half* a, const half* b, const float* c, float* d, float alpha, float beta) {
  gemm_tiles<half, half, float, 16, 16, 16, 8, 256, 256, 256, false>(a, b, c, d, alpha, beta);
}
__global__ void tensor_gemm_integers(const signed char* a, const signed char* b, const int* c, int* d, int alpha,
                                     int beta) {
  gemm_tiles<signed char, signed char, int, 16, 16, 16, 16, 256, 256, 256, false>(a, b, c, d, alpha, beta);
}
__global__ void tensor_gemm_bfloat(const __nv_bfloat16* a, const __nv_bfloat16* b, const float* c, float* d,
                                   float alpha, float beta) {
  gemm_tiles<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16, 8, 512, 512, 512, true>(a, b, c, d, alpha, beta);
}
__global__ void tensor_gemm_tf32(const float* a, const float* b, const float* c, float* d, float alpha, float beta) {
  gemm_tiles<float, wmma::precision::tf32, float, 16, 16, 8, 8, 512, 256, 512, true>(a, b, c, d, alpha, beta);
}
__global__ void tensor_gemm_double(const double* a, const double* b, const double* c, double* d, double alpha,
                                   double beta) {
  gemm_tiles<double, double, double, 8, 8, 4, 16, 1024, 1024, 1024, true>(a, b, c, d, alpha, beta);
}
// Each sample has a simple form too: a warp computes one tile from global memory.
__global__ void tensor_gemm_simple(const half* a, const half* b, const float* c, float* d, int m_ld, int n_ld, int k_ld,
                                   float alpha, float beta) {
  int lda = k_ld, ldb = k_ld, ldc = n_ld, warp_m = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize,
      warp_n = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, old;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < k_ld; i += 16) {
    int a_row = warp_m * 16, b_column = warp_n * 16;
    if (a_row < m_ld && b_column < n_ld) {
      wmma::load_matrix_sync(fa, a + i + a_row * lda, lda);
      wmma::load_matrix_sync(fb, b + i + b_column * ldb, ldb);
      wmma::mma_sync(sum, fa, fb, sum);
    }
  }
  int c_column = warp_n * 16, c_row = warp_m * 16;
  if (c_row < m_ld && c_column < n_ld) {
    wmma::load_matrix_sync(old, c + c_column + c_row * ldc, ldc, wmma::mem_row_major);
    for (int i = 0; i < old.num_elements; i++) old.x[i] = alpha * sum.x[i] + beta * old.x[i];
    wmma::store_matrix_sync(d + c_column + c_row * ldc, old, ldc, wmma::mem_row_major);
  }
}
