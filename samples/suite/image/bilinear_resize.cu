// An image of another size, each pixel between its four nearest.
#include "../suite_subset.h"

extern "C" __global__ void bilinear_resize(const float* image, float* resized, int width, int height, int new_width,
                                           int new_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_width || y >= new_height) {
    return;
  }
  const float from_x = fmaxf((x + 0.5f) * width / new_width - 0.5f, 0.0f);
  const float from_y = fmaxf((y + 0.5f) * height / new_height - 0.5f, 0.0f);
  const int left = static_cast<int>(from_x);
  const int top = static_cast<int>(from_y);
  const int right = min(left + 1, width - 1);
  const int bottom = min(top + 1, height - 1);
  const float u = from_x - left;
  const float v = from_y - top;
  const float above = image[top * width + left] * (1.0f - u) + image[top * width + right] * u;
  const float below = image[bottom * width + left] * (1.0f - u) + image[bottom * width + right] * u;
  resized[y * new_width + x] = above * (1.0f - v) + below * v;
}
