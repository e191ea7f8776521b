// Brightness of coloured pixels.
#include "../suite_subset.h"

extern "C" __global__ void grayscale(const uchar4* pixels, unsigned char* grey, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {
    const uchar4 pixel = pixels[i];
    grey[i] = (77 * pixel.x + 150 * pixel.y + 29 * pixel.z) / 256;
  }
}
