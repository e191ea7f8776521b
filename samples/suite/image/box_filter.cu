// Mean of 2 * radius + 1 pixels of each row: a thread goes along a row with a running sum.
#include "../suite_subset.h"

extern "C" __global__ void box_filter(const float* image, float* smooth, int width, int height, int radius) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) {
    return;
  }
  const float* row = image + y * width;
  const float scale = 1.0f / (2 * radius + 1);
  float sum = row[0] * radius;
  for (int x = 0; x <= radius; ++x) {
    sum += row[x];
  }
  for (int x = 0; x < width; ++x) {
    smooth[y * width + x] = sum * scale;
    sum += row[min(x + radius + 1, width - 1)] - row[max(x - radius, 0)];
  }
}
