// Two blocks of 1,024 threads leave a thread 32 registers; the 40 sums alone need more.
extern "C" __global__ void __launch_bounds__(1024, 2) spills(float* out, const float* in, int rounds) {
  float sum[40];
#pragma unroll
  for (int i = 0; i < 40; i++) sum[i] = in[threadIdx.x + i * 1024];
  for (int round = 0; round < rounds; round++) {
#pragma unroll
    for (int i = 0; i < 40; i++) sum[i] = sum[i] * sum[(i + 7) % 40] + 1.0f;
  }
  float all = 0;
#pragma unroll
  for (int i = 0; i < 40; i++) all = all * sum[i] + sum[i];
  out[threadIdx.x] = all;
}
