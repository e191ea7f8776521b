// More values than registers: ptxas keeps some of them, the limit of the loop among them, in local memory.
extern "C" __global__ void __launch_bounds__(1024, 2) spilled(float* values, int turns) {
  float value[40];
#pragma unroll
  for (int i = 0; i < 40; ++i) value[i] = values[threadIdx.x + 32 * i];
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int i = 0; i < 40; ++i) value[i] = value[i] * value[(i * 7 + 3) % 40] + 1.0f;
  }
#pragma unroll
  for (int i = 0; i < 40; ++i) values[threadIdx.x + 32 * i] = value[i];
}
