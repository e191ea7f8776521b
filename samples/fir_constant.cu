// A FIR filter of 64 taps in constant memory: every lane reads the same tap, so one read serves the warp. The block
// size is part of the code, so no --block is needed.
#include "cuda_subset.h"

constexpr int kTaps = 64;
constexpr int kBlock = 128;

__constant__ float coefficients[kTaps];

extern "C" __global__ void __launch_bounds__(kBlock) fir_constant(const float* signal, float* filtered) {
  __shared__ float window[kBlock + kTaps];

  const int start = blockIdx.x * kBlock;
  for (int i = threadIdx.x; i < kBlock + kTaps; i += kBlock) {
    window[i] = signal[start + i];
  }
  __syncthreads();
  float sum = 0.0f;
  for (int tap = 0; tap < kTaps; ++tap) {
    sum += coefficients[tap] * window[threadIdx.x + tap];
  }
  filtered[start + threadIdx.x] = sum;
}
