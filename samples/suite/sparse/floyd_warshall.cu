// All shortest paths after Floyd and Warshall, the step for ways through vertex k.
#include "../suite_subset.h"

extern "C" __global__ void floyd_warshall(int* distances, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) {
    return;
  }
  const int through = distances[row * n + k] + distances[k * n + column];
  if (through < distances[row * n + column]) {
    distances[row * n + column] = through;
  }
}
