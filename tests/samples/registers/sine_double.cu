extern "C" __global__ void sine_double(double* o, const double* a, int m) {
  int t = threadIdx.x;
  double x = a[t], y = a[t + 32];
  for (int i = 0; i < m; i++) {
    x = sin(x);
    y += x;
  }
  o[t] = x + y;
}
