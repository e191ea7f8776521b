// A sum of damped sines at each sample: nearly every instruction goes to the special function unit.
#include "cuda_subset.h"

constexpr int kPartials = 32;

extern "C" __global__ void sfu(const float* amplitude, float* signal, float frequency, float damping, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  const float time = 0.001f * i;
  float sum = 0.0f;
  for (int partial = 1; partial <= kPartials; ++partial) {
    const float phase = frequency * partial * time;
    sum += amplitude[partial - 1] * __sinf(phase) * __expf(-damping * partial * time);
  }
  signal[i] = sum;
}
