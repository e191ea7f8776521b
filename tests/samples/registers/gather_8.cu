extern "C" __global__ void gather_8(float* o, const float* __restrict__ a, const int* __restrict__ ix, int m) {
  int t = threadIdx.x;
  float s = 0;
  for (int j = t; j < m; j += 8 * 256) {
#pragma unroll
    for (int i = 0; i < 8; i++) s += a[ix[j + i * 256]];
  }
  o[t] = s;
}
