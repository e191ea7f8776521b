// Fourier transforms of powers of two, and the plain one.
// nvcc sm_80
// nvcc sm_89
// clang-19 sm_62
#include "subset.h"

#define PI 3.14159265358979f

__global__ void dft(const float2* in, float2* out, int n) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n) return;
  float re = 0, im = 0;
  for (int t = 0; t < n; t++) {
    float angle = -2 * PI * (float)((k * t) % n) / n;
    float c = cosf(angle), s = sinf(angle);
    re += in[t].x * c - in[t].y * s;
    im += in[t].x * s + in[t].y * c;
  }
  out[k].x = re;
  out[k].y = im;
}

__global__ void bit_reverse(const float2* in, float2* out, int n, int bits) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned int v = i, r = 0;
    for (int b = 0; b < bits; b++) {
      r = (r << 1) | (v & 1);
      v >>= 1;
    }
    out[r] = in[i];
  }
}

// Decimation in time, all stages in shared memory.
__global__ void fft_shared(float2* data, int n) {
  extern __shared__ float2 x[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = data[i];
  __syncthreads();
  for (int m = 2; m <= n; m <<= 1) {
    int half = m >> 1;
    for (int b = threadIdx.x; b < n / 2; b += blockDim.x) {
      int k = b % half;
      int j = (b / half) * m + k;
      float angle = -2 * PI * k / m;
      float c = __cosf(angle), s = __sinf(angle);
      float2 u = x[j], v = x[j + half];
      float tr = v.x * c - v.y * s, ti = v.x * s + v.y * c;
      x[j].x = u.x + tr;
      x[j].y = u.y + ti;
      x[j + half].x = u.x - tr;
      x[j + half].y = u.y - ti;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = x[i];
}

// One pass of radix 4 after Stockham; p is 1, 4, 16, ...
__global__ void fft_stockham4(const float2* in, float2* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int quarter = n / 4;
  if (i >= quarter) return;
  int k = i & (p - 1);
  float alpha = -PI * k / (2 * p);
  float2 u[4];
  for (int q = 0; q < 4; q++) {
    float c = __cosf(q * alpha), s = __sinf(q * alpha);
    float2 a = in[i + q * quarter];
    u[q].x = a.x * c - a.y * s;
    u[q].y = a.x * s + a.y * c;
  }
  float2 v0 = {u[0].x + u[2].x, u[0].y + u[2].y}, v1 = {u[0].x - u[2].x, u[0].y - u[2].y};
  float2 v2 = {u[1].x + u[3].x, u[1].y + u[3].y}, v3 = {u[1].y - u[3].y, u[3].x - u[1].x};
  int j = ((i - k) << 2) + k;
  out[j] = {v0.x + v2.x, v0.y + v2.y};
  out[j + p] = {v1.x + v3.x, v1.y + v3.y};
  out[j + 2 * p] = {v0.x - v2.x, v0.y - v2.y};
  out[j + 3 * p] = {v1.x - v3.x, v1.y - v3.y};
}

// Walsh and Hadamard: steps of four, then a step of two if the power is odd.
__global__ void walsh(float* data, int log2n) {
  extern __shared__ float s_data[];
  int n = 1 << log2n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) s_data[i] = data[i];
  int stride;
  for (stride = n >> 2; stride > 0; stride >>= 2) {
    __syncthreads();
    for (int pos = threadIdx.x; pos < n / 4; pos += blockDim.x) {
      int lo = pos & (stride - 1);
      int i0 = ((pos - lo) << 2) + lo;
      float a = s_data[i0], b = s_data[i0 + stride], c = s_data[i0 + 2 * stride], d = s_data[i0 + 3 * stride];
      s_data[i0] = a + b + c + d;
      s_data[i0 + stride] = a - b + c - d;
      s_data[i0 + 2 * stride] = a + b - c - d;
      s_data[i0 + 3 * stride] = a - b - c + d;
    }
  }
  if (log2n & 1) {
    __syncthreads();
    for (int pos = threadIdx.x; pos < n / 2; pos += blockDim.x) {
      float a = s_data[2 * pos], b = s_data[2 * pos + 1];
      s_data[2 * pos] = a + b;
      s_data[2 * pos + 1] = a - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = s_data[i];
}
