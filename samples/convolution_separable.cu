// A separable filter of 17 taps over an image, as two kernels: rows, then columns. Each block keeps its part of the
// image and a border in shared memory; the taps are in constant memory. Width and height must be multiples of the
// tiles; reads beyond the image count as zero.
#include "cuda_subset.h"

constexpr int kRadius = 8;
constexpr int kTaps = 2 * kRadius + 1;

__constant__ float taps[kTaps];

// Rows: a block of 16 x 4 threads, four results a thread.
constexpr int kRowWidth = 16;
constexpr int kRowHeight = 4;
constexpr int kRowSteps = 4;

extern "C" __global__ void convolution_rows(const float* image, float* result, int width) {
  __shared__ float tile[kRowHeight][(kRowSteps + 2) * kRowWidth];

  const int y = blockIdx.y * kRowHeight + threadIdx.y;
  const int first = blockIdx.x * kRowSteps * kRowWidth - kRowWidth + threadIdx.x;
  for (int step = 0; step < kRowSteps + 2; ++step) {
    const int x = first + step * kRowWidth;
    tile[threadIdx.y][step * kRowWidth + threadIdx.x] = x >= 0 && x < width ? image[y * width + x] : 0.0f;
  }
  __syncthreads();
  for (int step = 1; step <= kRowSteps; ++step) {
    float sum = 0.0f;
    for (int tap = -kRadius; tap <= kRadius; ++tap) {
      sum += taps[kRadius - tap] * tile[threadIdx.y][step * kRowWidth + threadIdx.x + tap];
    }
    result[y * width + first + step * kRowWidth] = sum;
  }
}

// Columns: a block of 16 x 8 threads, four results a thread.
constexpr int kColumnWidth = 16;
constexpr int kColumnHeight = 8;
constexpr int kColumnSteps = 4;

extern "C" __global__ void convolution_columns(const float* image, float* result, int width, int height) {
  __shared__ float tile[kColumnWidth][(kColumnSteps + 2) * kColumnHeight + 1];

  const int x = blockIdx.x * kColumnWidth + threadIdx.x;
  const int first = blockIdx.y * kColumnSteps * kColumnHeight - kColumnHeight + threadIdx.y;
  for (int step = 0; step < kColumnSteps + 2; ++step) {
    const int y = first + step * kColumnHeight;
    tile[threadIdx.x][step * kColumnHeight + threadIdx.y] = y >= 0 && y < height ? image[y * width + x] : 0.0f;
  }
  __syncthreads();
  for (int step = 1; step <= kColumnSteps; ++step) {
    float sum = 0.0f;
    for (int tap = -kRadius; tap <= kRadius; ++tap) {
      sum += taps[kRadius - tap] * tile[threadIdx.x][step * kColumnHeight + threadIdx.y + tap];
    }
    result[(first + step * kColumnHeight) * width + x] = sum;
  }
}
