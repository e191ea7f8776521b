// More values live at once than there are registers.
extern "C" __global__ void spills(float* a) {
  float v[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) v[i] = a[threadIdx.x + 32 * i];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 32; ++i) a[threadIdx.x + 32 * i] = v[i] * v[(i + 1) % 32];
}
