extern "C" __global__ void sort_16(int* a) {
  int x[16];
  int t = threadIdx.x * 16;
#pragma unroll
  for (int i = 0; i < 16; i++) x[i] = a[t + i];
#pragma unroll
  for (int p = 0; p < 16; p++)
#pragma unroll
    for (int i = (p & 1); i + 1 < 16; i += 2) {
      int lo = min(x[i], x[i + 1]), hi = max(x[i], x[i + 1]);
      x[i] = lo;
      x[i + 1] = hi;
    }
#pragma unroll
  for (int i = 0; i < 16; i++) a[t + i] = x[i];
}
