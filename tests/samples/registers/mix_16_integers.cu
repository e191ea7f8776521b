extern "C" __global__ void mix_16_integers(int* o, const int* a, int m) {
  int x[16];
  int t = threadIdx.x + blockIdx.x * blockDim.x;
#pragma unroll
  for (int i = 0; i < 16; i++) x[i] = a[t + i * 64];
  for (int j = 0; j < m; j++) {
    int v = a[t + j * 1024];
#pragma unroll
    for (int i = 0; i < 16; i++) x[i] = x[i] * v + x[(i + 7) % 16];
  }
#pragma unroll
  for (int i = 0; i < 16; i++) o[t + i * 64] = x[i];
}
