// What ../cuda_subset.h leaves out of CUDA and the kernels of the suite use, for a clang without a toolkit (it needs
// -target-feature +ptx60 for the warp operations). nvcc knows these names; for it this file is empty.
#pragma once

#include "../cuda_subset.h"

#if defined(__clang__) && !defined(__NVCC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned int x, y, z, w;
};
struct __attribute__((aligned(4))) uchar4 {
  unsigned char x, y, z, w;
};

__device__ __forceinline__ float2 make_float2(float x, float y) { return {x, y}; }
__device__ __forceinline__ float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
__device__ __forceinline__ uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
  return {x, y, z, w};
}

#define SUBSET_SHUFFLE(name, mode, clamp)                                                        \
  template <typename T>                                                                          \
  __device__ __forceinline__ T name(unsigned int mask, T value, unsigned int lane) {             \
    unsigned int result;                                                                         \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, " clamp ", %3;"                             \
                 : "=r"(result)                                                                  \
                 : "r"(__builtin_bit_cast(unsigned int, value)), "r"(lane), "r"(mask));          \
    return __builtin_bit_cast(T, result);                                                        \
  }
SUBSET_SHUFFLE(__shfl_sync, "idx", "31")
SUBSET_SHUFFLE(__shfl_xor_sync, "bfly", "31")
SUBSET_SHUFFLE(__shfl_up_sync, "up", "0")
SUBSET_SHUFFLE(subset_shuffle_down, "down", "31")
#undef SUBSET_SHUFFLE
__device__ __forceinline__ int __shfl_down_sync(unsigned int mask, int value, unsigned int delta) {
  return subset_shuffle_down(mask, value, delta);
}
__device__ __forceinline__ unsigned int __ballot_sync(unsigned int mask, bool vote) {
  unsigned int result;
  asm volatile(
      "{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
      : "=r"(result)
      : "r"(static_cast<unsigned int>(vote)), "r"(mask));
  return result;
}
__device__ __forceinline__ void __syncwarp() { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

__device__ __forceinline__ int atomicMin(int* address, int value) { return __nvvm_atom_min_gen_i(address, value); }
__device__ __forceinline__ float atomicAdd(float* address, float value) {
  return __nvvm_atom_add_gen_f(address, value);
}
__device__ __forceinline__ unsigned int atomicCAS(unsigned int* address, unsigned int expected, unsigned int value) {
  return static_cast<unsigned int>(__nvvm_atom_cas_gen_i(reinterpret_cast<int*>(address), static_cast<int>(expected),
                                                         static_cast<int>(value)));
}

__device__ __forceinline__ float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
__device__ __forceinline__ float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
__device__ __forceinline__ float fabsf(float x) { return __builtin_fabsf(x); }
__device__ __forceinline__ float floorf(float x) { return __nvvm_floor_f(x); }
__device__ __forceinline__ float logf(float x) { return __nvvm_lg2_approx_f(x) * 0.69314718056f; }

#endif
