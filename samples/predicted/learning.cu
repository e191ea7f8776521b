// Layers of networks, and steps of their training and decoding.
#include <cuda_fp16.h>

#include <cstdint>
extern "C" {

__global__ void conv3x3(const __half* __restrict__ in, const __half* __restrict__ wt, __half* __restrict__ out, int C,
                        int H, int W) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, k = blockIdx.z;
  if (x >= W || y >= H) return;
  float s = 0;
  for (int c = 0; c < C; c++)
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++) {
        int yy = y + j, xx = x + i;
        if (yy >= 0 && yy < H && xx >= 0 && xx < W)
          s += __half2float(in[(c * H + yy) * W + xx]) * __half2float(wt[((k * C + c) * 3 + j + 1) * 3 + i + 1]);
      }
  out[(k * H + y) * W + x] = __float2half(fmaxf(s, 0.f));
}

__global__ void layernorm(const __half* __restrict__ x, const __half* __restrict__ g, __half* __restrict__ y, int d) {
  __shared__ float r[32];
  const __half* p = x + (size_t)blockIdx.x * d;
  float s = 0, q = 0;
  for (int i = threadIdx.x; i < d; i += blockDim.x) {
    float v = __half2float(p[i]);
    s += v;
    q += v * v;
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_xor_sync(~0u, s, o);
    q += __shfl_xor_sync(~0u, q, o);
  }
  int w = threadIdx.x >> 5, l = threadIdx.x & 31;
  __shared__ float rq[32];
  if (l == 0) {
    r[w] = s;
    rq[w] = q;
  }
  __syncthreads();
  s = 0;
  q = 0;
  for (int i = 0; i < (int)(blockDim.x >> 5); i++) {
    s += r[i];
    q += rq[i];
  }
  float m = s / d, inv = rsqrtf(q / d - m * m + 1e-5f);
  for (int i = threadIdx.x; i < d; i += blockDim.x)
    y[(size_t)blockIdx.x * d + i] = __float2half((__half2float(p[i]) - m) * inv * __half2float(g[i]));
}

__device__ float block_max(float v, float* shared) {
  for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? shared[threadIdx.x % 32] : -1e30f;
  for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
  __syncthreads();
  return v;
}

__device__ float block_sum(float v, float* shared) {
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? shared[threadIdx.x % 32] : 0;
  for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
  __syncthreads();
  return v;
}

