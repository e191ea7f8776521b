// Matrix transposition through a 32 x 32 tile, once with a column of padding and once without: the same instructions,
// but without padding each read of a tile's column hits one bank 32 times.
#include "cuda_subset.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

template <int kPitch>
__device__ __forceinline__ void transpose_tile(const float* input, float* output, int width, int height) {
  __shared__ float tile[kTile * kPitch];

  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows) {
    tile[(threadIdx.y + row) * kPitch + threadIdx.x] = input[(y + row) * width + x];
  }
  __syncthreads();
  const int out_x = blockIdx.y * kTile + threadIdx.x;
  const int out_y = blockIdx.x * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kRows) {
    output[(out_y + row) * height + out_x] = tile[threadIdx.x * kPitch + threadIdx.y + row];
  }
}

extern "C" __global__ void transpose_conflicts(const float* input, float* output, int width, int height) {
  transpose_tile<kTile>(input, output, width, height);
}

extern "C" __global__ void transpose_padded(const float* input, float* output, int width, int height) {
  transpose_tile<kTile + 1>(input, output, width, height);
}
