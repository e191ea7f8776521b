extern "C" __global__ void divide_doubles(double* o, const double* a, int m) {
  int t = threadIdx.x;
  double x = a[t], y = a[t + 32];
  for (int i = 0; i < m; i++) {
    x = x / (y + 1.);
    y += x;
  }
  o[t] = x + y;
}
