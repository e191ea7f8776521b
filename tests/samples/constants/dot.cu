// A filter whose taps are bytes: a dot product of four with a constant has no place for it.
extern "C" __global__ void dot(const int* in, int* out, int n) {
  int sum = 0, x = in[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    sum = __dp4a(x, 0x01020304, sum);
    sum = __dp4a(sum, 0x0f0e0d0c, x);
    x = __dp4a(0x7f3f1f0f, sum, 0x12345678);
    x += __umulhi(x, sum) + 77777;
  }
  out[threadIdx.x] = sum + x;
}
