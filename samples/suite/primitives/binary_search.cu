// For each key the first place of a sorted array that is not less.
#include "../suite_subset.h"

extern "C" __global__ void binary_search(const int* sorted, int count, const int* keys, int* places, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int key = keys[i];
    int low = 0;
    int high = count;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (sorted[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    places[i] = low;
  }
}
