// Steps of camera pipelines: one thread a pixel, borders clamped, skipped or reflected.
#include <cstdint>
extern "C" {

__global__ void nv12_to_rgb(const uint8_t* __restrict__ src, uchar3* __restrict__ dst, int w, int h, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float Y = src[y * pitch + x];
  int uvi = h * pitch + (y / 2) * pitch + (x & ~1);
  float U = src[uvi] - 128.f, V = src[uvi + 1] - 128.f;
  float r = Y + 1.402f * V, g = Y - 0.344f * U - 0.714f * V, b = Y + 1.772f * U;
  dst[y * w + x] = make_uchar3(min(max(r, 0.f), 255.f), min(max(g, 0.f), 255.f), min(max(b, 0.f), 255.f));
}

__global__ void sobel(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  const uint8_t* p = in + (y - 1) * w + x - 1;
  int gx = -p[0] + p[2] - 2 * p[w] + 2 * p[w + 2] - p[2 * w] + p[2 * w + 2];
  int gy = -p[0] - 2 * p[1] - p[2] + p[2 * w] + 2 * p[2 * w + 1] + p[2 * w + 2];
  out[y * w + x] = min(255, abs(gx) + abs(gy));
}

__global__ void blur_rows(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  float s = 0;
  for (int i = -3; i <= 3; i++) s += in[y * w + min(max(x + i, 0), w - 1)] * (1.f / 7);
  out[y * w + x] = s;
}

// RGGB, bilinear
__global__ void demosaic(const uint16_t* __restrict__ raw, float* __restrict__ rgb, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const uint16_t* p = raw + y * w + x;
  float c = p[0], cross = 0.25f * (p[-1] + p[1] + p[-w] + p[w]),
        diagonal = 0.25f * (p[-w - 1] + p[-w + 1] + p[w - 1] + p[w + 1]);
  float row = 0.5f * (p[-1] + p[1]), column = 0.5f * (p[-w] + p[w]);
  float r, g, b;
  if ((y & 1) == 0) {
    if ((x & 1) == 0)
      r = c, g = cross, b = diagonal;
    else
      r = row, g = c, b = column;
  } else {
    if ((x & 1) == 0)
      r = column, g = c, b = row;
    else
      r = diagonal, g = cross, b = c;
  }
  rgb[y * w + x] = r;
  rgb[w * h + y * w + x] = g;
  rgb[2 * w * h + y * w + x] = b;
}

__global__ void bilateral(const float* __restrict__ in, float* __restrict__ out, int w, int h, int radius, float space,
                          float range) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float centre = in[y * w + x], sum = 0, weights = 0;
  for (int j = -radius; j <= radius; j++) {
    for (int i = -radius; i <= radius; i++) {
      int xx = min(max(x + i, 0), w - 1), yy = min(max(y + j, 0), h - 1);
      float value = in[yy * w + xx], difference = value - centre;
      float weight = __expf(-(i * i + j * j) * space - difference * difference * range);
      sum += weight * value;
      weights += weight;
    }
  }
  out[y * w + x] = sum / weights;
}

__global__ void resize_bilinear(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h, int ow, int oh,
                                float sx, float sy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh) return;
  float fx = (x + 0.5f) * sx - 0.5f, fy = (y + 0.5f) * sy - 0.5f;
  int x0 = floorf(fx), y0 = floorf(fy);
  float ax = fx - x0, ay = fy - y0;
  int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  x0 = max(x0, 0), y0 = max(y0, 0);
  float top = in[y0 * w + x0] * (1 - ax) + in[y0 * w + x1] * ax,
        bottom = in[y1 * w + x0] * (1 - ax) + in[y1 * w + x1] * ax;
  out[y * ow + x] = (uint8_t)(top * (1 - ay) + bottom * ay + 0.5f);
}

__global__ void tone_curve(const uint16_t* __restrict__ in, uint8_t* __restrict__ out,
                           const uint8_t* __restrict__ curve, int n) {
  __shared__ uint8_t table[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) table[i] = curve[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = table[in[i] & 4095];
}

// a tile with a halo of 4 in shared memory, reflected border
__global__ void gauss9_tile(const float* __restrict__ in, float* __restrict__ out, const float* __restrict__ weights,
                            int w, int h) {
  __shared__ float tile[16 + 8][32 + 8 + 1];
  int x0 = blockIdx.x * 32 - 4, y0 = blockIdx.y * 16 - 4;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 24 * 40; i += 512) {
    int x = x0 + i % 40, y = y0 + i / 40;
    x = x < 0 ? -x : x, y = y < 0 ? -y : y;
    x = x >= w ? 2 * w - 2 - x : x, y = y >= h ? 2 * h - 2 - y : y;
    tile[i / 40][i % 40] = in[y * w + x];
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float s = 0;
  for (int j = 0; j < 9; j++)
    for (int i = 0; i < 9; i++) s += tile[threadIdx.y + j][threadIdx.x + i] * weights[j] * weights[i];
  out[y * w + x] = s;
}

__device__ void order(int& a, int& b) {
  int least = min(a, b);
  b = max(a, b);
  a = least;
}

__global__ void median3x3(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int v[9];
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < 3; i++) v[3 * j + i] = in[min(max(y + j - 1, 0), h - 1) * w + min(max(x + i - 1, 0), w - 1)];
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[1]), order(v[3], v[4]), order(v[6], v[7]);
  order(v[1], v[2]), order(v[4], v[5]), order(v[7], v[8]), order(v[0], v[3]), order(v[5], v[8]), order(v[4], v[7]);
  order(v[3], v[6]), order(v[1], v[4]), order(v[2], v[5]), order(v[4], v[7]), order(v[4], v[2]), order(v[6], v[4]);
  order(v[4], v[2]);
  out[y * w + x] = v[4];
}

