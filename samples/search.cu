// Each thread looks for the first match of a key in its own row: returns from inside the loop, and skips holes.
#include "cuda_subset.h"

extern "C" __global__ void search(const int* table, int* position, int key, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) {
    return;
  }
  for (int column = 0; column < columns; ++column) {
    const int entry = table[column * rows + row];
    if (entry < 0) {
      continue;
    }
    if (entry == key) {
      position[row] = column;
      return;
    }
    if (entry > key) {
      break;
    }
  }
  position[row] = -1;
}
