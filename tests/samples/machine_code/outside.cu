// Calls of functions that are in no file, and through pointers.
#include <cstdio>
#include <cstdlib>

__global__ void report(const int* in, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (in[i] < 0) printf("%d of block %d\n", i, blockIdx.x);
  }
}

__global__ void allocate(int** out) {
  if (threadIdx.x == 0) *out = static_cast<int*>(malloc(64));
}

typedef float (*Operation)(float, float);
__device__ __noinline__ float add(float a, float b) { return a + b; }
__device__ __noinline__ float multiply(float a, float b) { return a * b; }
__device__ Operation operations[] = {add, multiply};

__global__ void apply(const float* in, float* out, int which) {
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum = operations[which](sum, in[i]);
  out[threadIdx.x] = sum;
}
