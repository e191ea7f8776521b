// splitmix64: two multiplications by constants of 64 bits and an addition of one, in a loop and in a function of it.
__device__ unsigned long long mix(unsigned long long z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

extern "C" __global__ void splitmix(unsigned long long* s, int n) {
  unsigned long long x = s[threadIdx.x], sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    x += 0x9e3779b97f4a7c15ULL;
    sum = sum * 0x5851f42d4c957f2dULL + mix(x) + 0x14057b7ef767814fULL;
    sum = mix(sum) * 3 + 0x2545f4914f6cdd1dULL;
  }
  s[threadIdx.x] = sum;
}
