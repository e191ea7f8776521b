#pragma once
__device__ __forceinline__ int deeper(int v) { return __popc(v) * 3; }
__device__ __forceinline__ int helper(int v) {
  return deeper(v + 1) + 7;
}
