extern "C" __global__ void five_loops(int* o, const int* a, int n0, int n1, int n2, int n3, int n4) {
  int t = threadIdx.x;
  int s = 0;
  for (int i0 = 0; i0 < n0; i0++) {
    for (int i1 = 0; i1 < n1; i1++) {
      for (int i2 = 0; i2 < n2; i2++) {
        for (int i3 = 0; i3 < n3; i3++) {
          for (int i4 = 0; i4 < n4; i4++) {
            s += a[i0 * n0 + i1 * n1 + i2 * n2 + i3 * n3 + i4 * n4];
            s ^= i4;
          }
          s ^= i3;
        }
        s ^= i2;
      }
      s ^= i1;
    }
    s ^= i0;
  }
  o[t] = s;
}
