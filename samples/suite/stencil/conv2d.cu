// Direct convolution of an image of several channels with 5 x 5 filters in constant memory; pixels outside are 0.
#include "../suite_subset.h"

constexpr int kRadius = 2;
constexpr int kSize = 2 * kRadius + 1;
constexpr int kMostChannels = 16;

__constant__ float filters[kMostChannels][kSize][kSize];

extern "C" __global__ void conv2d(const float* input, float* output, int channels, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) {
    return;
  }
  float sum = 0.0f;
  for (int channel = 0; channel < channels; ++channel) {
    for (int dy = -kRadius; dy <= kRadius; ++dy) {
      for (int dx = -kRadius; dx <= kRadius; ++dx) {
        const int column = x + dx;
        const int row = y + dy;
        if (column >= 0 && column < width && row >= 0 && row < height) {
          sum += filters[channel][dy + kRadius][dx + kRadius] * input[(channel * height + row) * width + column];
        }
      }
    }
  }
  output[y * width + x] = sum;
}
