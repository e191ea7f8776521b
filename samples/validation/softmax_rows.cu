// Softmax of rows as in annanyapr/Fast-CUDA-Kernels, softmax/softmax_shuffle_instructions.cu, written anew with the
// same launch, accesses and arithmetic: maximum and sum in one pass, a block for each row.

constexpr float lowest = -3.402823466e+38f;

__device__ void reduce(float& maximum, float& sum) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    const float other_maximum = __shfl_down_sync(0xffffffff, maximum, offset);
    const float other_sum = __shfl_down_sync(0xffffffff, sum, offset);
    const float larger = fmaxf(other_maximum, maximum);
    sum = sum * expf(maximum - larger) + other_sum * expf(other_maximum - larger);
    maximum = larger;
  }
}

extern "C" __global__ void softmax_rows(const float* matrix, float* result, size_t columns, size_t) {
  extern __shared__ float of_warps[];
  const size_t row = blockIdx.x;
  const size_t id = threadIdx.x;
  const size_t range = (columns + blockDim.x - 1) / blockDim.x;
  float maximum = matrix[row * columns + id];
  float sum = 1;
  for (int i = 1; i < range; ++i) {
    const int index = row * columns + i * blockDim.x + id;
    if (index < (row + 1) * columns) {
      const float larger = fmaxf(maximum, matrix[index]);
      sum = sum * expf(maximum - larger) + expf(matrix[index] - larger);
      maximum = larger;
    }
  }
  reduce(maximum, sum);
  const int warp = id / 32;
  const int lane = id % 32;
  if (lane == 0) {
    of_warps[2 * warp] = maximum;
    of_warps[2 * warp + 1] = sum;
  }
  __syncthreads();
  maximum = lowest;
  sum = 0;
  if (lane < blockDim.x / 32) {
    maximum = of_warps[2 * lane];
    sum = of_warps[2 * lane + 1];
  }
  reduce(maximum, sum);
  maximum = __shfl_sync(0xffffffff, maximum, 0);
  sum = __shfl_sync(0xffffffff, sum, 0);
  for (int i = 0; i < range; ++i) {
    const int index = row * columns + i * blockDim.x + id;
    if (index < (row + 1) * columns) {
      result[index] = expf(matrix[index] - maximum) / sum;
    }
  }
}
