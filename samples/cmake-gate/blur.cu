// Each block blurs rows of an image. blur reads neighbouring pixels with neighbouring threads; blur_strided does the
// same work with a row for each thread, so that every access of a warp falls into 32 lines of memory.
#ifdef __clang__
#include "../cuda_subset.h"
#endif

extern "C" __global__ void __launch_bounds__(128) blur(const float* in, float* out, int width, int height) {
  for (int y = blockIdx.x; y < height; y += gridDim.x) {
    for (int x = threadIdx.x + 1; x < width - 1; x += 128) {
      const float* pixel = in + y * width + x;
      out[y * width + x] = 0.25f * pixel[-1] + 0.5f * pixel[0] + 0.25f * pixel[1];
    }
  }
}

extern "C" __global__ void __launch_bounds__(128) blur_strided(const float* in, float* out, int width, int height) {
  for (int y = blockIdx.x * 128 + threadIdx.x; y < height; y += gridDim.x * 128) {
    for (int x = 1; x < width - 1; ++x) {
      const float* pixel = in + y * width + x;
      out[y * width + x] = 0.25f * pixel[-1] + 0.5f * pixel[0] + 0.25f * pixel[1];
    }
  }
}
