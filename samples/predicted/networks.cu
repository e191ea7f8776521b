// Neural networks once more.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
extern "C" {

__global__ void group_norm(const float* __restrict__ in, const float* __restrict__ scale, float* __restrict__ out, int channels,
                           int area) {
  __shared__ float sums[2][32];
  int n = channels * area, t = threadIdx.x;
  const float* group = in + (size_t)blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int i = t; i < n; i += blockDim.x) {
    float v = group[i];
    sum += v, squares += v * v;
  }
  for (int step = 16; step > 0; step /= 2) {
    sum += __shfl_xor_sync(~0u, sum, step);
    squares += __shfl_xor_sync(~0u, squares, step);
  }
  if (t % 32 == 0) sums[0][t / 32] = sum, sums[1][t / 32] = squares;
  __syncthreads();
  sum = squares = 0;
  for (int i = 0; i < blockDim.x / 32; ++i) sum += sums[0][i], squares += sums[1][i];
  float mean = sum / n, factor = rsqrtf(squares / n - mean * mean + 1e-5f);
  for (int i = t; i < n; i += blockDim.x)
    out[(size_t)blockIdx.x * n + i] = (group[i] - mean) * factor * scale[i / area];
}

__global__ void swiglu(const __half2* __restrict__ gate, const __half2* __restrict__ up, __half2* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 g = __half22float2(gate[i]), u = __half22float2(up[i]);
  out[i] = __floats2half2_rn(g.x / (1 + __expf(-g.x)) * u.x, g.y / (1 + __expf(-g.y)) * u.y);
}

// row i looks at the first i + 1 columns, a warp for a row
__global__ void causal_softmax(const float* __restrict__ in, float* __restrict__ out, int n) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  const float* scores = in + (size_t)row * n;
  float most = -1e30f, sum = 0;
  for (int i = lane; i <= row; i += 32) most = fmaxf(most, scores[i]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, step));
  for (int i = lane; i <= row; i += 32) sum += __expf(scores[i] - most);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  for (int i = lane; i <= row; i += 32) out[(size_t)row * n + i] = __expf(scores[i] - most) / sum;
}

// four channels at a time
__global__ void conv1x1_bytes(const int* __restrict__ in, const int* __restrict__ weights, int* __restrict__ out, int quads, int area) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (i >= area) return;
  int sum = 0;
  for (int q = 0; q < quads; ++q) sum = __dp4a(in[q * area + i], weights[channel * quads + q], sum);
  out[channel * area + i] = sum;
}

__global__ void lstm_cell(const float* __restrict__ gates, float* __restrict__ cell, float* __restrict__ hidden, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float* g = gates + i / width * 4 * width + i % width;
  float in = 1 / (1 + __expf(-g[0])), forget = 1 / (1 + __expf(-g[width])), out = 1 / (1 + __expf(-g[3 * width]));
  float c = forget * cell[i] + in * tanhf(g[2 * width]);
  cell[i] = c;
  hidden[i] = out * tanhf(c);
}

__global__ void embedding_gradient(const int* __restrict__ words, const float* __restrict__ gradient, float* __restrict__ table,
                                   int width) {
  int word = words[blockIdx.x];
  for (int i = threadIdx.x; i < width; i += blockDim.x)
    atomicAdd(&table[(size_t)word * width + i], gradient[(size_t)blockIdx.x * width + i]);
}

__global__ void dropout(const float4* __restrict__ in, float4* __restrict__ out, int n, unsigned seed, float keep) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = in[i];
  float* p = (float*)&v;
  for (int k = 0; k < 4; ++k) {
    unsigned h = (4 * i + k) ^ seed;
    h = (h ^ h >> 16) * 0x7feb352du;
    h = (h ^ h >> 15) * 0x846ca68bu;
    h ^= h >> 16;
    p[k] = h * 2.3283064e-10f < keep ? p[k] / keep : 0;
  }
  out[i] = v;
}

