#include <cuda_runtime.h>
#include "helper.cuh"
__device__ __forceinline__ int clampi(int v, int n) {
  return min(max(v, 0), n - 1);
}
extern "C" __global__ void sobel(const unsigned char* in, int* out, unsigned w) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w) {
    int v = in[clampi(i - 1, w)] + helper(in[i]);
    atomicAdd(out, v);
  }
}
