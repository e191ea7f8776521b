// The few CUDA names the samples use, for a clang that has no CUDA toolkit at hand:
//   clang++ -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_20 -S saxpy.cu
// nvcc, and clang with a toolkit, know these names already; for them this file is empty.
#pragma once

#if defined(__clang__) && !defined(__NVCC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __attribute__((always_inline)) inline
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

// A special register as a read-only member: reading threadIdx.x calls the getter, nothing is stored.
#define SUBSET_SPECIAL_REGISTER(member, builtin)                 \
  __declspec(property(get = read_##member)) unsigned int member; \
  static inline __attribute__((device, always_inline)) unsigned int read_##member() { return builtin; }

#define SUBSET_INDEX(name, registers)                                  \
  struct Subset_##name {                                               \
    SUBSET_SPECIAL_REGISTER(x, __nvvm_read_ptx_sreg_##registers##_x()) \
    SUBSET_SPECIAL_REGISTER(y, __nvvm_read_ptx_sreg_##registers##_y()) \
    SUBSET_SPECIAL_REGISTER(z, __nvvm_read_ptx_sreg_##registers##_z()) \
  };                                                                   \
  extern const __device__ __attribute__((weak)) Subset_##name name;

SUBSET_INDEX(threadIdx, tid)
SUBSET_INDEX(blockIdx, ctaid)
SUBSET_INDEX(blockDim, ntid)
SUBSET_INDEX(gridDim, nctaid)

#undef SUBSET_INDEX
#undef SUBSET_SPECIAL_REGISTER

// __syncthreads() is a builtin of clang's NVPTX target.

__device__ __forceinline__ int atomicAdd(int* address, int value) { return __nvvm_atom_add_gen_i(address, value); }
__device__ __forceinline__ unsigned int atomicAdd(unsigned int* address, unsigned int value) {
  return static_cast<unsigned int>(__nvvm_atom_add_gen_i(reinterpret_cast<int*>(address), static_cast<int>(value)));
}
__device__ __forceinline__ int atomicMax(int* address, int value) { return __nvvm_atom_max_gen_i(address, value); }

// A shuffle of all lanes. Before sm_70 there is only the form without .sync; after it clang's builtin asks for a PTX
// version that clang chooses only if it finds a toolkit, so it is written out.
__device__ __forceinline__ float __shfl_down_sync([[maybe_unused]] unsigned int mask, float value, unsigned int delta) {
#if __CUDA_ARCH__ >= 700
  float result;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, %3;" : "=f"(result) : "f"(value), "r"(delta), "r"(mask));
  return result;
#else
  return __nvvm_shfl_down_f32(value, static_cast<int>(delta), 31);
#endif
}

// The approximations that the special function unit computes. Without a device library sinf, cosf and expf are these
// too.
__device__ __forceinline__ float __sinf(float x) { return __nvvm_sin_approx_f(x); }
__device__ __forceinline__ float __cosf(float x) { return __nvvm_cos_approx_f(x); }
__device__ __forceinline__ float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
__device__ __forceinline__ float sinf(float x) { return __sinf(x); }
__device__ __forceinline__ float cosf(float x) { return __cosf(x); }
__device__ __forceinline__ float expf(float x) { return __expf(x); }
__device__ __forceinline__ float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
__device__ __forceinline__ float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
__device__ __forceinline__ double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
__device__ __forceinline__ float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
__device__ __forceinline__ double fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
__device__ __forceinline__ int __popc(unsigned int x) { return __builtin_popcount(x); }

template <typename T>
__device__ __forceinline__ T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
__device__ __forceinline__ T max(T a, T b) {
  return a < b ? b : a;
}

#endif