__global__ void largest_of_rows(const float* __restrict__ in, int* __restrict__ out, int rows, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float most = -1e30f;
  int place = 0;
  for (int i = threadIdx.x; i < columns; i += 32) {
    float v = in[(size_t)row * columns + i];
    if (v > most) most = v, place = i;
  }
  for (int step = 16; step > 0; step /= 2) {
    float other = __shfl_down_sync(~0u, most, step);
    int its = __shfl_down_sync(~0u, place, step);
    if (other > most) most = other, place = its;
  }
  if (threadIdx.x == 0) out[row] = place;
}

__global__ void im2col(const float* __restrict__ in, float* __restrict__ out, int channels, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= channels * h * w) return;
  int x = i % w, y = i / w % h, c = i / (w * h);
  for (int ky = 0; ky < 3; ++ky)
    for (int kx = 0; kx < 3; ++kx) {
      int sx = x + kx - 1, sy = y + ky - 1;
      out[(size_t)((c * 3 + ky) * 3 + kx) * h * w + y * w + x] = sx >= 0 && sy >= 0 && sx < w && sy < h ? in[(c * h + sy) * w + sx] : 0;
    }
}

// tiles of 4 x 4 for products of 3 x 3 filters
__global__ void winograd_input(const float* __restrict__ in, float* __restrict__ out, int w, int tiles_x, int tiles) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tiles) return;
  const float* at = in + t / tiles_x * 2 * w + t % tiles_x * 2;
  float d[4][4], m[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) d[i][j] = at[i * w + j];
  for (int j = 0; j < 4; ++j) {
    m[0][j] = d[0][j] - d[2][j], m[1][j] = d[1][j] + d[2][j];
    m[2][j] = d[2][j] - d[1][j], m[3][j] = d[1][j] - d[3][j];
  }
  for (int i = 0; i < 4; ++i) {
    out[(i * 4 + 0) * tiles + t] = m[i][0] - m[i][2];
    out[(i * 4 + 1) * tiles + t] = m[i][1] + m[i][2];
    out[(i * 4 + 2) * tiles + t] = m[i][2] - m[i][1];
    out[(i * 4 + 3) * tiles + t] = m[i][1] - m[i][3];
  }
}

// 7 x 7 samples of each region, a block for a region, a thread for a channel
__global__ void roi_align(const float* __restrict__ features, const float* __restrict__ regions, float* __restrict__ out, int channels,
                          int h, int w) {
  const float* r = regions + blockIdx.x * 4;
  float x0 = r[0] * w / 2, y0 = r[1] * h / 2, dx = r[2] * w / 14, dy = r[3] * h / 14;
  for (int c = threadIdx.x; c < channels; c += blockDim.x)
    for (int i = 0; i < 49; ++i) {
      float x = x0 + (i % 7 + 0.5f) * dx, y = y0 + (i / 7 + 0.5f) * dy;
      int ix = min((int)x, w - 2), iy = min((int)y, h - 2);
      float fx = x - ix, fy = y - iy;
      const float* f = features + ((size_t)iy * w + ix) * channels + c;
      float top = f[0] * (1 - fx) + f[channels] * fx;
      float bottom = f[w * channels] * (1 - fx) + f[(w + 1) * channels] * fx;
      out[((size_t)blockIdx.x * 49 + i) * channels + c] = top * (1 - fy) + bottom * fy;
    }
}

// a sequence's keys and values come from pages
__global__ void gather_pages(const int* __restrict__ pages, const float4* __restrict__ cache, float4* __restrict__ out, int per_page) {
  int page = pages[blockIdx.x];
  for (int i = threadIdx.x; i < per_page; i += blockDim.x) out[(size_t)blockIdx.x * per_page + i] = cache[(size_t)page * per_page + i];
}

// the two best experts of eight for each token, and their places
__global__ void route(const float* __restrict__ scores, int* __restrict__ chosen, int* __restrict__ places, int* __restrict__ counts,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int first = 0, second = -1;
  for (int e = 1; e < 8; ++e) {
    if (scores[8 * i + e] > scores[8 * i + first])
      second = first, first = e;
    else if (second < 0 || scores[8 * i + e] > scores[8 * i + second])
      second = e;
  }
  chosen[2 * i] = first, chosen[2 * i + 1] = second;
  places[2 * i] = atomicAdd(&counts[first], 1);
  places[2 * i + 1] = atomicAdd(&counts[second], 1);
}

