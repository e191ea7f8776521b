// Ten rounds of a block cipher in the style of AES: four tables of 256 words, copied to shared memory; a thread a block
// of 16 bytes.
#include "../suite_subset.h"

constexpr int kRounds = 10;

extern "C" __global__ void table_rounds(const uint4* plain, uint4* cipher, const unsigned int* tables,
                                        const uint4* keys, int count) {
  __shared__ unsigned int t[4][256];
  for (int i = threadIdx.x; i < 4 * 256; i += blockDim.x) {
    t[i / 256][i % 256] = tables[i];
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) {
    return;
  }
  uint4 s = plain[i];
  for (int round = 0; round < kRounds; ++round) {
    const uint4 key = keys[round];
    uint4 next;
    next.x = t[0][s.x >> 24] ^ t[1][s.y >> 16 & 255] ^ t[2][s.z >> 8 & 255] ^ t[3][s.w & 255] ^ key.x;
    next.y = t[0][s.y >> 24] ^ t[1][s.z >> 16 & 255] ^ t[2][s.w >> 8 & 255] ^ t[3][s.x & 255] ^ key.y;
    next.z = t[0][s.z >> 24] ^ t[1][s.w >> 16 & 255] ^ t[2][s.x >> 8 & 255] ^ t[3][s.y & 255] ^ key.z;
    next.w = t[0][s.w >> 24] ^ t[1][s.x >> 16 & 255] ^ t[2][s.y >> 8 & 255] ^ t[3][s.z & 255] ^ key.w;
    s = next;
  }
  cipher[i] = s;
}
