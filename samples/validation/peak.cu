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

// C = A * B, 1,024 x 1,024: 128 x 128 results for a block of 8 x 16, 8 x 16 for a thread. The next tile is on its way
// during the sums of a tile. One warp for each scheduler.
extern "C" __global__ void __launch_bounds__(128)
    gemm(const float2* __restrict__ a, const float4* __restrict__ b, float4* __restrict__ c) {
  constexpr int size = 1024, depth = 16, tiles = size / depth, side = 128, padded = side + 4;
  __shared__ __align__(16) float tile_a[depth][padded];  // transposed
  __shared__ float4 tile_b[depth][side / 4];
  const int x = threadIdx.x, y = threadIdx.y;
  const int from_a = (blockIdx.y * side + y) * (size / 2) + x;
  const int from_b = y * (size / 4) + blockIdx.x * (side / 4) + x;
  float2 next_a[8];
  float4 next_b[4];
  float sums[8][16] = {};
#pragma unroll 1
  for (int tile = 0; tile <= tiles; ++tile) {
    if (tile < tiles) {
#pragma unroll
      for (int i = 0; i < 8; ++i) {
        next_a[i] = a[from_a + tile * (depth / 2) + 16 * i * (size / 2)];
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        next_b[i] = b[from_b + tile * depth * (size / 4) + 8 * i];
      }
    }
    if (tile > 0) {
#pragma unroll 4
      for (int k = 0; k < depth; ++k) {
        const float4 a0 = *reinterpret_cast<const float4*>(&tile_a[k][4 * y]);
        const float4 a1 = *reinterpret_cast<const float4*>(&tile_a[k][4 * y + side / 2]);
        const float of_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
        float4 of_b[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) {
          of_b[j] = tile_b[k][x + 8 * j];
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) {
#pragma unroll
          for (int i = 0; i < 8; ++i) {
            sums[i][4 * j] += of_a[i] * of_b[j].x;
            sums[i][4 * j + 1] += of_a[i] * of_b[j].y;
            sums[i][4 * j + 2] += of_a[i] * of_b[j].z;
            sums[i][4 * j + 3] += of_a[i] * of_b[j].w;
          }
        }
      }
    }
    // The last turn stores what it has, which nobody uses.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      tile_a[2 * x][y + 16 * i] = next_a[i].x;
      tile_a[2 * x + 1][y + 16 * i] = next_a[i].y;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      tile_b[y][x + 8 * i] = next_b[i];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float4* row =
        &c[(blockIdx.y * side + 4 * y + i % 4 + i / 4 * (side / 2)) * (size / 4) + blockIdx.x * (side / 4) + x];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      row[8 * j] = make_float4(sums[i][4 * j], sums[i][4 * j + 1], sums[i][4 * j + 2], sums[i][4 * j + 3]);
    }
  }
}
