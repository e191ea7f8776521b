// Four kernels written so that peak bandwidth or peak issue is what limits them: few fat blocks that are resident
// together, and loads that are issued back to back before their first use.

// y = a * x + y, 4 elements of each for a thread.
extern "C" __global__ void __launch_bounds__(256) saxpy(float a, const float4* __restrict__ x, float4* __restrict__ y) {
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const float4 of_x = x[i];
  float4 of_y = y[i];
  of_y.x += a * of_x.x;
  of_y.y += a * of_x.y;
  of_y.z += a * of_x.z;
  of_y.w += a * of_x.w;
  y[i] = of_y;
}

// Softmax of rows of 1,024: a warp for each row, which stays in registers. Blocks of 32 x 4.
extern "C" __global__ void __launch_bounds__(128) softmax(const float4* __restrict__ in, float4* __restrict__ out) {
  constexpr int vectors = 1024 / 4 / 32;
  const unsigned first = (blockIdx.x * 4 + threadIdx.y) * 256 + threadIdx.x;
  float4 v[vectors];
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    v[i] = in[first + 32 * i];
  }
  float maximum = v[0].x;
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    maximum = fmaxf(fmaxf(fmaxf(maximum, v[i].x), fmaxf(v[i].y, v[i].z)), v[i].w);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    maximum = fmaxf(maximum, __shfl_xor_sync(0xffffffff, maximum, offset));
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    v[i].x = __expf(v[i].x - maximum);
    v[i].y = __expf(v[i].y - maximum);
    v[i].z = __expf(v[i].z - maximum);
    v[i].w = __expf(v[i].w - maximum);
    sum += (v[i].x + v[i].y) + (v[i].z + v[i].w);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  }
  const float scale = __fdividef(1.0f, sum);
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    v[i].x *= scale;
    v[i].y *= scale;
    v[i].z *= scale;
    v[i].w *= scale;
    out[first + 32 * i] = v[i];
  }
}

// Five points of a grid of 4,096 x 4,096 with a border: 4 columns and 8 rows for a thread, what is left and right of a
// thread's columns from the lanes beside it, and for the outer lanes from memory. Blocks of 32 x 4.
extern "C" __global__ void __launch_bounds__(128) stencil(const float* __restrict__ in, float* __restrict__ out) {
  constexpr int border = 32, pitch = 4096 + 2 * border, rows = 8;
  const int of_warp = blockIdx.x * 128 + border;
  const int x = of_warp + 4 * threadIdx.x;
  const int y = (blockIdx.y * 4 + threadIdx.y) * rows + 1;
  float4 middle[rows + 2];
  float before[rows], behind[rows];
#pragma unroll
  for (int r = 0; r < rows + 2; ++r) {
    middle[r] = *reinterpret_cast<const float4*>(&in[(y + r - 1) * pitch + x]);
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    before[r] = in[(y + r) * pitch + of_warp - 1];
    behind[r] = in[(y + r) * pitch + of_warp + 128];
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
    const float4 up = middle[r], at = middle[r + 1], down = middle[r + 2];
    const float of_lane_before = __shfl_up_sync(0xffffffff, at.w, 1);
    const float of_lane_behind = __shfl_down_sync(0xffffffff, at.x, 1);
    const float left = threadIdx.x == 0 ? before[r] : of_lane_before;
    const float right = threadIdx.x == 31 ? behind[r] : of_lane_behind;
    float4 result;
    result.x = 0.2f * (at.x + up.x + down.x + left + at.y);
    result.y = 0.2f * (at.y + up.y + down.y + at.x + at.z);
    result.z = 0.2f * (at.z + up.z + down.z + at.y + at.w);
    result.w = 0.2f * (at.w + up.w + down.w + at.z + right);
    *reinterpret_cast<float4*>(&out[(y + r) * pitch + x]) = result;
  }
}

// C = A * B, 1,024 x 1,024: 128 x 128 results for a block of 16 x 16, 8 x 8 for a thread. The next tile is on its way
// during the sums of a tile, and so are the operands of the next step.
extern "C" __global__ void __launch_bounds__(256)
    gemm(const float2* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ c) {
  constexpr int size = 1024, depth = 32, threads_y = 16, rows = 8 * threads_y, columns = 128, padded = rows + 4;
  constexpr int loads_a = rows / threads_y, loads_b = depth / threads_y;
  __shared__ __align__(16) float tile_a[depth + 1][padded];  // transposed
  __shared__ float4 tile_b[depth + 1][columns / 4];
  const int x = threadIdx.x, y = threadIdx.y;
  const int from_a = (blockIdx.y * rows + y) * (size / 2) + x;
  const int from_b = y * (size / 4) + blockIdx.x * (columns / 4) + x;
  float2 next_a[loads_a];
  float4 next_b[loads_b][2];
#pragma unroll
  for (int i = 0; i < loads_a; ++i) {
    next_a[i] = a[from_a + threads_y * i * (size / 2)];
  }
#pragma unroll
  for (int i = 0; i < loads_b; ++i) {
    next_b[i][0] = b[from_b + threads_y * i * (size / 4)];
    next_b[i][1] = b[from_b + threads_y * i * (size / 4) + 16];
  }
  float sums[8][8] = {};
#pragma unroll 1
  for (int tile = 0; tile < size / depth; ++tile) {
    __syncthreads();
#pragma unroll
    for (int i = 0; i < loads_a; ++i) {
      tile_a[2 * x][y + threads_y * i] = next_a[i].x;
      tile_a[2 * x + 1][y + threads_y * i] = next_a[i].y;
    }
#pragma unroll
    for (int i = 0; i < loads_b; ++i) {
      tile_b[y + threads_y * i][x] = next_b[i][0];
      tile_b[y + threads_y * i][x + 16] = next_b[i][1];
    }
    __syncthreads();
    if (tile + 1 < size / depth) {
#pragma unroll
      for (int i = 0; i < loads_a; ++i) {
        next_a[i] = a[from_a + (tile + 1) * (depth / 2) + threads_y * i * (size / 2)];
      }
#pragma unroll
      for (int i = 0; i < loads_b; ++i) {
        next_b[i][0] = b[from_b + ((tile + 1) * depth + threads_y * i) * (size / 4)];
        next_b[i][1] = b[from_b + ((tile + 1) * depth + threads_y * i) * (size / 4) + 16];
      }
    }
    // The last step's loads are of no use.
    float4 a0 = *reinterpret_cast<const float4*>(&tile_a[0][4 * y]);
    float4 a1 = *reinterpret_cast<const float4*>(&tile_a[0][4 * y + rows / 2]);
    float4 b0 = tile_b[0][x], b1 = tile_b[0][x + 16];
#pragma unroll 8
    for (int k = 0; k < depth; ++k) {
      const float of_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float of_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      a0 = *reinterpret_cast<const float4*>(&tile_a[k + 1][4 * y]);
      a1 = *reinterpret_cast<const float4*>(&tile_a[k + 1][4 * y + rows / 2]);
      b0 = tile_b[k + 1][x];
      b1 = tile_b[k + 1][x + 16];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          sums[i][j] += of_a[i] * of_b[j];
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float4* row =
        &c[(blockIdx.y * rows + 4 * y + i % 4 + i / 4 * (rows / 2)) * (size / 4) + blockIdx.x * (columns / 4) + x];
    row[0] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    row[16] = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}
