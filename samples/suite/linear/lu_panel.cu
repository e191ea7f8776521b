// LU decomposition of a panel of 16 columns with partial pivoting, by one block: for each column the largest number
// below the diagonal is found in a tree, rows are swapped, and the columns to the right are updated.
#include "../suite_subset.h"

constexpr int kColumns = 16;
constexpr int kThreads = 256;

extern "C" __global__ void __launch_bounds__(kThreads) lu_panel(float* panel, int* pivots, int rows) {
  __shared__ float largest[kThreads];
  __shared__ int places[kThreads];

  for (int k = 0; k < kColumns; ++k) {
    float best = -1.0f;
    int place = k;
    for (int row = k + threadIdx.x; row < rows; row += kThreads) {
      const float size = fabsf(panel[row * kColumns + k]);
      if (size > best) {
        best = size;
        place = row;
      }
    }
    largest[threadIdx.x] = best;
    places[threadIdx.x] = place;
    __syncthreads();
    for (int half = kThreads / 2; half > 0; half /= 2) {
      if (threadIdx.x < half && largest[threadIdx.x + half] > largest[threadIdx.x]) {
        largest[threadIdx.x] = largest[threadIdx.x + half];
        places[threadIdx.x] = places[threadIdx.x + half];
      }
      __syncthreads();
    }
    const int pivot = places[0];
    if (threadIdx.x == 0) {
      pivots[k] = pivot;
    }
    if (threadIdx.x < kColumns && pivot != k) {
      const float swapped = panel[k * kColumns + threadIdx.x];
      panel[k * kColumns + threadIdx.x] = panel[pivot * kColumns + threadIdx.x];
      panel[pivot * kColumns + threadIdx.x] = swapped;
    }
    __syncthreads();
    const float diagonal = panel[k * kColumns + k];
    for (int row = k + 1 + threadIdx.x; row < rows; row += kThreads) {
      const float factor = panel[row * kColumns + k] / diagonal;
      panel[row * kColumns + k] = factor;
      for (int column = k + 1; column < kColumns; ++column) {
        panel[row * kColumns + column] -= factor * panel[k * kColumns + column];
      }
    }
    __syncthreads();
  }
}
