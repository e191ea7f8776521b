extern "C" __global__ void sixteen_arrays(float* o, const float* p0, const float* p1, const float* p2, const float* p3,
                                          const float* p4, const float* p5, const float* p6, const float* p7,
                                          const float* p8, const float* p9, const float* p10, const float* p11,
                                          const float* p12, const float* p13, const float* p14, const float* p15,
                                          int m) {
  int t = threadIdx.x + blockIdx.x * blockDim.x;
  float s = 0;
  for (int j = t; j < m; j += blockDim.x * gridDim.x) {
    s += p0[j] * p1[j + 0] + p1[j] * p2[j + 1] + p2[j] * p3[j + 2] + p3[j] * p4[j + 3] + p4[j] * p5[j + 4] +
         p5[j] * p6[j + 5] + p6[j] * p7[j + 6] + p7[j] * p8[j + 7] + p8[j] * p9[j + 8] + p9[j] * p10[j + 9] +
         p10[j] * p11[j + 10] + p11[j] * p12[j + 11] + p12[j] * p13[j + 12] + p13[j] * p14[j + 13] +
         p14[j] * p15[j + 14] + p15[j] * p0[j + 15];
  }
  o[t] = s;
}
