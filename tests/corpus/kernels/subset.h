// What samples/cuda_subset.h leaves out of CUDA and the kernels here use, for a clang without a toolkit. nvcc knows
// these names; for it this file is empty.
#pragma once

#if defined(__clang__) && !defined(__NVCC__) && !defined(__CLANG_CUDA_RUNTIME_WRAPPER_H__)

#include "../../../samples/cuda_subset.h"

struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};

struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned int x, y, z, w;
};

__device__ __forceinline__ int atomicMin(int* address, int value) { return __nvvm_atom_min_gen_i(address, value); }
__device__ __forceinline__ int atomicExch(int* address, int value) { return __nvvm_atom_xchg_gen_i(address, value); }
__device__ __forceinline__ int atomicCAS(int* address, int compare, int value) {
  return __nvvm_atom_cas_gen_i(address, compare, value);
}
__device__ __forceinline__ unsigned long long atomicCAS(unsigned long long* address, unsigned long long compare,
                                                        unsigned long long value) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(
      reinterpret_cast<long long*>(address), static_cast<long long>(compare), static_cast<long long>(value)));
}
__device__ __forceinline__ int atomicAnd(int* address, int value) { return __nvvm_atom_and_gen_i(address, value); }
__device__ __forceinline__ int atomicOr(int* address, int value) { return __nvvm_atom_or_gen_i(address, value); }
__device__ __forceinline__ int atomicXor(int* address, int value) { return __nvvm_atom_xor_gen_i(address, value); }
__device__ __forceinline__ unsigned int atomicInc(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_inc_gen_ui(address, limit);
}
__device__ __forceinline__ unsigned int atomicDec(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_dec_gen_ui(address, limit);
}
__device__ __forceinline__ float fabsf(float x) { return __builtin_fabsf(x); }
__device__ __forceinline__ double fabs(double x) { return __builtin_fabs(x); }
__device__ __forceinline__ int abs(int x) { return x < 0 ? -x : x; }
__device__ __forceinline__ float logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
__device__ __forceinline__ float powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
__device__ __forceinline__ float floorf(float x) { return __nvvm_floor_f(x); }
__device__ __forceinline__ float ceilf(float x) { return __nvvm_ceil_f(x); }
__device__ __forceinline__ float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
__device__ __forceinline__ float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
__device__ __forceinline__ double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
__device__ __forceinline__ double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
__device__ __forceinline__ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__device__ __forceinline__ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__device__ __forceinline__ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__device__ __forceinline__ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }

#endif
