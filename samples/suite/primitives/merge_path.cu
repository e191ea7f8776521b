// Merges two sorted arrays. Each thread finds where its diagonal crosses the path of the merge by a binary search, then
// merges eight numbers.
#include "../suite_subset.h"

constexpr int kItems = 8;

extern "C" __global__ void merge_path(const int* a, int a_count, const int* b, int b_count, int* merged) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * kItems;
  if (diagonal >= a_count + b_count) {
    return;
  }
  int low = max(0, diagonal - b_count);
  int high = min(diagonal, a_count);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  int i = low;
  int j = diagonal - low;
  for (int item = 0; item < kItems && diagonal + item < a_count + b_count; ++item) {
    const bool from_a = j >= b_count || (i < a_count && a[i] <= b[j]);
    merged[diagonal + item] = from_a ? a[i++] : b[j++];
  }
}