// bytes times bytes by tensor cores, a warp for 16 x 8
__global__ void gemm_bytes(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c, int n, int k) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, row = warp / (n / 8) * 16,
      column = warp % (n / 8) * 8, group = lane / 4, inside = lane % 4, words = k / 4;
  int sum[4] = {0, 0, 0, 0};
  for (int i = 0; i < words; i += 8) {
    const int* at = a + (row + group) * words + i + inside;
    int a0 = at[0], a1 = at[8 * words], a2 = at[4], a3 = at[8 * words + 4];
    const int* bt = b + (column + group) * words + i + inside;
    int b0 = bt[0], b1 = bt[4];
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
  }
  int* to = c + (row + group) * n + column + 2 * inside;
  to[0] = sum[0], to[1] = sum[1], to[8 * n] = sum[2], to[8 * n + 1] = sum[3];
}

// tiles of 32 x 64 come by asynchronous copies, one ahead
__global__ void gemm_ahead(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n, int k) {
  __shared__ float sa[2][32][32], sb[2][32][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 32, column = blockIdx.x * 64;
  float sum[2][4] = {};
  auto fetch = [&](int i, int s) {
    unsigned to = (unsigned)__cvta_generic_to_shared(&sa[s][t / 8][t % 8 * 4]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + (size_t)(row + t / 8) * k + i + t % 8 * 4));
    for (int half = 0; half < 2; ++half) {
      int r = t / 16 + 16 * half;
      to = (unsigned)__cvta_generic_to_shared(&sb[s][r][t % 16 * 4]);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(to), "l"(b + (size_t)(i + r) * n + column + t % 16 * 4));
    }
    asm volatile("cp.async.commit_group;");
  };
  fetch(0, 0);
  for (int i = 0; i < k; i += 32) {
    int s = i / 32 & 1;
    if (i + 32 < k) {
      fetch(i + 32, s ^ 1);
      asm volatile("cp.async.wait_group 1;");
    } else {
      asm volatile("cp.async.wait_group 0;");
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j)
      for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 4; ++x) sum[y][x] += sa[s][ty * 2 + y][j] * sb[s][j][tx + 16 * x];
    __syncthreads();
  }
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x) c[(size_t)(row + ty * 2 + y) * n + column + tx + 16 * x] = sum[y][x];
}

// how alike a vector is to others, a warp for each
__global__ void cosine(const float4* __restrict__ all, const float4* __restrict__ one, float* __restrict__ out, int n, int quads) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= n) return;
  float dot = 0, norm = 0;
  for (int i = lane; i < quads; i += 32) {
    float4 a = all[(size_t)row * quads + i], b = one[i];
    dot += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    norm += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
  }
  for (int step = 16; step > 0; step /= 2) {
    dot += __shfl_xor_sync(~0u, dot, step);
    norm += __shfl_xor_sync(~0u, norm, step);
  }
  if (lane == 0) out[row] = dot * rsqrtf(norm + 1e-12f);
}

__global__ void dequantise(const char4* __restrict__ in, const float* __restrict__ scales, __half2* __restrict__ out, int quads, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  char4 q = in[i];
  float s = scales[i / quads];
  out[2 * i] = __floats2half2_rn(q.x * s, q.y * s);
  out[2 * i + 1] = __floats2half2_rn(q.z * s, q.w * s);
}

// sums over all but the last dimension
__global__ void column_sums(const float* __restrict__ in, float* __restrict__ out, int rows, int columns) {
  __shared__ float s[8][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  if (x < columns)
    for (int y = blockIdx.y * 8 + threadIdx.y; y < rows; y += 8 * gridDim.y) sum += in[(size_t)y * columns + x];
  s[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0 && x < columns) {
    for (int i = 1; i < 8; ++i) sum += s[i][threadIdx.x];
    atomicAdd(&out[x], sum);
  }
}
}
