// One pass of a radix sort by four bits. radix_count counts the digits of each block with atomics in shared memory;
// radix_scatter orders the keys of a block, bit by bit, and writes each digit's behind those of earlier blocks.
#include "../suite_subset.h"

constexpr int kDigits = 16;
constexpr int kBits = 4;
constexpr int kBlock = 256;

extern "C" __global__ void radix_count(const unsigned int* keys, unsigned int* counts, int n, int shift) {
  __shared__ unsigned int digits[kDigits];
  if (threadIdx.x < kDigits) {
    digits[threadIdx.x] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&digits[(keys[i] >> shift) % kDigits], 1u);
  }
  __syncthreads();
  if (threadIdx.x < kDigits) {
    counts[threadIdx.x * gridDim.x + blockIdx.x] = digits[threadIdx.x];
  }
}

extern "C" __global__ void __launch_bounds__(kBlock)
    radix_scatter(const unsigned int* keys, const unsigned int* offsets, unsigned int* sorted, int shift) {
  __shared__ unsigned int ordered[kBlock];
  __shared__ unsigned int warp_zeros[kBlock / 32];
  __shared__ unsigned int first_of_digit[kDigits];
  const unsigned int lane = threadIdx.x % 32;
  const unsigned int warp = threadIdx.x / 32;

  unsigned int key = keys[blockIdx.x * kBlock + threadIdx.x];
  for (int bit = 0; bit < kBits; ++bit) {
    const bool is_zero = (key >> (shift + bit)) % 2 == 0;
    const unsigned int zeros = __ballot_sync(0xffffffffu, is_zero);
    if (lane == 0) {
      warp_zeros[warp] = __popc(zeros);
    }
    __syncthreads();
    unsigned int before = __popc(zeros & ((1u << lane) - 1));
    unsigned int all = 0;
    for (unsigned int other = 0; other < kBlock / 32; ++other) {
      before += other < warp ? warp_zeros[other] : 0;
      all += warp_zeros[other];
    }
    ordered[is_zero ? before : all + threadIdx.x - before] = key;
    __syncthreads();
    key = ordered[threadIdx.x];
    __syncthreads();
  }
  const unsigned int digit = (key >> shift) % kDigits;
  if (threadIdx.x == 0 || (ordered[threadIdx.x - 1] >> shift) % kDigits != digit) {
    first_of_digit[digit] = threadIdx.x;
  }
  __syncthreads();
  sorted[offsets[digit * gridDim.x + blockIdx.x] + threadIdx.x - first_of_digit[digit]] = key;
}
