// A step of Conway's game of life on a torus.
#include "../suite_subset.h"

extern "C" __global__ void life_step(const unsigned char* before, unsigned char* after, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) {
        alive += before[(y + dy + height) % height * width + (x + dx + width) % width];
      }
    }
  }
  after[y * width + x] = alive == 3 || (alive == 2 && before[y * width + x] != 0);
}
