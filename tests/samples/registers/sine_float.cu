extern "C" __global__ void sine_float(float* o, const float* a, int m) {
  int t = threadIdx.x;
  float x = a[t], y = a[t + 32];
  for (int i = 0; i < m; i++) {
    x = sinf(x);
    y += x;
  }
  o[t] = x + y;
}
