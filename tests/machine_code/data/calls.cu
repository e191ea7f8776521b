// Functions that ptxas leaves alone without optimization: scripts/make-machine-code.

__device__ __noinline__ int step(int value, int by) { return (value ^ by) + (value & 3); }

// Lanes leave the loop at different turns, and call in it.
__device__ __noinline__ int walk(const int* values, int from, int most) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < most; ++i) {
    const int value = values[(from + i) & 63];
    if (value % 5 == 0) break;
    sum += step(value, i + 1);
  }
  return sum;
}

extern "C" __global__ void calls(const int* values, int* out, int n) {
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    if (values[(threadIdx.x + i) & 63] & 1) sum += walk(values, threadIdx.x * 3 + i, 6);
    sum = step(sum, 2);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
