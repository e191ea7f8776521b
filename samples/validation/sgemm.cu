// C = alpha * A * B + beta * C as in siboehm/SGEMM_CUDA, src/kernels/1 to 6, written anew with the same launches,
// accesses and arithmetic: from one result for each thread to tiles of 8 x 8 and loads of 16 bytes.

// Kernel 1: threads of a warp have results of one column.
extern "C" __global__ void sgemm_naive(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
                                       float* c) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < m && y < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += a[x * k + i] * b[i * n + y];
    }
    c[x * n + y] = alpha * sum + beta * c[x * n + y];
  }
}

// Kernel 2: threads of a warp have results of one row.
extern "C" __global__ void sgemm_coalesced(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
                                           float* c) {
  const int row = blockIdx.x * 32 + threadIdx.x / 32;
  const int column = blockIdx.y * 32 + threadIdx.x % 32;
  if (row < m && column < n) {
    float sum = 0;
    for (int i = 0; i < k; ++i) {
      sum += a[row * k + i] * b[i * n + column];
    }
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
  }
}

// Kernel 3: tiles of 32 x 32 in shared memory.
extern "C" __global__ void sgemm_shared(int m, int n, int k, float alpha, const float* a, const float* b, float beta,
                                        float* c) {
  constexpr int tile = 32;
  __shared__ float tile_a[tile * tile];
  __shared__ float tile_b[tile * tile];
  const unsigned column = threadIdx.x % tile;
  const unsigned row = threadIdx.x / tile;
  a += blockIdx.x * tile * k;
  b += blockIdx.y * tile;
  c += blockIdx.x * tile * n + blockIdx.y * tile;
  float sum = 0;
  for (int i = 0; i < k; i += tile) {
    tile_a[row * tile + column] = a[row * k + column];
    tile_b[row * tile + column] = b[row * n + column];
    __syncthreads();
    a += tile;
    b += tile * n;
    for (int j = 0; j < tile; ++j) {
      sum += tile_a[row * tile + j] * tile_b[j * tile + column];
    }
    __syncthreads();
  }
  c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

// Kernel 4: 64 x 64 results of a block, a column of 8 for each thread.
extern "C" __global__ void sgemm_column_of_8(int m, int n, int k, float alpha, const float* a, const float* b,
                                             float beta, float* c) {
  constexpr int side = 64, depth = 8, results = 8;
  __shared__ float tile_a[side * depth];
  __shared__ float tile_b[depth * side];
  const int column = threadIdx.x % side;
  const int row = threadIdx.x / side;
  a += blockIdx.y * side * k;
  b += blockIdx.x * side;
  c += blockIdx.y * side * n + blockIdx.x * side;
  const unsigned column_a = threadIdx.x % depth, row_a = threadIdx.x / depth;
  const unsigned column_b = threadIdx.x % side, row_b = threadIdx.x / side;
  float sums[results] = {};
  for (unsigned i = 0; i < k; i += depth) {
    tile_a[row_a * depth + column_a] = a[row_a * k + column_a];
    tile_b[row_b * side + column_b] = b[row_b * n + column_b];
    __syncthreads();
    a += depth;
    b += depth * n;
    for (unsigned j = 0; j < depth; ++j) {
      const float of_b = tile_b[j * side + column];
      for (unsigned r = 0; r < results; ++r) {
        sums[r] += tile_a[(row * results + r) * depth + j] * of_b;
      }
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < results; ++r) {
    c[(row * results + r) * n + column] = alpha * sums[r] + beta * c[(row * results + r) * n + column];
  }
}

// Kernel 5: side x side results of a block, 8 x 8 for each thread, loads of 4 bytes.
template <int side>
__device__ void square_of_8(int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  constexpr int depth = 8, of_thread = 8;
  constexpr int threads = side * side / (of_thread * of_thread);
  __shared__ float tile_a[side * depth];
  __shared__ float tile_b[depth * side];
  const int column = threadIdx.x % (side / of_thread);
  const int row = threadIdx.x / (side / of_thread);
  const unsigned row_a = threadIdx.x / depth, column_a = threadIdx.x % depth;
  const unsigned row_b = threadIdx.x / side, column_b = threadIdx.x % side;
  float sums[of_thread * of_thread] = {};
  float of_a[of_thread] = {};
  float of_b[of_thread] = {};
  for (unsigned i = 0; i < k; i += depth) {
    for (unsigned r = 0; r < side; r += threads / depth) {
      tile_a[(row_a + r) * depth + column_a] = a[(row_a + r) * k + column_a];
    }
    for (unsigned r = 0; r < depth; r += threads / side) {
      tile_b[(row_b + r) * side + column_b] = b[(row_b + r) * n + column_b];
    }
    __syncthreads();
    a += depth;
    b += depth * n;
    for (unsigned j = 0; j < depth; ++j) {
      for (unsigned r = 0; r < of_thread; ++r) {
        of_a[r] = tile_a[(row * of_thread + r) * depth + j];
      }
      for (unsigned s = 0; s < of_thread; ++s) {
        of_b[s] = tile_b[j * side + column * of_thread + s];
      }
      for (unsigned r = 0; r < of_thread; ++r) {
        for (unsigned s = 0; s < of_thread; ++s) {
          sums[r * of_thread + s] += of_a[r] * of_b[s];
        }
      }
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < of_thread; ++r) {
    for (unsigned s = 0; s < of_thread; ++s) {
      float& result = c[(row * of_thread + r) * n + column * of_thread + s];
      result = alpha * sums[r * of_thread + s] + beta * result;
    }
  }
}

extern "C" __global__ void __launch_bounds__(256, 1)
    sgemm_square_of_8(int m, int n, int k, float alpha, const float* a, const float* b, float beta, float* c) {
  square_of_8<128>(n, k, alpha, a + blockIdx.y * 128 * k, b + blockIdx.x * 128, beta,
                   c + blockIdx.y * 128 * n + blockIdx.x * 128);
}

// The tile of annanyapr/Fast-CUDA-Kernels, GEMM/gemm_memory_blocktiling.cu: rows of blocks along x.
extern "C" __global__ void sgemm_square_of_8_in_64(int m, int n, int k, float alpha, const float* a, const float* b,
                                                   float beta, float* c) {
  square_of_8<64>(n, k, alpha, a + blockIdx.x * 64 * k, b + blockIdx.y * 64, beta,
                  c + blockIdx.x * 64 * n + blockIdx.y * 64);
}

// Kernel 6: the same with loads of 16 bytes, A transposed on its way to shared memory.
extern "C" __global__ void sgemm_vectors(int m, int n, int k, float alpha, float* a, float* b, float beta, float* c) {
  constexpr int side = 128, depth = 8, of_thread = 8;
  __shared__ float tile_a[side * depth];
  __shared__ float tile_b[depth * side];
  const int column = threadIdx.x % (side / of_thread);
  const int row = threadIdx.x / (side / of_thread);
  a += blockIdx.y * side * k;
  b += blockIdx.x * side;
  c += blockIdx.y * side * n + blockIdx.x * side;
  const unsigned row_a = threadIdx.x / (depth / 4), column_a = threadIdx.x % (depth / 4);
  const unsigned row_b = threadIdx.x / (side / 4), column_b = threadIdx.x % (side / 4);
  float sums[of_thread * of_thread] = {};
  float of_a[of_thread] = {};
  float of_b[of_thread] = {};
  for (unsigned i = 0; i < k; i += depth) {
    const float4 part = reinterpret_cast<float4*>(&a[row_a * k + column_a * 4])[0];
    tile_a[(column_a * 4 + 0) * side + row_a] = part.x;
    tile_a[(column_a * 4 + 1) * side + row_a] = part.y;
    tile_a[(column_a * 4 + 2) * side + row_a] = part.z;
    tile_a[(column_a * 4 + 3) * side + row_a] = part.w;
    reinterpret_cast<float4*>(&tile_b[row_b * side + column_b * 4])[0] =
        reinterpret_cast<float4*>(&b[row_b * n + column_b * 4])[0];
    __syncthreads();
    a += depth;
    b += depth * n;
    for (unsigned j = 0; j < depth; ++j) {
      for (unsigned r = 0; r < of_thread; ++r) {
        of_a[r] = tile_a[j * side + row * of_thread + r];
      }
      for (unsigned s = 0; s < of_thread; ++s) {
        of_b[s] = tile_b[j * side + column * of_thread + s];
      }
      for (unsigned r = 0; r < of_thread; ++r) {
        for (unsigned s = 0; s < of_thread; ++s) {
          sums[r * of_thread + s] += of_a[r] * of_b[s];
        }
      }
    }
    __syncthreads();
  }
  for (unsigned r = 0; r < of_thread; ++r) {
    for (unsigned s = 0; s < of_thread; s += 4) {
      float4& result = reinterpret_cast<float4*>(&c[(row * of_thread + r) * n + column * of_thread + s])[0];
      float4 value = result;
      value.x = alpha * sums[r * of_thread + s] + beta * value.x;
      value.y = alpha * sums[r * of_thread + s + 1] + beta * value.y;
      value.z = alpha * sums[r * of_thread + s + 2] + beta * value.z;
      value.w = alpha * sums[r * of_thread + s + 3] + beta * value.w;
      result = value;
    }
  }
}
