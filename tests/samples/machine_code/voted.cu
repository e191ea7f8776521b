// SPDX-License-Identifier: GPL-3.0-or-later
// The first thread of a block, or of each warp, fetches tiles: ptxas asks whether any lane does.
//   nvcc -cubin -arch=sm_100 -o voted.sm_100.cubin voted.cu
__device__ void fetch(int* tile, const int* from, unsigned long long* bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 4096, [%2];" ::"r"(
                   (unsigned)__cvta_generic_to_shared(tile)),
               "l"(from), "r"((unsigned)__cvta_generic_to_shared(bar))
               : "memory");
}
template <int Of>
__device__ void copy_some(int* to, const int* from, int tiles) {
  __shared__ __align__(128) int tile[2][1024];
  __shared__ __align__(8) unsigned long long bar[2];
  int sum = 0;
  for (int i = 0; i < tiles; i++) {
    if (threadIdx.x % Of == 0 && i + 1 < tiles) fetch(tile[i & 1], from + i * 1024, &bar[i & 1]);
    __syncthreads();
    sum += tile[i & 1][threadIdx.x];
  }
  to[threadIdx.x] = sum;
}
extern "C" __global__ void by_block(int* to, const int* from, int tiles) { copy_some<1024>(to, from, tiles); }
extern "C" __global__ void by_warp(int* to, const int* from, int tiles) { copy_some<32>(to, from, tiles); }
// Which warps store is decided by votes whose answer is written over what is asked.
extern "C" __global__ void if_any(int* to) {
  if (__any_sync(~0u, threadIdx.x < 32)) to[threadIdx.x] = 1;
}
extern "C" __global__ void unless_all(int* to) {
  if (!__all_sync(~0u, threadIdx.x >= 32)) to[threadIdx.x] = 1;
}
extern "C" __global__ void unless_any(int* to) {
  if (!__any_sync(~0u, threadIdx.x < 32)) to[threadIdx.x] = 1;
}
extern "C" __global__ void if_any_of_each(int* to) {
  if (__any_sync(~0u, threadIdx.x % 32 == 1)) to[threadIdx.x] = 1;
}
