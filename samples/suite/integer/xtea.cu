// XTEA with 32 rounds, a thread a pair of words.
#include "../suite_subset.h"

extern "C" __global__ void xtea(unsigned int* words, const unsigned int* key, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) {
    return;
  }
  unsigned int a = words[2 * i];
  unsigned int b = words[2 * i + 1];
  unsigned int sum = 0;
  for (int round = 0; round < 32; ++round) {
    a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
    sum += 0x9e3779b9u;
    b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
  }
  words[2 * i] = a;
  words[2 * i + 1] = b;
}
