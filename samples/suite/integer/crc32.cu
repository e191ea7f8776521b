// CRC-32 of messages of `length` bytes, a thread a message, with a table of 256 words in shared memory.
#include "../suite_subset.h"

extern "C" __global__ void crc32(const unsigned char* messages, unsigned int* sums, int count, int length) {
  __shared__ unsigned int table[256];
  for (unsigned int i = threadIdx.x; i < 256; i += blockDim.x) {
    unsigned int entry = i;
    for (int bit = 0; bit < 8; ++bit) {
      entry = entry % 2 != 0 ? entry >> 1 ^ 0xedb88320u : entry >> 1;
    }
    table[i] = entry;
  }
  __syncthreads();
  const int message = blockIdx.x * blockDim.x + threadIdx.x;
  if (message >= count) {
    return;
  }
  unsigned int sum = 0xffffffffu;
  for (int i = 0; i < length; ++i) {
    sum = table[(sum ^ messages[message * length + i]) & 0xff] ^ sum >> 8;
  }
  sums[message] = ~sum;
}
