// The nearest of `clusters` centres for each point of `dimensions` coordinates.
#include "../suite_subset.h"

extern "C" __global__ void kmeans_assign(const float* points, const float* centres, int* nearest, int count,
                                         int clusters, int dimensions) {
  const int point = blockIdx.x * blockDim.x + threadIdx.x;
  if (point >= count) {
    return;
  }
  float least = 3.402823466e38f;
  int best = 0;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    float distance = 0.0f;
    for (int d = 0; d < dimensions; ++d) {
      const float difference = points[d * count + point] - centres[cluster * dimensions + d];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = cluster;
    }
  }
  nearest[point] = best;
}