__global__ void softmax_rows(const float* __restrict__ in, float* __restrict__ out, int columns) {
  __shared__ float shared[32];
  const float* row = in + (size_t)blockIdx.x * columns;
  float most = -1e30f, sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  most = block_max(most, shared);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - most);
  sum = block_sum(sum, shared);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[(size_t)blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

__global__ void rms_norm(const float4* __restrict__ x, const float4* __restrict__ gain, float4* __restrict__ y,
                         int quads) {
  __shared__ float shared[32];
  const float4* row = x + (size_t)blockIdx.x * quads;
  float q = 0;
  for (int i = threadIdx.x; i < quads; i += blockDim.x) {
    float4 v = row[i];
    q += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  float scale = rsqrtf(block_sum(q, shared) / (4 * quads) + 1e-6f);
  for (int i = threadIdx.x; i < quads; i += blockDim.x) {
    float4 v = row[i], g = gain[i];
    y[(size_t)blockIdx.x * quads + i] =
        make_float4(v.x * scale * g.x, v.y * scale * g.y, v.z * scale * g.z, v.w * scale * g.w);
  }
}

// a query a block, 64 numbers a head, scores in shared memory that the launch gives
__global__ void attention_query(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                                float* __restrict__ out, int keys) {
  extern __shared__ float scores[];
  __shared__ float shared[32], query[64];
  if (threadIdx.x < 64) query[threadIdx.x] = q[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  float most = -1e30f;
  for (int i = threadIdx.x; i < keys; i += blockDim.x) {
    float s = 0;
    for (int d = 0; d < 64; d++) s += query[d] * k[i * 64 + d];
    scores[i] = s * 0.125f;
    most = fmaxf(most, scores[i]);
  }
  most = block_max(most, shared);
  float sum = 0;
  for (int i = threadIdx.x; i < keys; i += blockDim.x) {
    scores[i] = __expf(scores[i] - most);
    sum += scores[i];
  }
  sum = block_sum(sum, shared);
  if (threadIdx.x < 64) {
    float s = 0;
    for (int i = 0; i < keys; i++) s += scores[i] * v[i * 64 + threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = s / sum;
  }
}

// attention by tiles of 32 keys with a running maximum, a query of 32 numbers a thread
__global__ void attention_tiles(const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
                                float* __restrict__ out, int n) {
  __shared__ float kt[32][32], vt[32][32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float query[32], sum[32], most = -1e30f, weight = 0;
#pragma unroll
  for (int d = 0; d < 32; d++) query[d] = q[i * 32 + d], sum[d] = 0;
  for (int begin = 0; begin < n; begin += 32) {
    for (int t = threadIdx.x; t < 1024; t += blockDim.x)
      kt[t / 32][t % 32] = k[begin * 32 + t], vt[t / 32][t % 32] = v[begin * 32 + t];
    __syncthreads();
    for (int j = 0; j < 32; j++) {
      float s = 0;
#pragma unroll
      for (int d = 0; d < 32; d++) s += query[d] * kt[j][d];
      float next = fmaxf(most, s), keep = __expf(most - next), add = __expf(s - next);
      weight = weight * keep + add;
#pragma unroll
      for (int d = 0; d < 32; d++) sum[d] = sum[d] * keep + add * vt[j][d];
      most = next;
    }
    __syncthreads();
  }
#pragma unroll
  for (int d = 0; d < 32; d++) out[i * 32 + d] = sum[d] / weight;
}

__global__ void depthwise3x3(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out,
                             int H, int W, int stride) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z,
      ow = W / stride, oh = H / stride;
  if (x >= ow || y >= oh) return;
  float s = 0;
#pragma unroll
  for (int j = -1; j <= 1; j++)
#pragma unroll
    for (int i = -1; i <= 1; i++) {
      int yy = y * stride + j, xx = x * stride + i;
      if (yy >= 0 && yy < H && xx >= 0 && xx < W) s += in[(c * H + yy) * W + xx] * weights[c * 9 + (j + 1) * 3 + i + 1];
    }
  out[(c * oh + y) * ow + x] = fminf(fmaxf(s, 0.f), 6.f);
}

__global__ void max_pool(const float* __restrict__ in, float* __restrict__ out, int* __restrict__ where, int H, int W,
                         int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int ow = W / 2, oh = H / 2, x = i % ow, y = i / ow % oh, c = i / (ow * oh);
  float most = -1e30f;
  int at = 0;
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++) {
      int yy = y * 2 + j - 1, xx = x * 2 + k - 1;
      if (yy < 0 || xx < 0 || yy >= H || xx >= W) continue;
      float v = in[(c * H + yy) * W + xx];
      if (v > most) most = v, at = yy * W + xx;
    }
  out[i] = most;
  where[i] = at;
}

__global__ void bias_gelu(const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ y,
                          int columns, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i] + bias[i % columns];
  y[i] = 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}

__global__ void quantise_rows(const float* __restrict__ x, int8_t* __restrict__ q, float* __restrict__ scales,
                              int columns) {
  __shared__ float shared[32];
  const float* row = x + (size_t)blockIdx.x * columns;
  float most = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) most = fmaxf(most, fabsf(row[i]));
  most = block_max(most, shared);
  float scale = 127 / most;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    q[(size_t)blockIdx.x * columns + i] = (int8_t)rintf(row[i] * scale);
  if (threadIdx.x == 0) scales[blockIdx.x] = most / 127;
}

// weights of four bits, groups of 64 with a scale
__global__ void gemv_int4(const uint32_t* __restrict__ weights, const float* __restrict__ scales,
                          const float* __restrict__ x, float* __restrict__ y, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float s = 0;
  for (int i = lane; i < columns / 8; i += 32) {
    uint32_t packed = weights[(size_t)row * (columns / 8) + i];
    float part = 0;
#pragma unroll
    for (int b = 0; b < 8; b++) part += ((int)(packed >> 4 * b & 15) - 8) * x[i * 8 + b];
    s += part * scales[row * (columns / 64) + i / 8];
  }
  for (int o = 16; o; o >>= 1) s += __shfl_down_sync(~0u, s, o);
  if (lane == 0) y[row] = s;
}

__global__ void embedding_rows(const int* __restrict__ tokens, const float4* __restrict__ table,
                               const float4* __restrict__ positions, float4* __restrict__ out, int quads) {
  int token = tokens[blockIdx.x];
  for (int i = threadIdx.x; i < quads; i += blockDim.x) {
    float4 a = table[(size_t)token * quads + i], b = positions[(size_t)(blockIdx.x % 512) * quads + i];
    out[(size_t)blockIdx.x * quads + i] = make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
  }
}

// four largest of each row, a warp a row
__global__ void top4(const float* __restrict__ in, float* __restrict__ best, int* __restrict__ where, int rows,
                     int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float limit = 1e30f;
  for (int k = 0; k < 4; k++) {
    float most = -1e30f;
    int at = -1;
    for (int i = lane; i < columns; i += 32) {
      float v = in[row * columns + i];
      if (v < limit && v > most) most = v, at = i;
    }
    for (int o = 16; o; o >>= 1) {
      float other = __shfl_xor_sync(~0u, most, o);
      int place = __shfl_xor_sync(~0u, at, o);
      if (other > most || (other == most && place < at)) most = other, at = place;
    }
    if (lane == 0) best[row * 4 + k] = most, where[row * 4 + k] = at;
    limit = most;
  }
}

// scores of the next words of each beam, and the best beam of a block
__global__ void beam_scores(const float* __restrict__ logits, const float* __restrict__ scores,
                            float* __restrict__ best, int* __restrict__ word, int words) {
  __shared__ float shared[32];
  __shared__ unsigned long long winner;
  const float* row = logits + (size_t)blockIdx.x * words;
  if (threadIdx.x == 0) winner = 0;
  float sum = 0, most = -1e30f;
  int at = 0;
  for (int i = threadIdx.x; i < words; i += blockDim.x) {
    float v = row[i];
    sum += __expf(v);
    if (v > most) most = v, at = i;
  }
  sum = block_sum(sum, shared);
  atomicMax(&winner, (unsigned long long)__float_as_uint(most) << 32 | at);
  __syncthreads();
  if (threadIdx.x == 0) {
    best[blockIdx.x] = scores[blockIdx.x] + __uint_as_float(winner >> 32) - logf(sum);
    word[blockIdx.x] = (int)(winner & 0xffffffff);
  }
}

// rotary positions, pairs of each head
__global__ void rotate_heads(float2* __restrict__ x, int pairs, int heads, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int pair = i % pairs, position = i / (pairs * heads);
  float angle = position * powf(10000.f, -(float)pair / pairs), s, c;
  sincosf(angle, &s, &c);
  float2 v = x[i];
  x[i] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

__global__ void upsample2x(const float* __restrict__ in, float* __restrict__ out, int H, int W) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
  if (x >= 2 * W || y >= 2 * H) return;
  float fx = fmaxf(x * 0.5f - 0.25f, 0.f), fy = fmaxf(y * 0.5f - 0.25f, 0.f);
  int x0 = fx, y0 = fy, x1 = min(x0 + 1, W - 1), y1 = min(y0 + 1, H - 1);
  float a = fx - x0, b = fy - y0;
  const float* p = in + c * H * W;
  out[(c * 2 * H + y) * 2 * W + x] =
      (p[y0 * W + x0] * (1 - a) + p[y0 * W + x1] * a) * (1 - b) + (p[y1 * W + x0] * (1 - a) + p[y1 * W + x1] * a) * b;
}

// mean and variance of a channel
__global__ void batch_statistics(const float* __restrict__ x, float* __restrict__ mean, float* __restrict__ variance,
                                 int N, int C, int HW) {
  __shared__ float shared[32];
  int c = blockIdx.x;
  float s = 0, q = 0;
  for (int n = 0; n < N; n++)
    for (int i = threadIdx.x; i < HW; i += blockDim.x) {
      float v = x[((size_t)n * C + c) * HW + i];
      s += v, q += v * v;
    }
  s = block_sum(s, shared);
  q = block_sum(q, shared);
  if (threadIdx.x == 0) {
    float m = s / ((float)N * HW);
    mean[c] = m, variance[c] = q / ((float)N * HW) - m * m;
  }
}

__global__ void cross_entropy(const float* __restrict__ logits, const int* __restrict__ labels,
                              float* __restrict__ loss, float* __restrict__ gradient, int rows, int classes) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float* p = logits + (size_t)row * classes;
  float most = -1e30f, sum = 0;
  for (int i = lane; i < classes; i += 32) most = fmaxf(most, p[i]);
  for (int o = 16; o; o >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  for (int i = lane; i < classes; i += 32) sum += expf(p[i] - most);
  for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
  int label = labels[row];
  for (int i = lane; i < classes; i += 32) gradient[(size_t)row * classes + i] = expf(p[i] - most) / sum - (i == label);
  if (lane == 0) atomicAdd(loss, logf(sum) + most - p[label]);
}

__global__ void adam_step(float* __restrict__ w, float* __restrict__ m, float* __restrict__ v,
                          const float* __restrict__ g, int n, float rate) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float gradient = g[i];
    m[i] = 0.9f * m[i] + 0.1f * gradient;
    v[i] = 0.999f * v[i] + 0.001f * gradient * gradient;
    w[i] -= rate * m[i] / (sqrtf(v[i]) + 1e-8f);
  }
}
}
