// SPDX-License-Identifier: GPL-3.0-or-later
// Five lanes of each warp add the same words: ptxas elects one lane after another.
//   nvcc -cubin -arch=sm_90 -o elected.sm_90.cubin elected.cu
extern "C" __global__ void add_same(int* to) {
  __shared__ __align__(16) int words[64];
  words[threadIdx.x % 64] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x % 32 < 5) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 256;" ::"l"(to),
                 "r"((unsigned)__cvta_generic_to_shared(words))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
