// Inserts keys into a table with open addressing; a key that finds its place taken tries the next one. How often depends
// on the keys.
#include "../suite_subset.h"

constexpr unsigned int kEmpty = 0xffffffffu;

extern "C" __global__ void hash_insert(unsigned int* table, unsigned int capacity, const unsigned int* keys, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) {
    return;
  }
  const unsigned int key = keys[i];
  unsigned int place = key * 2654435761u % capacity;
  while (true) {
    const unsigned int old = atomicCAS(&table[place], kEmpty, key);
    if (old == kEmpty || old == key) {
      return;
    }
    place = (place + 1) % capacity;
  }
}
