// Pipelines of bulk copies, boxes of tensors, bulk reductions, and a sum over the shared memory of a cluster.
// nvcc sm_90
// nvcc sm_100
// nvcc sm_120
#include <cuda.h>
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
// Tiles of a vector through two buffers, scaled and written back in bulk groups.
__global__ void scale_tiles(float* data, int tiles, float by) {
  __shared__ alignas(128) float tile[2][1024];
  __shared__ alignas(8) uint64_t bar[2];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&bar[0], 1);
    ptx::mbarrier_init(&bar[1], 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  const int first = blockIdx.x * tiles;
  auto fetch = [&](int i) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar[i & 1], 4096);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile[i & 1], data + (first + i) * 1024, 4096, &bar[i & 1]);
  };
  if (threadIdx.x == 0 && tiles > 0) fetch(0);
  for (int i = 0; i < tiles; i++) {
    if (threadIdx.x == 0 && i + 1 < tiles) {
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
      fetch(i + 1);
    }
    while (!ptx::mbarrier_try_wait_parity(&bar[i & 1], (i >> 1) & 1)) {}
    for (int j = threadIdx.x; j < 1024; j += blockDim.x) tile[i & 1][j] *= by;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (threadIdx.x == 0) {
      ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, data + (first + i) * 1024, tile[i & 1], 4096);
      ptx::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0) ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
}
// Boxes of a matrix through a tensor map, there and back.
__global__ void negate_box(const __grid_constant__ CUtensorMap in, const __grid_constant__ CUtensorMap out) {
  __shared__ alignas(128) int box[32][32];
  __shared__ alignas(8) uint64_t bar;
  if (threadIdx.x == 0) { ptx::mbarrier_init(&bar, 1); ptx::fence_proxy_async(ptx::space_shared); }
  __syncthreads();
  const int32_t at[2] = {int(blockIdx.x) * 32, int(blockIdx.y) * 32};
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, sizeof(box));
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, box, &in, at, &bar);
  }
  while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {}
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) box[i / 32][i % 32] = -box[i / 32][i % 32];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &out, at, box);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
// Sums of blocks added to one vector by a bulk reduction.
__global__ void add_rows(int* sum, const int* rows, int n) {
  __shared__ alignas(16) int row[256];
  int own = 0;
  for (int i = blockIdx.x; i < n; i += gridDim.x) own += rows[i * 256 + threadIdx.x];
  row[threadIdx.x] = own;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sum, row, sizeof(row));
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
// A size that is an argument.
__global__ void store_some(float* out, int bytes) {
  extern __shared__ __align__(16) float buffer[];
  buffer[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out + blockIdx.x * 4096, buffer, bytes);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}
// Sums of four blocks in the shared memory of the first.
__global__ void __cluster_dims__(4, 1, 1) cluster_sum(float* out, const float* in, int n) {
  __shared__ float part[4];
  __shared__ float warp_sums[8];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) s += in[i];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; i++) s += warp_sums[i];
    uint32_t rank; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    uint32_t to; asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(to) : "r"((uint32_t)__cvta_generic_to_shared(&part[0])));
    asm volatile("st.shared::cluster.f32 [%0], %1;" ::"r"(to + 4 * rank), "f"(s) : "memory");
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  uint32_t rank; asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (rank == 0 && threadIdx.x == 0) out[blockIdx.x / 4] = part[0] + part[1] + part[2] + part[3];
}
