// Edges of a grey image: the length of the gradient after Sobel, border pixels repeated.
#include "../suite_subset.h"

__device__ float pixel(const unsigned char* image, int x, int y, int width, int height) {
  x = min(max(x, 0), width - 1);
  y = min(max(y, 0), height - 1);
  return image[y * width + x];
}

extern "C" __global__ void sobel(const unsigned char* image, unsigned char* edges, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  float horizontal = 0.0f;
  float vertical = 0.0f;
  for (int d = -1; d <= 1; ++d) {
    const float weight = d == 0 ? 2.0f : 1.0f;
    horizontal += weight * (pixel(image, x + 1, y + d, width, height) - pixel(image, x - 1, y + d, width, height));
    vertical += weight * (pixel(image, x + d, y + 1, width, height) - pixel(image, x + d, y - 1, width, height));
  }
  const float length = sqrtf(horizontal * horizontal + vertical * vertical);
  edges[y * width + x] = static_cast<unsigned char>(fminf(length, 255.0f));
}
