// Layers of networks and the classics of learning.
// nvcc sm_80
// nvcc sm_89 -lineinfo
// clang-19 sm_62
#include "subset.h"

__global__ void softmax_online(const float* in, float* out, int columns) {
  __shared__ float maxima[256], sums[256];
  const float* row = in + blockIdx.x * columns;
  float m = -3e38f, s = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) {
    float x = row[i];
    float next = max(m, x);
    s = s * __expf(m - next) + __expf(x - next);
    m = next;
  }
  maxima[threadIdx.x] = m;
  sums[threadIdx.x] = s;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if ((int)threadIdx.x < stride) {
      float other = maxima[threadIdx.x + stride], mine = maxima[threadIdx.x], next = max(mine, other);
      sums[threadIdx.x] = sums[threadIdx.x] * __expf(mine - next) + sums[threadIdx.x + stride] * __expf(other - next);
      maxima[threadIdx.x] = next;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = __expf(row[i] - maxima[0]) / sums[0];
}

// Welford's mean and variance in one pass.
__global__ void layernorm_welford(const float* in, const float* gamma, const float* beta, float* out, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float mean = 0, m2 = 0;
  int count = 0;
  for (int c = threadIdx.x; c < columns; c += 32) {
    count++;
    float delta = in[row * columns + c] - mean;
    mean += delta / count;
    m2 += delta * (in[row * columns + c] - mean);
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) {
    float other_mean = __shfl_down_sync(0xffffffffu, mean, mask), other_m2 = __shfl_down_sync(0xffffffffu, m2, mask);
    float delta = other_mean - mean;
    mean = 0.5f * (mean + other_mean);
    m2 += other_m2 + delta * delta * 0.5f;
  }
  float inv = rsqrtf(m2 / columns + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += 32)
    out[row * columns + c] = (in[row * columns + c] - mean) * inv * gamma[c] + beta[c];
}

// Attention with tiles of 32 keys and a running maximum.
__global__ void attention_tile(const float* q, const float* k, const float* v, float* out, int keys, float scale) {
  __shared__ float ks[32][64], vs[32][64];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[64], m = -3e38f, l = 0;
  for (int d = 0; d < 64; d++) acc[d] = 0;
  for (int base = 0; base < keys; base += 32) {
    for (int e = threadIdx.x; e < 32 * 64; e += blockDim.x) {
      ks[e / 64][e % 64] = k[base * 64 + e];
      vs[e / 64][e % 64] = v[base * 64 + e];
    }
    __syncthreads();
    int limit = min(32, keys - base);
    for (int j = 0; j < limit; j++) {
      float s = 0;
      for (int d = 0; d < 64; d++) s += q[row * 64 + d] * ks[j][d];
      s *= scale;
      float next = max(m, s), corr = __expf(m - next), p = __expf(s - next);
      l = l * corr + p;
      for (int d = 0; d < 64; d++) acc[d] = acc[d] * corr + p * vs[j][d];
      m = next;
    }
    __syncthreads();
  }
  for (int d = 0; d < 64; d++) out[row * 64 + d] = acc[d] / l;
}

__global__ void im2col(const float* im, float* col, int channels, int height, int width, int ksize, int pad, int stride) {
  int out_h = (height + 2 * pad - ksize) / stride + 1, out_w = (width + 2 * pad - ksize) / stride + 1;
  int n = channels * out_h * out_w;
  for (int index = blockIdx.x * blockDim.x + threadIdx.x; index < n; index += blockDim.x * gridDim.x) {
    int w = index % out_w, h = index / out_w % out_h, c = index / out_w / out_h;
    float* to = col + (c * ksize * ksize * out_h + h) * out_w + w;
    const float* from = im + (c * height + h * stride - pad) * width + w * stride - pad;
    for (int i = 0; i < ksize; ++i)
      for (int j = 0; j < ksize; ++j) {
        int y = h * stride - pad + i, x = w * stride - pad + j;
        *to = y >= 0 && x >= 0 && y < height && x < width ? from[i * width + j] : 0;
        to += out_h * out_w;
      }
  }
}

