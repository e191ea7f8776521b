// Bulk copies, transaction barriers and clusters.
// nvcc sm_90
// nvcc sm_100
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cstdint>
namespace cg = cooperative_groups;

__device__ __forceinline__ void wait_parity(uint64_t* bar, uint32_t parity) {
  uint32_t b = (uint32_t)__cvta_generic_to_shared(bar);
  asm volatile(
      "{\n .reg .pred P1;\n"
      "LAB_WAIT_%=:\n mbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n"
      "@P1 bra DONE_%=;\n bra LAB_WAIT_%=;\n DONE_%=:\n}" ::"r"(b), "r"(parity) : "memory");
}

__global__ void bulk_copy_sum(const float* in, float* out, int tiles) {
  __shared__ alignas(128) float tile[2][1024];
  __shared__ uint64_t bar[2];
  int t = threadIdx.x;
  uint32_t bars[2] = {(uint32_t)__cvta_generic_to_shared(&bar[0]), (uint32_t)__cvta_generic_to_shared(&bar[1])};
  if (t == 0) {
    for (int s = 0; s < 2; s++) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bars[s]));
    asm volatile("fence.proxy.async.shared::cta;");
  }
  __syncthreads();
  auto fetch = [&](int i) {
    uint32_t dst = (uint32_t)__cvta_generic_to_shared(tile[i & 1]);
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bars[i & 1]), "r"(4096));
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(dst),
                 "l"(in + i * 1024), "r"(4096), "r"(bars[i & 1]) : "memory");
  };
  if (t == 0) fetch(0);
  float sum = 0;
  for (int i = 0; i < tiles; i++) {
    if (t == 0 && i + 1 < tiles) fetch(i + 1);
    wait_parity(&bar[i & 1], (i >> 1) & 1);
    for (int j = t; j < 1024; j += blockDim.x) sum += tile[i & 1][j];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}

__global__ void cuda_barrier_bulk(const int* in, int* out) {
  __shared__ alignas(128) int tile[1024];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  }
  __syncthreads();
  cuda::barrier<cuda::thread_scope_block>::arrival_token token;
  if (threadIdx.x == 0) {
    cuda::device::memcpy_async_tx(tile, in + blockIdx.x * 1024, cuda::aligned_size_t<16>(sizeof(tile)), bar);
    token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(tile));
  } else {
    token = bar.arrive();
  }
  bar.wait(std::move(token));
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) tile[i] += i;
  cuda::ptx::fence_proxy_async(cuda::ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::ptx::cp_async_bulk(cuda::ptx::space_global, cuda::ptx::space_shared, out + blockIdx.x * 1024, tile, sizeof(tile));
    cuda::ptx::cp_async_bulk_commit_group();
    cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>());
  }
}

// A histogram over the shared memory of two blocks.
__global__ void __cluster_dims__(2, 1, 1) cluster_histogram(int* bins, const int* in, int n) {
  __shared__ int local[512];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < 512; i += blockDim.x) local[i] = 0;
  cluster.sync();
  for (int i = cg::this_grid().thread_rank(); i < n; i += blockDim.x * gridDim.x) {
    int bin = in[i] & 1023;
    int* there = cluster.map_shared_rank(local, bin / 512);
    atomicAdd(there + bin % 512, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < 512; i += blockDim.x) atomicAdd(&bins[cluster.block_rank() * 512 + i], local[i]);
}
