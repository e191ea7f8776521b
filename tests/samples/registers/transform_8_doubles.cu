extern "C" __global__ void transform_8_doubles(double* o, const double* a) {
  double re[8], im[8];
  int t = threadIdx.x;
#pragma unroll
  for (int i = 0; i < 8; i++) {
    re[i] = a[t + 2 * i * 256];
    im[i] = a[t + (2 * i + 1) * 256];
  }
#pragma unroll
  for (int s = 1; s < 8; s *= 2)
#pragma unroll
    for (int i = 0; i < 8; i += 2 * s)
#pragma unroll
      for (int j = 0; j < s; j++) {
        double c = (double)(0.3 * j + 0.1 * s), d = (double)(0.7 * j - 0.2 * s);
        double xr = re[i + j + s] * c - im[i + j + s] * d, xi = re[i + j + s] * d + im[i + j + s] * c;
        re[i + j + s] = re[i + j] - xr;
        im[i + j + s] = im[i + j] - xi;
        re[i + j] += xr;
        im[i + j] += xi;
      }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    o[t + 2 * i * 256] = re[i];
    o[t + (2 * i + 1) * 256] = im[i];
  }
}
