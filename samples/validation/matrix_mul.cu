// The kernel of the CUDA sample matrixMul (NVIDIA/cuda-samples, Samples/0_Introduction/matrixMul), written anew with
// the same launch, accesses and arithmetic: C = A * B, a tile of 32 x 32 in shared memory, one result for each thread.

extern "C" __global__ void matrix_mul(float* c, const float* a, const float* b, int width_a, int width_b) {
  constexpr int tile = 32;
  const int column = threadIdx.x;
  const int row = threadIdx.y;
  const int first_a = width_a * tile * blockIdx.y;
  const int last_a = first_a + width_a - 1;
  float sum = 0;
  for (int i = first_a, k = tile * blockIdx.x; i <= last_a; i += tile, k += tile * width_b) {
    __shared__ float tile_a[tile][tile];
    __shared__ float tile_b[tile][tile];
    tile_a[row][column] = a[i + width_a * row + column];
    tile_b[row][column] = b[k + width_b * row + column];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < tile; ++j) {
      sum += tile_a[row][j] * tile_b[j][column];
    }
    __syncthreads();
  }
  c[width_b * tile * blockIdx.y + tile * blockIdx.x + width_b * row + column] = sum;
}
