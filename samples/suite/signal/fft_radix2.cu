// Fourier transforms of 1024 complex numbers, one for each block, radix 2 in shared memory. Twiddle factors are read
// from a table of 512.
#include "../suite_subset.h"

constexpr int kPoints = 1024;
constexpr int kBits = 10;

extern "C" __global__ void __launch_bounds__(kPoints / 2)
    fft_radix2(const float2* input, float2* output, const float2* twiddles) {
  __shared__ float2 points[kPoints];
  const float2* signal = input + blockIdx.x * kPoints;
  for (unsigned int i = threadIdx.x; i < kPoints; i += blockDim.x) {
    unsigned int reversed = 0;
    for (int bit = 0; bit < kBits; ++bit) {
      reversed |= (i >> bit) % 2 << (kBits - 1 - bit);
    }
    points[reversed] = signal[i];
  }
  __syncthreads();
  for (int half = 1; half < kPoints; half *= 2) {
    const int place = threadIdx.x % half;
    const int first = (threadIdx.x - place) * 2 + place;
    const float2 twiddle = twiddles[place * (kPoints / 2 / half)];
    const float2 even = points[first];
    const float2 odd = points[first + half];
    const float2 turned = make_float2(odd.x * twiddle.x - odd.y * twiddle.y, odd.x * twiddle.y + odd.y * twiddle.x);
    points[first] = make_float2(even.x + turned.x, even.y + turned.y);
    points[first + half] = make_float2(even.x - turned.x, even.y - turned.y);
    __syncthreads();
  }
  for (unsigned int i = threadIdx.x; i < kPoints; i += blockDim.x) {
    output[blockIdx.x * kPoints + i] = points[i];
  }
}
