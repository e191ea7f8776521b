// A round of shortest paths after Bellman and Ford: every edge may shorten the way to its head.
#include "../suite_subset.h"

extern "C" __global__ void relax_edges(const int* tails, const int* heads, const int* lengths, int* distances,
                                       int edges) {
  for (int edge = blockIdx.x * blockDim.x + threadIdx.x; edge < edges; edge += blockDim.x * gridDim.x) {
    const int through = distances[tails[edge]] + lengths[edge];
    if (through < distances[heads[edge]]) {
      atomicMin(&distances[heads[edge]], through);
    }
  }
}
