// Median of 3 x 3 pixels by a sorting network in registers.
#include "../suite_subset.h"

__device__ __forceinline__ void order(unsigned char& a, unsigned char& b) {
  const unsigned char less = min(a, b);
  b = max(a, b);
  a = less;
}

extern "C" __global__ void median(const unsigned char* image, unsigned char* smooth, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) {
    return;
  }
  unsigned char p[9];
  for (int i = 0; i < 9; ++i) {
    p[i] = image[(y + i / 3 - 1) * width + x + i % 3 - 1];
  }
  order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
  order(p[0], p[1]); order(p[3], p[4]); order(p[6], p[7]);
  order(p[1], p[2]); order(p[4], p[5]); order(p[7], p[8]);
  order(p[0], p[3]); order(p[5], p[8]); order(p[4], p[7]);
  order(p[3], p[6]); order(p[1], p[4]); order(p[2], p[5]);
  order(p[4], p[7]); order(p[4], p[2]); order(p[6], p[4]);
  order(p[4], p[2]);
  smooth[y * width + x] = p[4];
}
