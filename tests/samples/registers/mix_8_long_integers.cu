extern "C" __global__ void mix_8_long_integers(long long* o, const long long* a, int m) {
  long long x[8];
  int t = threadIdx.x + blockIdx.x * blockDim.x;
#pragma unroll
  for (int i = 0; i < 8; i++) x[i] = a[t + i * 64];
  for (int j = 0; j < m; j++) {
    long long v = a[t + j * 1024];
#pragma unroll
    for (int i = 0; i < 8; i++) x[i] = x[i] * v + x[(i + 7) % 8];
  }
#pragma unroll
  for (int i = 0; i < 8; i++) o[t + i * 64] = x[i];
}