__global__ void harris(const float* __restrict__ in, float* __restrict__ out, int w, int h, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 2, y = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (x >= w - 2 || y >= h - 2) return;
  float xx = 0, xy = 0, yy = 0;
  for (int j = -1; j <= 1; j++) {
    for (int i = -1; i <= 1; i++) {
      const float* p = in + (y + j) * w + x + i;
      float dx = p[1] - p[-1], dy = p[w] - p[-w];
      xx += dx * dx, xy += dx * dy, yy += dy * dy;
    }
  }
  float trace = xx + yy;
  out[y * w + x] = xx * yy - xy * xy - k * trace * trace;
}

// one step of Horn and Schunck
__global__ void flow_step(const float* __restrict__ ix, const float* __restrict__ iy, const float* __restrict__ it,
                          const float* __restrict__ u, const float* __restrict__ v, float* __restrict__ u2,
                          float* __restrict__ v2, int w, int h, float alpha) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x, l = y * w + max(x - 1, 0), r = y * w + min(x + 1, w - 1), a = max(y - 1, 0) * w + x,
      b = min(y + 1, h - 1) * w + x;
  float um = 0.25f * (u[l] + u[r] + u[a] + u[b]), vm = 0.25f * (v[l] + v[r] + v[a] + v[b]);
  float t = (ix[i] * um + iy[i] * vm + it[i]) / (alpha + ix[i] * ix[i] + iy[i] * iy[i]);
  u2[i] = um - ix[i] * t;
  v2[i] = vm - iy[i] * t;
}

__global__ void census(const uint8_t* __restrict__ in, uint32_t* __restrict__ out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  int centre = in[y * w + x];
  uint32_t bits = 0;
#pragma unroll
  for (int j = -2; j <= 2; j++)
#pragma unroll
    for (int i = -2; i <= 2; i++) bits = bits << 1 | (in[(y + j) * w + x + i] < centre);
  out[y * w + x] = bits;
}

__global__ void stereo_best(const uint32_t* __restrict__ left, const uint32_t* __restrict__ right,
                            uint8_t* __restrict__ disparity, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w) return;
  uint32_t census = left[y * w + x];
  int best = 0, cost = 33;
  for (int d = 0; d < most && d <= x; d++) {
    int c = __popc(census ^ right[y * w + x - d]);
    if (c < cost) cost = c, best = d;
  }
  disparity[y * w + x] = best;
}

// lens correction by a table of places
__global__ void remap(const float* __restrict__ in, const float* __restrict__ places, float* __restrict__ out, int w,
                      int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float fx = places[2 * (y * w + x)] * (w - 2), fy = places[2 * (y * w + x) + 1] * (h - 2);
  int x0 = fx, y0 = fy;
  float a = fx - x0, b = fy - y0;
  const float* p = in + y0 * w + x0;
  out[y * w + x] = (p[0] * (1 - a) + p[1] * a) * (1 - b) + (p[w] * (1 - a) + p[w + 1] * a) * b;
}

__global__ void erode(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int least = 255;
  for (int j = max(y - radius, 0); j <= min(y + radius, h - 1); j++)
    for (int i = max(x - radius, 0); i <= min(x + radius, w - 1); i++) least = min(least, (int)in[j * w + i]);
  out[y * w + x] = least;
}

// one row of an integral image a block
__global__ void integral_rows(const uint8_t* __restrict__ in, uint32_t* __restrict__ out, int w) {
  __shared__ uint32_t sums[32];
  uint32_t before = 0;
  for (int begin = 0; begin < w; begin += blockDim.x) {
    int x = begin + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    uint32_t value = x < w ? in[blockIdx.x * w + x] : 0;
    for (int d = 1; d < 32; d *= 2) {
      uint32_t other = __shfl_up_sync(~0u, value, d);
      if (lane >= d) value += other;
    }
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    uint32_t total = 0, mine = 0;
    for (int i = 0; i < blockDim.x / 32; i++) {
      if (i == warp) mine = total;
      total += sums[i];
    }
    if (x < w) out[blockIdx.x * w + x] = before + mine + value;
    before += total;
    __syncthreads();
  }
}

// image to the input of a network: resized, normalised, planes
__global__ void letterbox(const uchar3* __restrict__ in, float* __restrict__ out, int w, int h, int side, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  int sx = x * scale, sy = (y - (side - h / scale) * 0.5f) * scale;
  float r = 0.5f, g = 0.5f, b = 0.5f;
  if (sx < w && sy >= 0 && sy < h) {
    uchar3 p = in[sy * w + sx];
    r = (p.x / 255.f - 0.485f) / 0.229f, g = (p.y / 255.f - 0.456f) / 0.224f, b = (p.z / 255.f - 0.406f) / 0.225f;
  }
  out[y * side + x] = r, out[side * side + y * side + x] = g, out[2 * side * side + y * side + x] = b;
}
}
