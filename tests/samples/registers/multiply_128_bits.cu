extern "C" __global__ void multiply_128_bits(unsigned* o, const unsigned* a, const unsigned* b) {
  unsigned x[4], y[4], z[8] = {};
  int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    x[i] = a[t + i * 32];
    y[i] = b[t + i * 32];
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    unsigned long long c = 0;
#pragma unroll
    for (int j = 0; j < 4; j++) {
      c += (unsigned long long)x[i] * y[j] + z[i + j];
      z[i + j] = (unsigned)c;
      c >>= 32;
    }
    z[i + 4] = (unsigned)c;
  }
#pragma unroll
  for (int i = 0; i < 8; i++) o[t + i * 32] = z[i];
}
