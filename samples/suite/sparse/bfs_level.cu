// One level of a breadth-first search: each vertex of the last level gives its neighbours that nobody has reached this
// level. How many neighbours a vertex has stands in memory.
#include "../suite_subset.h"

extern "C" __global__ void bfs_level(const int* starts, const int* neighbours, int* levels, int* changed, int level,
                                     int vertices) {
  const int vertex = blockIdx.x * blockDim.x + threadIdx.x;
  if (vertex >= vertices || levels[vertex] != level) {
    return;
  }
  for (int edge = starts[vertex]; edge < starts[vertex + 1]; ++edge) {
    const int neighbour = neighbours[edge];
    if (levels[neighbour] < 0) {
      levels[neighbour] = level + 1;
      *changed = 1;
    }
  }
}
