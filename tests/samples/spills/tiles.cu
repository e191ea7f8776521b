// Tiles of matrix products: R by C of them a warp (tensor) or elements a thread (plain), K steps unrolled.
#include <mma.h>
#include <cuda_fp16.h>
#ifndef PITCH
#define PITCH 36
#endif
#ifdef THREADS
#ifndef BLOCKS
#define BLOCKS 1
#endif
#define BOUNDS __launch_bounds__(THREADS, BLOCKS)
#else
#define BOUNDS
#endif
#if defined(WMMA_TF32)
typedef float T; typedef float A; enum { M = 16, N = 16, KK = 8 }; typedef nvcuda::wmma::precision::tf32 P;
#elif defined(WMMA_F16)
typedef half T; typedef float A; enum { M = 16, N = 16, KK = 16 }; typedef half P;
#elif defined(WMMA_F64)
typedef double T; typedef double A; enum { M = 8, N = 8, KK = 4 }; typedef double P;
#elif defined(WMMA_S8)
typedef signed char T; typedef int A; enum { M = 16, N = 16, KK = 16 }; typedef signed char P;
#endif
#if defined(WMMA_TF32) || defined(WMMA_F16) || defined(WMMA_F64) || defined(WMMA_S8)
using namespace nvcuda;
extern "C" __global__ void BOUNDS tile(const T* __restrict__ a, const T* __restrict__ b, A* c, int ld, int steps) {
  extern __shared__ double raw[]; T* s = reinterpret_cast<T*>(raw);
  wmma::fragment<wmma::accumulator, M, N, KK, A> acc[R][C];
  int w = threadIdx.x / 32;
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < C; ++j)
#ifdef FILL
      wmma::fill_fragment(acc[i][j], A(0));
#else
      wmma::load_matrix_sync(acc[i][j], c + (w * R + i) * M * ld + j * N, ld, wmma::mem_row_major);
#endif
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
    for (int q = threadIdx.x; q < 2048; q += blockDim.x) s[q] = a[k * 2048 + q] + b[q];
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < KSTEPS; ++kk) {
      wmma::fragment<wmma::matrix_a, M, N, KK, P, wmma::row_major> fa[R];
      wmma::fragment<wmma::matrix_b, M, N, KK, P, wmma::col_major> fb[C];
#ifdef INTERLEAVED
#pragma unroll
      for (int i = 0; i < R; ++i) {
        wmma::load_matrix_sync(fa[i], s + i * M * PITCH + kk * KK, PITCH);
#pragma unroll
        for (int j = 0; j < C; ++j) {
          if (i == 0) wmma::load_matrix_sync(fb[j], s + 2048 + j * N * PITCH + kk * KK, PITCH);
          wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
        }
      }
    }
#else
#pragma unroll
      for (int i = 0; i < R; ++i) wmma::load_matrix_sync(fa[i], s + i * M * 48 + kk * KK, 48);
#pragma unroll
      for (int j = 0; j < C; ++j) wmma::load_matrix_sync(fb[j], s + 2048 + j * N * 48 + kk * KK, 48);
#pragma unroll
      for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < C; ++j) wmma::mma_sync(acc[i][j], fa[i], fb[j], acc[i][j]);
    }
#endif
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < C; ++j)
      wmma::store_matrix_sync(c + (w * R + i) * M * ld + j * N, acc[i][j], ld, wmma::mem_row_major);
}
#elif defined(MMA_F16) || defined(MMA_TF32)
// mma.m16n8 with fragments that ldmatrix loads, the next step's loaded before this one's products if DOUBLE_BUFFERED.
__device__ __forceinline__ void ldm(unsigned (&r)[4], unsigned p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(p));
}
__device__ __forceinline__ void mma(float (&d)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#ifdef MMA_F16
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#else
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
#endif
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
extern "C" __global__ void BOUNDS tile(const int4* __restrict__ a, const int4* __restrict__ b, float* c, int ld, int steps) {
  extern __shared__ int4 s[];
  float acc[R][C][4] = {};
  unsigned base = (unsigned)__cvta_generic_to_shared(s) + threadIdx.x * 16;
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
    for (int q = threadIdx.x; q < 1024; q += blockDim.x) { s[q] = a[k * 1024 + q]; s[1024 + q] = b[k * 1024 + q]; }
    __syncthreads();
    unsigned fa[2][R][4], fb[2][(C + 1) / 2][4];
#ifdef DOUBLE_BUFFERED
#pragma unroll
    for (int i = 0; i < R; ++i) ldm(fa[0][i], base + i * 512);
#pragma unroll
    for (int j = 0; j < (C + 1) / 2; ++j) ldm(fb[0][j], base + 16384 + j * 512);
#endif
#pragma unroll
    for (int kk = 0; kk < KSTEPS; ++kk) {
#ifdef DOUBLE_BUFFERED
      const int now = kk % 2, next = (kk + 1) % KSTEPS, at = (kk + 1) % 2;
#else
      const int now = 0, next = kk, at = 0;
#endif
#pragma unroll
      for (int i = 0; i < R; ++i) ldm(fa[at][i], base + (next * 8 + i) * 512);
#pragma unroll
      for (int j = 0; j < (C + 1) / 2; ++j) ldm(fb[at][j], base + 16384 + (next * 8 + j) * 512);
#pragma unroll
      for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < C; ++j) mma(acc[i][j], fa[now][i], fb[now][j / 2][j % 2 * 2], fb[now][j / 2][j % 2 * 2 + 1]);
    }
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < C; ++j)
#pragma unroll
      for (int q = 0; q < 4; ++q) c[(i * 16 + q / 2 * 8 + threadIdx.x / 4) * ld + j * 8 + q % 2 + threadIdx.x % 4 * 2] = acc[i][j][q];
}
#else
// PLAIN: float, double or int; R by C elements a thread.
typedef PLAIN T;
extern "C" __global__ void BOUNDS tile(const T* __restrict__ a, const T* __restrict__ b, T* c, int ld, int steps) {
  __shared__ T sa[16][64 + 4], sb[16][64 + 4];
  T acc[R][C] = {};
  const int x = threadIdx.x % 8, y = threadIdx.x / 8;
  T na[4], nb[4];
#pragma unroll
  for (int q = 0; q < 4; ++q) { na[q] = a[threadIdx.x + q * 256]; nb[q] = b[threadIdx.x + q * 256]; }
  for (int k = 0; k < steps; ++k) {
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 4; ++q) { (&sa[0][0])[threadIdx.x + q * 256] = na[q]; (&sb[0][0])[threadIdx.x + q * 256] = nb[q]; }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 4; ++q) { na[q] = a[(k + 1) * ld + threadIdx.x + q * 256]; nb[q] = b[(k + 1) * ld + threadIdx.x + q * 256]; }
#pragma unroll
    for (int kk = 0; kk < KSTEPS; ++kk)
#pragma unroll
      for (int i = 0; i < R; ++i)
#pragma unroll
        for (int j = 0; j < C; ++j) acc[i][j] += sa[kk][y * R + i] * sb[kk][x * C + j];
  }
#pragma unroll
  for (int i = 0; i < R; ++i)
#pragma unroll
    for (int j = 0; j < C; ++j) c[(y * R + i) * ld + x * C + j] = acc[i][j];
}
#endif
