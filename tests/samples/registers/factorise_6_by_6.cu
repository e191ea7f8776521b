extern "C" __global__ void factorise_6_by_6(float* o, const float* a) {
  float m[6][6];
  int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 36; i++) m[i / 6][i % 6] = a[t + i * 64];
#pragma unroll
  for (int k = 0; k < 6; k++) {
    float r = __frcp_rn(m[k][k]);
#pragma unroll
    for (int i = k + 1; i < 6; i++) {
      m[i][k] *= r;
#pragma unroll
      for (int j = k + 1; j < 6; j++) m[i][j] -= m[i][k] * m[k][j];
    }
  }
#pragma unroll
  for (int i = 0; i < 36; i++) o[t + i * 64] = m[i / 6][i % 6];
}
