// Images: filters with a radius, histograms, integral images, colour.
// nvcc sm_80
// nvcc sm_75
// clang-19 sm_62
// clang-14 sm_35 -O2
#include "subset.h"

typedef unsigned char uchar;

__global__ void bilateral(const float* in, float* out, int w, int h, int radius, float sigma_space, float sigma_range) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float center = in[y * w + x], sum = 0, weight_sum = 0;
  for (int dy = -radius; dy <= radius; dy++)
    for (int dx = -radius; dx <= radius; dx++) {
      int cx = min(max(x + dx, 0), w - 1), cy = min(max(y + dy, 0), h - 1);
      float v = in[cy * w + cx];
      float d = v - center;
      float weight = __expf(-(dx * dx + dy * dy) / (2 * sigma_space * sigma_space) - d * d / (2 * sigma_range * sigma_range));
      sum += weight * v;
      weight_sum += weight;
    }
  out[y * w + x] = sum / weight_sum;
}

__global__ void dilate(const uchar* in, uchar* out, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uchar best = 0;
  int x0 = max(x - radius, 0), x1 = min(x + radius, w - 1);
  int y0 = max(y - radius, 0), y1 = min(y + radius, h - 1);
  for (int yy = y0; yy <= y1; ++yy)
    for (int xx = x0; xx <= x1; ++xx) best = max(best, in[yy * w + xx]);
  out[y * w + x] = best;
}

__global__ void erode_cross(const uchar* in, uchar* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const uchar* p = in + y * w + x;
  out[y * w + x] = min(min(min(p[0], p[1]), p[-1]), min(p[w], p[-w]));
}

__global__ void histogram_private(const uchar* in, int* bins, int n) {
  __shared__ int local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i]], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x) atomicAdd(&bins[i], local[i]);
}

__global__ void equalize(const uchar* in, uchar* out, const int* bins, int n) {
  __shared__ int cdf[256];
  int t = threadIdx.x;
  cdf[t] = bins[t];
  __syncthreads();
  for (int step = 1; step < 256; step <<= 1) {
    int add = t >= step ? cdf[t - step] : 0;
    __syncthreads();
    cdf[t] += add;
    __syncthreads();
  }
  int least = 0;
  for (int i = 0; i < 256; i++)
    if (cdf[i] != 0) {
      least = cdf[i];
      break;
    }
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    out[i] = (uchar)((cdf[in[i]] - least) * 255 / (n - least));
}

__global__ void otsu_threshold(const int* bins, int total, int* threshold) {
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int i = 0; i < 256; i++) sum += i * (float)bins[i];
  float sum_below = 0, best = 0;
  int below = 0, level = 0;
  for (int i = 0; i < 256; i++) {
    below += bins[i];
    if (below == 0) continue;
    int above = total - below;
    if (above == 0) break;
    sum_below += i * (float)bins[i];
    float difference = sum_below / below - (sum - sum_below) / above;
    float between = (float)below * above * difference * difference;
    if (between > best) {
      best = between;
      level = i;
    }
  }
  *threshold = level;
}

__global__ void integral_rows(const uchar* in, int* out, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  int sum = 0;
  for (int x = 0; x < w; x++) {
    sum += in[y * w + x];
    out[y * w + x] = sum;
  }
}

__global__ void integral_columns(int* data, int w, int h) {
  for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
    for (int y = 1; y < h; y++) data[y * w + x] += data[(y - 1) * w + x];
}

__global__ void resize_area(const uchar* in, uchar* out, int w, int h, int out_w, int out_h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_w || y >= out_h) return;
  int x0 = x * w / out_w, x1 = (x + 1) * w / out_w;
  int y0 = y * h / out_h, y1 = (y + 1) * h / out_h;
  int sum = 0, count = 0;
  for (int yy = y0; yy < y1; yy++)
    for (int xx = x0; xx < x1; xx++) {
      sum += in[yy * w + xx];
      count++;
    }
  out[y * out_w + x] = count ? sum / count : 0;
}

__global__ void rgb_to_yuv(const uchar* rgb, uchar* yuv, int pixels) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += stride) {
    int r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
    yuv[3 * i] = (uchar)((66 * r + 129 * g + 25 * b + 128) / 256 + 16);
    yuv[3 * i + 1] = (uchar)((-38 * r - 74 * g + 112 * b + 128) / 256 + 128);
    yuv[3 * i + 2] = (uchar)((112 * r - 94 * g - 18 * b + 128) / 256 + 128);
  }
}

// Weak edges that touch strong ones become strong, until nothing changes in the tile.
__global__ void hysteresis(int* edges, int w, int h) {
  __shared__ int changed;
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  bool inside = x > 0 && y > 0 && x < w - 1 && y < h - 1;
  bool first = threadIdx.x == 0 && threadIdx.y == 0;
  while (true) {
    __syncthreads();
    if (first) changed = 0;
    __syncthreads();
    if (inside && edges[y * w + x] == 1) {
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (edges[(y + dy) * w + x + dx] == 2) {
            edges[y * w + x] = 2;
            changed = 1;
          }
    }
    __syncthreads();
    if (!changed) break;
  }
}

// Distance to the next set pixel of the row: out in both directions until found.
__global__ void row_distance(const uchar* in, int* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y;
  if (x >= w || y >= h) return;
  const uchar* row = in + y * w;
  int d = 0;
  while (d < w) {
    if (x - d >= 0 && row[x - d]) break;
    if (x + d < w && row[x + d]) break;
    d++;
  }
  out[y * w + x] = d;
}

// Lines of Bresenham, one a thread.
__global__ void draw_lines(const int* ends, uchar* image, int lines, int pitch) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= lines) return;
  int x = ends[4 * t], y = ends[4 * t + 1], x1 = ends[4 * t + 2], y1 = ends[4 * t + 3];
  int dx = x1 > x ? x1 - x : x - x1, dy = y1 > y ? y - y1 : y1 - y;
  int sx = x < x1 ? 1 : -1, sy = y < y1 ? 1 : -1, error = dx + dy;
  for (;;) {
    image[y * pitch + x] = 255;
    if (x == x1 && y == y1) break;
    int e2 = 2 * error;
    if (e2 >= dy) {
      error += dy;
      x += sx;
    }
    if (e2 <= dx) {
      error += dx;
      y += sy;
    }
  }
}
