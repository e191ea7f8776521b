// Reads of which it is certain how far they go, and some of which it is not.
#define KERNEL extern "C" __global__ void

KERNEL unrolled(float* out, const float* in) {
  float sum = 0;
  for (int i = 0; i < 4096; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}
KERNEL rolled(float* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 4096; ++i) sum += in[i];
  out[threadIdx.x] = sum;
}
KERNEL lanes(float* out, const float* in) {
  float sum = 0;
#pragma unroll 1
  for (int i = threadIdx.x; i < 4096; i += 64) sum += in[i];
  out[threadIdx.x] = sum;
}
KERNEL each(float* out, const float* in) { out[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x]; }
KERNEL strided(float* out, const float* in) { out[threadIdx.x] = in[(blockIdx.x * blockDim.x + threadIdx.x) * 8]; }
KERNEL fixed(float* out, const float* in) { out[threadIdx.x] = in[4095]; }
KERNEL before(float* out, const float* in) { out[threadIdx.x] = in[(int)threadIdx.x - 40]; }
KERNEL rows(float* out, const float* in, int n) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) sum += in[i * 64 + threadIdx.x];
  out[threadIdx.x] = sum;
}
KERNEL tail(float* out, const float* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
KERNEL perhaps(float* out, const float* in, int n) {
  float sum = 0;
  if (n > 5) {
#pragma unroll 1
    for (int i = 0; i < 4096; ++i) sum += in[i];
  }
  out[threadIdx.x] = sum;
}
KERNEL gather(float* out, const float* in, const int* index) { out[threadIdx.x] = in[index[threadIdx.x]]; }
KERNEL early(float* out, const float* in, const int* flag) {
  if (*flag) return;
  out[threadIdx.x] = in[threadIdx.x + 1000];
}