__global__ void max_pool(const float* in, float* out, int channels, int height, int width, int window, int stride) {
  int pooled_h = (height - window) / stride + 1, pooled_w = (width - window) / stride + 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < channels * pooled_h * pooled_w; i += blockDim.x * gridDim.x) {
    int pw = i % pooled_w, ph = i / pooled_w % pooled_h, c = i / pooled_w / pooled_h;
    int h0 = ph * stride, w0 = pw * stride;
    int h1 = min(h0 + window, height), w1 = min(w0 + window, width);
    float best = -3e38f;
    for (int h = h0; h < h1; ++h)
      for (int w = w0; w < w1; ++w) best = max(best, in[(c * height + h) * width + w]);
    out[i] = best;
  }
}

// Gather: the length of each bag stands in memory.
__global__ void embedding_bag(const float* table, const int* indices, const int* offsets, float* out, int bags, int dim) {
  for (int bag = blockIdx.x * blockDim.y + threadIdx.y; bag < bags; bag += gridDim.x * blockDim.y)
    for (int d = threadIdx.x; d < dim; d += blockDim.x) {
      float sum = 0;
      for (int i = offsets[bag]; i < offsets[bag + 1]; i++) sum += table[indices[i] * dim + d];
      out[bag * dim + d] = sum;
    }
}

__global__ void adam(float* w, const float* g, float* m, float* v, int n, float lr, float b1, float b2, float eps) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    m[i] = b1 * m[i] + (1 - b1) * g[i];
    v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
    w[i] -= lr * m[i] / (sqrtf(v[i]) + eps);
  }
}

// The nearest k of all points, kept in order by insertion.
__global__ void knn_insert(const float2* queries, const float2* points, int* result, int n, int k) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  float best[16];
  int where[16];
  for (int i = 0; i < k; i++) best[i] = 3e38f;
  for (int p = 0; p < n; p++) {
    float dx = points[p].x - queries[q].x, dy = points[p].y - queries[q].y;
    float d = dx * dx + dy * dy;
    if (d >= best[k - 1]) continue;
    int at = k - 1;
    while (at > 0 && best[at - 1] > d) {
      best[at] = best[at - 1];
      where[at] = where[at - 1];
      at--;
    }
    best[at] = d;
    where[at] = p;
  }
  for (int i = 0; i < k; i++) result[q * k + i] = where[i];
}

struct TreeNode {
  float threshold;
  short feature, left;
};

__global__ void random_forest(const TreeNode* nodes, const float* samples, float* votes, int trees, int features,
                              int nodes_per_tree) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < trees; t++) {
    const TreeNode* tree = nodes + t * nodes_per_tree;
    int node = 0;
    while (tree[node].feature >= 0)
      node = tree[node].left + (samples[s * features + tree[node].feature] > tree[node].threshold);
    sum += tree[node].threshold;
  }
  votes[s] = sum / trees;
}

__global__ void forest_fixed_depth(const TreeNode* nodes, const float* samples, float* votes, int trees, int depth) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < trees; t++) {
    int node = 0;
    for (int level = 0; level < depth; level++) {
      TreeNode at = nodes[(t << depth) + node];
      node = 2 * node + 1 + (samples[s * 32 + at.feature] > at.threshold);
    }
    sum += node;
  }
  votes[s] = sum;
}

__global__ void top_k_radix_select(const unsigned int* in, unsigned int* kth, int n, int k) {
  __shared__ int counts[16];
  __shared__ unsigned int prefix;
  __shared__ int remaining;
  if (threadIdx.x == 0) {
    prefix = 0;
    remaining = k;
  }
  for (int shift = 28; shift >= 0; shift -= 4) {
    if (threadIdx.x < 16) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      if (shift == 28 || in[i] >> (shift + 4) == prefix) atomicAdd(&counts[(in[i] >> shift) & 15], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 15;
      while (digit > 0 && counts[digit] < remaining) remaining -= counts[digit--];
      prefix = (prefix << 4) | digit;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) *kth = prefix;
}
