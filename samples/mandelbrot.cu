// Lanes leave the loop at different turns; the warp goes on until the last has left. The worst case is `limit` turns.
#include "cuda_subset.h"

extern "C" __global__ void mandelbrot(int* turns, int width, int height, float scale, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  const float real = scale * (x - width / 2);
  const float imaginary = scale * (y - height / 2);
  float a = 0.0f;
  float b = 0.0f;
  int turn = 0;
  for (; turn < limit; ++turn) {
    const float a_squared = a * a;
    const float b_squared = b * b;
    if (a_squared + b_squared > 4.0f) {
      break;
    }
    b = 2.0f * a * b + imaginary;
    a = a_squared - b_squared + real;
  }
  turns[y * width + x] = turn;
}
