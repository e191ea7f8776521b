// The kernels of the CUDA sample transpose (NVIDIA/cuda-samples, Samples/6_Performance/transpose), written anew with
// the same launches, accesses and arithmetic. Up to CUDA 12 a tile is 16 x 16 and a block has as many threads.

#ifndef TILE
#define TILE 16
#endif
constexpr int rows = 16;

struct Place {
  int x, y;
};

__device__ Place place(int block_x, int block_y) {
  return {block_x * TILE + static_cast<int>(threadIdx.x), block_y * TILE + static_cast<int>(threadIdx.y)};
}

template <int padding>
__device__ void through_shared(float* out, const float* in, int index_out, int index_in, int width, int height) {
  __shared__ float tile[TILE][TILE + padding];
  for (int i = 0; i < TILE; i += rows) {
    tile[threadIdx.y + i][threadIdx.x] = in[index_in + i * width];
  }
  __syncthreads();
  for (int i = 0; i < TILE; i += rows) {
    out[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
  }
}

extern "C" __global__ void simple_copy(float* out, const float* in, int width, int height) {
  const Place at = place(blockIdx.x, blockIdx.y);
  const int index = at.x + width * at.y;
  for (int i = 0; i < TILE; i += rows) {
    out[index + i * width] = in[index + i * width];
  }
}

// In the later form, whose tile has more rows than the block, both turns copy the same row.
extern "C" __global__ void shared_copy(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE];
  const Place at = place(blockIdx.x, blockIdx.y);
  const int index = at.x + width * at.y;
  for (int i = 0; i < TILE; i += rows) {
    if (at.x < width && at.y < height) {
      tile[threadIdx.y][threadIdx.x] = in[index];
    }
  }
  __syncthreads();
  for (int i = 0; i < TILE; i += rows) {
    if (at.x < height && at.y < width) {
      out[index] = tile[threadIdx.y][threadIdx.x];
    }
  }
}

extern "C" __global__ void naive(float* out, const float* in, int width, int height) {
  const Place at = place(blockIdx.x, blockIdx.y);
  const int index_in = at.x + width * at.y;
  const int index_out = at.y + height * at.x;
  for (int i = 0; i < TILE; i += rows) {
    out[index_out + i] = in[index_in + i * width];
  }
}

extern "C" __global__ void coalesced(float* out, const float* in, int width, int height) {
  const Place from = place(blockIdx.x, blockIdx.y);
  const Place to = place(blockIdx.y, blockIdx.x);
  through_shared<0>(out, in, to.x + to.y * height, from.x + from.y * width, width, height);
}

extern "C" __global__ void no_conflicts(float* out, const float* in, int width, int height) {
  const Place from = place(blockIdx.x, blockIdx.y);
  const Place to = place(blockIdx.y, blockIdx.x);
  through_shared<1>(out, in, to.x + to.y * height, from.x + from.y * width, width, height);
}

// The matrix is square here: blocks are numbered along diagonals.
extern "C" __global__ void diagonal(float* out, const float* in, int width, int height) {
  int block_x, block_y;
  if (width == height) {
    block_y = blockIdx.x;
    block_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    const int block = blockIdx.x + gridDim.x * blockIdx.y;
    block_y = block % gridDim.y;
    block_x = (block / gridDim.y + block_y) % gridDim.x;
  }
  const Place from = place(block_x, block_y);
  const Place to = place(block_y, block_x);
  through_shared<1>(out, in, to.x + to.y * height, from.x + from.y * width, width, height);
}

extern "C" __global__ void fine_grained(float* out, const float* in, int width, int height) {
  const Place at = place(blockIdx.x, blockIdx.y);
  const int index = at.x + at.y * width;
  through_shared<1>(out, in, index, index, width, height);
}

extern "C" __global__ void coarse_grained(float* out, const float* in, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  const Place from = place(blockIdx.x, blockIdx.y);
  const Place to = place(blockIdx.y, blockIdx.x);
  for (int i = 0; i < TILE; i += rows) {
    tile[threadIdx.y + i][threadIdx.x] = in[from.x + (from.y + i) * width];
  }
  __syncthreads();
  for (int i = 0; i < TILE; i += rows) {
    out[to.x + (to.y + i) * height] = tile[threadIdx.y + i][threadIdx.x];
  }
}
