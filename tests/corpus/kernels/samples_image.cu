// CUDA samples, images: filters, transforms, compression, stereo, flow.
// nvcc sm_80
// nvcc sm_75
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ float clamp01(float x) { return __saturatef(x); }
__device__ unsigned pack_color(float4 c) {
  return (unsigned)(clamp01(fabsf(c.w)) * 255.0f) << 24 | (unsigned)(clamp01(fabsf(c.z)) * 255.0f) << 16 |
         (unsigned)(clamp01(fabsf(c.y)) * 255.0f) << 8 | (unsigned)(clamp01(fabsf(c.x)) * 255.0f);
}
__device__ float4 unpack_color(unsigned c) {
  return make_float4((c & 255) / 255.0f, (c >> 8 & 255) / 255.0f, (c >> 16 & 255) / 255.0f, (c >> 24) / 255.0f);
}
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float4 operator-(float4 a, float4 b) { return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }
__device__ float4 operator*(float s, float4 a) { return make_float4(s * a.x, s * a.y, s * a.z, s * a.w); }

// convolutionSeparable: rows with a halo, eight results for each thread.
constexpr int radius = 8;
__constant__ float c_kernel[2 * radius + 1];
__global__ void convolution_rows(float* out, const float* in, int width, int height, int pitch) {
  constexpr int bx = 16, by = 4, steps = 8, halo = 1;
  cg::thread_block block = cg::this_thread_block();
  __shared__ float data[by][(steps + 2 * halo) * bx];
  const int x = (blockIdx.x * steps - halo) * bx + threadIdx.x, y = blockIdx.y * by + threadIdx.y;
  in += y * pitch + x;
  out += y * pitch + x;
#pragma unroll
  for (int i = halo; i < halo + steps; i++) data[threadIdx.y][threadIdx.x + i * bx] = in[i * bx];
#pragma unroll
  for (int i = 0; i < halo; i++) data[threadIdx.y][threadIdx.x + i * bx] = x >= -i * bx ? in[i * bx] : 0;
#pragma unroll
  for (int i = halo + steps; i < 2 * halo + steps; i++)
    data[threadIdx.y][threadIdx.x + i * bx] = width - x > i * bx ? in[i * bx] : 0;
  cg::sync(block);
#pragma unroll
  for (int i = halo; i < halo + steps; i++) {
    float sum = 0;
#pragma unroll
    for (int j = -radius; j <= radius; j++) sum += c_kernel[radius - j] * data[threadIdx.y][threadIdx.x + i * bx + j];
    out[i * bx] = sum;
  }
}
__global__ void convolution_columns(float* out, const float* in, int width, int height, int pitch) {
  constexpr int bx = 16, by = 8, steps = 8, halo = 1;
  __shared__ float data[bx][(steps + 2 * halo) * by + 1];
  const int x = blockIdx.x * bx + threadIdx.x, y = (blockIdx.y * steps - halo) * by + threadIdx.y;
  in += y * pitch + x;
  out += y * pitch + x;
  for (int i = halo; i < halo + steps; i++) data[threadIdx.x][threadIdx.y + i * by] = in[i * by * pitch];
  for (int i = 0; i < halo; i++) data[threadIdx.x][threadIdx.y + i * by] = y >= -i * by ? in[i * by * pitch] : 0;
  for (int i = halo + steps; i < 2 * halo + steps; i++)
    data[threadIdx.x][threadIdx.y + i * by] = height - y > i * by ? in[i * by * pitch] : 0;
  __syncthreads();
  for (int i = halo; i < halo + steps; i++) {
    float sum = 0;
    for (int j = -radius; j <= radius; j++) sum += c_kernel[radius - j] * data[threadIdx.x][threadIdx.y + i * by + j];
    out[i * by * pitch] = sum;
  }
}

// convolutionTexture.
__global__ void convolution_rows_texture(float* out, int width, int height, cudaTextureObject_t source) {
  const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  if (ix >= width || iy >= height) return;
  float sum = 0;
  for (int k = -radius; k <= radius; k++) sum += tex2D<float>(source, ix + 0.5f + k, iy + 0.5f) * c_kernel[radius - k];
  out[iy * width + ix] = sum;
}

// convolutionFFT2D: padding of the filter and of the data, and the product of spectra.
__global__ void pad_filter(float* to, const float* from, int height, int width, int filter_height, int filter_width,
                           int origin_y, int origin_x) {
  const int y = blockDim.y * blockIdx.y + threadIdx.y, x = blockDim.x * blockIdx.x + threadIdx.x;
  if (y < filter_height && x < filter_width) {
    int ky = y - origin_y, kx = x - origin_x;
    if (ky < 0) ky += height;
    if (kx < 0) kx += width;
    to[ky * width + kx] = from[y * filter_width + x];
  }
}
__global__ void pad_data_clamp_to_border(float* to, cudaTextureObject_t from, int height, int width, int data_height,
                                         int data_width, int filter_height, int filter_width, int origin_y,
                                         int origin_x) {
  const int y = blockDim.y * blockIdx.y + threadIdx.y, x = blockDim.x * blockIdx.x + threadIdx.x;
  const int border_y = data_height + origin_y, border_x = data_width + origin_x;
  if (y < height && x < width) {
    int dy = y < data_height ? y : y < border_y ? data_height - 1 : 0;
    int dx = x < data_width ? x : x < border_x ? data_width - 1 : 0;
    to[y * width + x] = tex1Dfetch<float>(from, dy * data_width + dx);
  }
}
__global__ void modulate_and_normalize(float2* to, const float2* from, int count, float c) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= count) return;
  float2 a = from[i], b = to[i];
  to[i] = make_float2(c * (a.x * b.x - a.y * b.y), c * (a.y * b.x + a.x * b.y));
}
// The twiddles of two real spectra that were transformed as one.
__global__ void post_process_spectrum(float2* to, cudaTextureObject_t from, unsigned height, unsigned width,
                                      unsigned threads, unsigned padding, float phase) {
  const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= threads) return;
  unsigned i = id, x = i & (width / 2 - 1);
  i /= width / 2;
  unsigned y = i & (height - 1), z = i / height;
  unsigned mirror_y = y > 0 ? height - y : 0, mirror_x = x > 0 ? width - x : 0;
  float2 a = tex1Dfetch<float2>(from, (z * height + y) * width + x);
  float2 b = tex1Dfetch<float2>(from, (z * height + mirror_y) * width + mirror_x);
  float s, c;
  __sincosf(phase * x, &s, &c);
  float2 even = make_float2(0.5f * (a.x + b.x), 0.5f * (a.y - b.y)),
         odd = make_float2(0.5f * (a.x - b.x), 0.5f * (a.y + b.y));
  to[(z * height + y) * (width + padding) + x] =
      make_float2(even.x + c * odd.y + s * odd.x, even.y + s * odd.y - c * odd.x);
  to[(z * height + mirror_y) * (width + padding) + mirror_x] =
      make_float2(even.x - c * odd.y - s * odd.x, -even.y + s * odd.y - c * odd.x);
}

// boxFilter: running sums along a row, and along a column, one thread for each.
__global__ void box_filter_x(const float* in, float* out, int width, int height, int r) {
  unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
  const float* id = &in[y * width];
  float* od = &out[y * width];
  float scale = 1.0f / (float)((r << 1) + 1), t = id[0] * r;
  for (int x = 0; x < r + 1; x++) t += id[x];
  od[0] = t * scale;
  for (int x = 1; x < r + 1; x++) {
    t += id[x + r];
    t -= id[0];
    od[x] = t * scale;
  }
  for (int x = r + 1; x < width - r; x++) {
    t += id[x + r];
    t -= id[x - r - 1];
    od[x] = t * scale;
  }
  for (int x = width - r; x < width; x++) {
    t += id[width - 1];
    t -= id[x - r - 1];
    od[x] = t * scale;
  }
}
__global__ void box_filter_colors_x(unsigned* out, int width, int height, int r, cudaTextureObject_t colors) {
  unsigned y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  float scale = 1.0f / (float)((r << 1) + 1);
  float4 t = make_float4(0, 0, 0, 0);
  for (int x = -r; x <= r; x++) t = t + tex2D<float4>(colors, x, y);
  out[y * width] = pack_color(scale * t);
  for (int x = 1; x < width; x++) {
    t = t + tex2D<float4>(colors, x + r, y) - tex2D<float4>(colors, x - r - 1, y);
    out[y * width + x] = pack_color(scale * t);
  }
}

// recursiveGaussian: forward and backward over a column.
__global__ void recursive_gaussian(const unsigned* in, unsigned* out, int w, int h, float a0, float a1, float a2,
                                   float a3, float b1, float b2, float coefp, float coefn) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  in += x;
  out += x;
  float4 xp = unpack_color(*in), yb = coefp * xp, yp = yb;
  for (int y = 0; y < h; y++) {
    float4 xc = unpack_color(*in), yc = a0 * xc + a1 * xp - b1 * yp - b2 * yb;
    *out = pack_color(yc);
    in += w;
    out += w;
    xp = xc;
    yb = yp;
    yp = yc;
  }
  in -= w;
  out -= w;
  float4 xn = unpack_color(*in), xa = xn, yn = coefn * xn, ya = yn;
  for (int y = h - 1; y >= 0; y--) {
    float4 xc = unpack_color(*in), yc = a2 * xn + a3 * xa - b1 * yn - b2 * ya;
    xa = xn;
    xn = xc;
    ya = yn;
    yn = yc;
    *out = pack_color(unpack_color(*out) + yc);
    in -= w;
    out -= w;
  }
}

// bilateralFilter.
__constant__ float c_gaussian[64];
__global__ void bilateral_filter(unsigned* out, int w, int h, float e_d, int r, cudaTextureObject_t colors) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  float4 t = make_float4(0, 0, 0, 0), center = tex2D<float4>(colors, x, y);
  for (int i = -r; i <= r; i++)
    for (int j = -r; j <= r; j++) {
      float4 p = tex2D<float4>(colors, x + j, y + i);
      float mod = (p.x - center.x) * (p.x - center.x) + (p.y - center.y) * (p.y - center.y) +
                  (p.z - center.z) * (p.z - center.z);
      float factor = c_gaussian[i + r] * c_gaussian[j + r] * __expf(-mod / (2 * e_d * e_d));
      t = t + factor * p;
      sum += factor;
    }
  out[y * w + x] = pack_color(1 / sum * t);
}

// imageDenoising: nearest neighbours, and windows that are like each other.
__global__ void denoise_knn(unsigned* to, int width, int height, float noise, float lerp, cudaTextureObject_t image) {
  const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  const float x = ix + 0.5f, y = iy + 0.5f;
  if (ix >= width || iy >= height) return;
  float count = 0, weights = 0;
  float4 color = make_float4(0, 0, 0, 0), center = tex2D<float4>(image, x, y);
  for (float i = -3; i <= 3; i++)
    for (float j = -3; j <= 3; j++) {
      float4 p = tex2D<float4>(image, x + j, y + i);
      float4 d = p - center;
      float weight = __expf(-((d.x * d.x + d.y * d.y + d.z * d.z) * noise + (i * i + j * j) * (1.0f / 49.0f)));
      color = color + weight * p;
      weights += weight;
      count += weight > 0.02f ? 1.0f / 49.0f : 0;
    }
  weights = 1.0f / weights;
  float q = count > 0.66f ? lerp : 1.0f - lerp;
  to[width * iy + ix] = pack_color((1 - q) * (weights * color) + q * center);
}
__global__ void denoise_nlm(unsigned* to, int width, int height, float noise, float lerp, cudaTextureObject_t image) {
  const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  const float x = ix + 0.5f, y = iy + 0.5f;
  if (ix >= width || iy >= height) return;
  float count = 0, weights = 0;
  float4 color = make_float4(0, 0, 0, 0);
  for (float i = -3; i <= 3; i++)
    for (float j = -3; j <= 3; j++) {
      float weight = 0;
      for (float n = -3; n <= 3; n++)
        for (float m = -3; m <= 3; m++) {
          float4 d = tex2D<float4>(image, x + j + m, y + i + n) - tex2D<float4>(image, x + m, y + n);
          weight += d.x * d.x + d.y * d.y + d.z * d.z;
        }
      weight = __expf(-(weight * noise + (i * i + j * j) * (1.0f / 49.0f)));
      color = color + weight * tex2D<float4>(image, x + j, y + i);
      weights += weight;
      count += weight > 0.1f ? 1.0f / 49.0f : 0;
    }
  weights = 1.0f / weights;
  float q = count > 0.1f ? lerp : 1.0f - lerp;
  to[width * iy + ix] = pack_color((1 - q) * (weights * color) + q * tex2D<float4>(image, x, y));
}
// The weights of the corner of a block count for all of it.
__global__ void denoise_nlm_fast(unsigned* to, int width, int height, float noise, float lerp,
                                 cudaTextureObject_t image) {
  __shared__ float weight_of[7 * 7];
  const int ix = blockDim.x * blockIdx.x + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  const float x = ix + 0.5f, y = iy + 0.5f, cx = blockDim.x * blockIdx.x + 4.5f, cy = blockDim.y * blockIdx.y + 4.5f;
  if (ix >= width || iy >= height) return;
  if (threadIdx.x < 7 && threadIdx.y < 7) {
    float weight = 0;
    for (float n = -3; n <= 3; n++)
      for (float m = -3; m <= 3; m++) {
        float4 d = tex2D<float4>(image, cx + m, cy + n) - tex2D<float4>(image, x + m, y + n);
        weight += d.x * d.x + d.y * d.y + d.z * d.z;
      }
    weight_of[threadIdx.y * 7 + threadIdx.x] = __expf(-weight * noise);
  }
  __syncthreads();
  float count = 0, weights = 0;
  float4 color = make_float4(0, 0, 0, 0);
  int at = 0;
  for (float i = -3; i <= 3; i++)
    for (float j = -3; j <= 3; j++) {
      float weight = weight_of[at++];
      color = color + weight * tex2D<float4>(image, x + j, y + i);
      weights += weight;
      count += weight > 0.1f ? 1.0f / 49.0f : 0;
    }
  float q = count > 0.1f ? lerp : 1.0f - lerp;
  to[width * iy + ix] = pack_color((1 - q) * (1 / weights * color) + q * tex2D<float4>(image, x, y));
}

// SobelFilter: a row of the picture for each block.
__device__ unsigned char sobel(unsigned char ul, unsigned char um, unsigned char ur, unsigned char ml, unsigned char mr,
                               unsigned char ll, unsigned char lm, unsigned char lr, float scale) {
  short h = ur + 2 * mr + lr - ul - 2 * ml - ll, v = ul + 2 * um + ur - ll - 2 * lm - lr;
  short sum = (short)(scale * (abs((int)h) + abs((int)v)));
  return sum < 0 ? 0 : sum > 255 ? 255 : sum;
}
__global__ void sobel_texture(unsigned char* out, unsigned pitch, int w, int h, float scale,
                              cudaTextureObject_t image) {
  unsigned char* row = out + blockIdx.x * pitch;
  for (int i = threadIdx.x; i < w; i += blockDim.x) {
    unsigned char p[9];
    for (int k = 0; k < 9; k++) p[k] = tex2D<unsigned char>(image, (float)i + k % 3 - 1, (float)blockIdx.x + k / 3 - 1);
    row[i] = sobel(p[0], p[1], p[2], p[3], p[5], p[6], p[7], p[8], scale);
  }
}
__global__ void sobel_shared(uchar4* out, unsigned short pitch, short block_width, short shared_pitch, short w, short h,
                             float scale, cudaTextureObject_t image) {
  extern __shared__ unsigned char local[];
  cg::thread_block block = cg::this_thread_block();
  short u = 4 * blockIdx.x * block_width, v = blockIdx.y * blockDim.y + threadIdx.y;
  short row = threadIdx.y * shared_pitch;
  for (int ib = threadIdx.x; ib < block_width + 2; ib += blockDim.x)
    for (int k = 0; k < 4; k++)
      local[row + 4 * ib + k] = tex2D<unsigned char>(image, (float)(u + 4 * ib - 1 + k), (float)(v - 1));
  if (threadIdx.y < 2) {
    row = (blockDim.y + threadIdx.y) * shared_pitch;
    for (int ib = threadIdx.x; ib < block_width + 2; ib += blockDim.x)
      for (int k = 0; k < 4; k++)
        local[row + 4 * ib + k] = tex2D<unsigned char>(image, (float)(u + 4 * ib - 1 + k), (float)(v + blockDim.y - 1));
  }
  cg::sync(block);
  u >>= 2;
  uchar4* to = (uchar4*)(((unsigned char*)out) + v * pitch) + u;
  row = threadIdx.y * shared_pitch;
  for (int ib = threadIdx.x; ib < block_width; ib += blockDim.x) {
    const unsigned char* a = local + row + 4 * ib;
    const unsigned char* b = a + shared_pitch;
    const unsigned char* c = b + shared_pitch;
    uchar4 result;
    result.x = sobel(a[0], a[1], a[2], b[0], b[2], c[0], c[1], c[2], scale);
    result.y = sobel(a[1], a[2], a[3], b[1], b[3], c[1], c[2], c[3], scale);
    result.z = sobel(a[2], a[3], a[4], b[2], b[4], c[2], c[3], c[4], scale);
    result.w = sobel(a[3], a[4], a[5], b[3], b[5], c[3], c[4], c[5], scale);
    if (u + ib < w / 4 && v < h) to[ib] = result;
  }
}

// dct8x8: eight points in place, rows and columns, in shared memory; quantization; and the plain sum.
__device__ void dct_eight(float* v, int step) {
  float s07 = v[0] + v[7 * step], s16 = v[step] + v[6 * step], s25 = v[2 * step] + v[5 * step],
        s34 = v[3 * step] + v[4 * step];
  float d07 = v[0] - v[7 * step], d16 = v[step] - v[6 * step], d25 = v[2 * step] - v[5 * step],
        d34 = v[3 * step] - v[4 * step];
  float a = s07 + s34, b = s16 + s25;
  v[0] = 0.35355339f * (a + b);
  v[4 * step] = 0.35355339f * (a - b);
  v[2 * step] = 0.46193977f * (s07 - s34) + 0.19134172f * (s16 - s25);
  v[6 * step] = 0.19134172f * (s07 - s34) - 0.46193977f * (s16 - s25);
  v[step] = 0.49039264f * d07 + 0.41573481f * d16 + 0.27778512f * d25 + 0.09754516f * d34;
  v[3 * step] = 0.41573481f * d07 - 0.09754516f * d16 - 0.49039264f * d25 - 0.27778512f * d34;
  v[5 * step] = 0.27778512f * d07 - 0.49039264f * d16 + 0.09754516f * d25 + 0.41573481f * d34;
  v[7 * step] = 0.09754516f * d07 - 0.27778512f * d16 + 0.41573481f * d25 - 0.49039264f * d34;
}
__global__ void dct_blocks(float* to, const float* from, int stride) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float data[16 * 33];
  int x = blockIdx.x * 32 + threadIdx.y * 8 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.z * 8;
  to += y * stride + x;
  from += y * stride + x;
  float* mine = data + threadIdx.z * 8 * 33 + threadIdx.y * 8 + threadIdx.x;
#pragma unroll
  for (int i = 0; i < 8; i++) mine[i * 33] = from[i * stride];
  cg::sync(block);
  dct_eight(data + (threadIdx.z * 8 + threadIdx.x) * 33 + threadIdx.y * 8, 1);
  cg::sync(block);
  dct_eight(mine, 33);
  cg::sync(block);
#pragma unroll
  for (int i = 0; i < 8; i++) to[i * stride] = mine[i * 33];
}
__constant__ float dct_matrix[64];
__global__ void dct_by_matrix(float* to, cudaTextureObject_t from, int width, int offset_x, int offset_y) {
  __shared__ float block1[64], block2[64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  block1[ty * 8 + tx] =
      tex2D<float>(from, blockIdx.x * 8 + tx + offset_x + 0.5f, blockIdx.y * 8 + ty + offset_y + 0.5f);
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += dct_matrix[ty + i * 8] * block1[i * 8 + tx];
  block2[ty * 8 + tx] = sum;
  __syncthreads();
  sum = 0;
#pragma unroll
  for (int i = 0; i < 8; i++) sum += block2[ty * 8 + i] * dct_matrix[i * 8 + tx];
  to[(blockIdx.y * 8 + ty + offset_y) * width + blockIdx.x * 8 + tx + offset_x] = sum;
}
__constant__ short quantization_table[64];
__global__ void quantize_blocks(short* data, int stride) {
  int at = (blockIdx.y * 8 + threadIdx.y) * stride + blockIdx.x * 8 + threadIdx.x;
  short half = quantization_table[threadIdx.y * 8 + threadIdx.x], value = data[at], q = half;
  half /= 2;
  if (value < 0) {
    value = -value;
    value += half;
    value /= q;
    value = -value;
  } else {
    value += half;
    value /= q;
  }
  data[at] = value * q;
}

// dwtHaar1D: as many levels as the block has, the distance doubles.
__global__ void haar_levels(const float* in, float* out, float* averages, unsigned levels, unsigned elements,
                            int bank_shift) {
  extern __shared__ float shared[];
  const int elements_block = gridDim.x * blockDim.x, tid = threadIdx.x, bid = blockIdx.x, size = blockDim.x;
  const int id = bid * size + tid;
  shared[tid] = in[bid * (size << 1) + tid];
  shared[tid + size] = in[bid * (size << 1) + tid + size];
  __syncthreads();
  float a = shared[2 * tid], b = shared[2 * tid + 1];
  out[id + elements_block] = (a - b) * 0.70710678f;
  int at = tid + (tid >> bank_shift);
  __syncthreads();
  shared[at] = (a + b) * 0.70710678f;
  if (levels > 1) {
    __syncthreads();
    unsigned offset = 1, active = size >> 1;
    int to = elements_block >> 1;
    for (unsigned i = 1; i < levels; ++i) {
      if (tid < active) {
        unsigned at0 = tid << i, at1 = at0 + offset;
        at0 += at0 >> bank_shift;
        at1 += at1 >> bank_shift;
        out[to + bid * active + tid] = (shared[at0] - shared[at1]) * 0.70710678f;
        shared[at0] = (shared[at0] + shared[at1]) * 0.70710678f;
        to >>= 1;
      }
      active >>= 1;
      offset <<= 1;
      __syncthreads();
    }
    if (tid == 0) averages[bid] = shared[0];
  }
}

// dxtc: the best pair of ends among permutations of sixteen pixels.
__constant__ float3 metric = {1, 1, 1};
__device__ float3 weighted(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ float length_of(float3 a) { return a.x * a.x + a.y * a.y + a.z * a.z; }
__device__ float evaluate(const float3* colors, unsigned permutation, unsigned short* start, unsigned short* end) {
  float alpha2 = 0, beta2 = 0, alphabeta = 0;
  float3 ax = make_float3(0, 0, 0), bx = ax;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    const unsigned bits = permutation >> (2 * i);
    float beta = bits & 1;
    if (bits & 2) beta = (1 + beta) / 3.0f;
    float alpha = 1.0f - beta;
    alpha2 += alpha * alpha;
    beta2 += beta * beta;
    alphabeta += alpha * beta;
    float3 p = weighted(colors[i], alpha), q = weighted(colors[i], beta);
    ax = make_float3(ax.x + p.x, ax.y + p.y, ax.z + p.z);
    bx = make_float3(bx.x + q.x, bx.y + q.y, bx.z + q.z);
  }
  float factor = 1.0f / (alpha2 * beta2 - alphabeta * alphabeta);
  float3 a = weighted(
      make_float3(ax.x * beta2 - bx.x * alphabeta, ax.y * beta2 - bx.y * alphabeta, ax.z * beta2 - bx.z * alphabeta),
      factor);
  float3 b = weighted(
      make_float3(bx.x * alpha2 - ax.x * alphabeta, bx.y * alpha2 - ax.y * alphabeta, bx.z * alpha2 - ax.z * alphabeta),
      factor);
  *start = (unsigned short)((int)(a.x * 31) << 11 | (int)(a.y * 63) << 5 | (int)(a.z * 31));
  *end = (unsigned short)((int)(b.x * 31) << 11 | (int)(b.y * 63) << 5 | (int)(b.z * 31));
  return alpha2 * length_of(a) + beta2 * length_of(b) + 2 * alphabeta * (a.x * b.x + a.y * b.y + a.z * b.z) * metric.x;
}
__global__ void compress_dxt(const unsigned* permutations, const unsigned* image, uint2* result, int block_offset) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ float3 colors[16];
  __shared__ float sums[16];
  __shared__ int order[16];
  __shared__ unsigned stored[160];
  const int id = threadIdx.x, at = blockIdx.x + block_offset;
  if (id < 16) {
    unsigned c = image[at * 16 + id];
    colors[id] = make_float3((c & 255) / 255.0f, (c >> 8 & 255) / 255.0f, (c >> 16 & 255) / 255.0f);
    sums[id] = colors[id].x + colors[id].y + colors[id].z;
  }
  cg::sync(block);
  if (id < 16) {
    int rank = 0;
#pragma unroll
    for (int i = 0; i < 16; i++) rank += sums[i] < sums[id];
    order[id] = rank;
  }
  cg::sync(block);
  if (id < 16) {
    for (int i = 0; i < 15; i++)
      if (id > i && order[id] == order[i]) ++order[id];
  }
  cg::sync(block);
  unsigned best_permutation = 0;
  unsigned short best_start = 0, best_end = 0, start, end;
  float best_error = 3.4e38f;
  for (int i = 0; i < 16; i++) {
    int p = id + 64 * i;
    if (p >= 992) break;
    unsigned permutation = permutations[p];
    if (p < 160) stored[p] = permutation;
    float error = evaluate(colors, permutation, &start, &end);
    if (error < best_error) {
      best_error = error;
      best_permutation = permutation;
      best_start = start;
      best_end = end;
    }
  }
  cg::sync(block);
  for (int i = 0; i < 3; i++) {
    int p = id + 64 * i;
    if (p >= 160) break;
    float error = evaluate(colors, stored[p], &start, &end);
    if (error < best_error) {
      best_error = error;
      best_permutation = stored[p];
      best_start = start;
      best_end = end;
    }
  }
  __shared__ float errors[64];
  __shared__ int places[64];
  errors[id] = best_error;
  places[id] = id;
  cg::sync(block);
  for (int d = 32; d > 0; d >>= 1) {
    if (id < d && errors[id + d] < errors[id]) {
      errors[id] = errors[id + d];
      places[id] = places[id + d];
    }
    cg::sync(block);
  }
  if (id == places[0]) {
    unsigned indices = 0;
    for (int i = 0; i < 16; i++) indices |= (best_permutation >> (2 * order[i]) & 3) << (2 * i);
    result[at] = make_uint2((unsigned)best_end << 16 | best_start, indices);
  }
}

// stereoDisparity: sums of absolute differences for each distance, by four bytes at a time.
__global__ void stereo_disparity(unsigned* left, unsigned* right, unsigned* out, int width, int height, int least,
                                 int most, cudaTextureObject_t tex_left, cudaTextureObject_t tex_right) {
  constexpr int bx = 32, by = 8, r = 8, steps = 3;
  cg::thread_block block = cg::this_thread_block();
  const int tx = blockDim.x * blockIdx.x + threadIdx.x, ty = blockDim.y * blockIdx.y + threadIdx.y;
  const unsigned x0 = threadIdx.x, y0 = threadIdx.y;
  __shared__ unsigned diff[by + 2 * r][bx + 2 * r];
  unsigned pixels[steps];
  for (int i = 0; i < steps; i++) pixels[i] = tex2D<unsigned>(tex_left, tx - r, ty - r + i * by);
  unsigned best = 0xffffffff, best_d = 0;
  for (int d = least; d <= most; d++) {
#pragma unroll
    for (int i = 0; i < steps; i++) {
      unsigned other = tex2D<unsigned>(tex_right, tx - r + d, ty - r + i * by);
      diff[y0 + i * by][x0] = __vabsdiffu4(pixels[i], other) * 0x01010101u >> 24;
    }
#pragma unroll
    for (int i = 0; i < steps; i++)
      if (x0 < 2 * r)
        diff[y0 + i * by][x0 + bx] = __vabsdiffu4(tex2D<unsigned>(tex_left, tx - r + bx, ty - r + i * by),
                                                  tex2D<unsigned>(tex_right, tx - r + bx + d, ty - r + i * by)) *
                                         0x01010101u >>
                                     24;
    cg::sync(block);
#pragma unroll
    for (int j = 0; j < steps; j++) {
      int at = y0 + j * by;
      unsigned cost = 0;
#pragma unroll
      for (int i = -r; i <= r; i++) cost += diff[at][x0 + r + i];
      cg::sync(block);
      diff[at][x0 + r] = cost;
      cg::sync(block);
    }
    unsigned cost = 0;
#pragma unroll
    for (int i = -r; i <= r; i++) cost += diff[y0 + r + i][x0 + r];
    if (cost < best) {
      best = cost;
      best_d = d + 8;
    }
    cg::sync(block);
  }
  if (ty < height && tx < width) out[ty * width + tx] = best_d;
}

// HSOpticalFlow: derivatives, one step of Jacobi, warping, sampling down, sums.
__global__ void flow_derivatives(int width, int height, int stride, float* ix, float* iy, float* iz,
                                 cudaTextureObject_t source, cudaTextureObject_t target) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  float dx = 1.0f / width, dy = 1.0f / height, fx = (x + 0.5f) * dx, fy = (y + 0.5f) * dy;
  float t0 = tex2D<float>(source, fx - 2 * dx, fy) - 8 * tex2D<float>(source, fx - dx, fy) +
             8 * tex2D<float>(source, fx + dx, fy) - tex2D<float>(source, fx + 2 * dx, fy);
  float t1 = tex2D<float>(target, fx - 2 * dx, fy) - 8 * tex2D<float>(target, fx - dx, fy) +
             8 * tex2D<float>(target, fx + dx, fy) - tex2D<float>(target, fx + 2 * dx, fy);
  const int at = x + y * stride;
  ix[at] = (t0 + t1) / 24;
  iz[at] = tex2D<float>(target, fx, fy) - tex2D<float>(source, fx, fy);
  iy[at] = (tex2D<float>(source, fx, fy + dy) - tex2D<float>(source, fx, fy - dy)) * 0.5f;
}
__global__ void flow_jacobi(const float* du0, const float* dv0, const float* ix, const float* iy, const float* iz,
                            int w, int h, int stride, float alpha, float* du1, float* dv1) {
  constexpr int bx = 32, by = 6;
  cg::thread_block block = cg::this_thread_block();
  volatile __shared__ float du[(bx + 2) * (by + 2)], dv[(bx + 2) * (by + 2)];
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  const int mine = threadIdx.x + 1 + (threadIdx.y + 1) * (bx + 2), at = min(x, w - 1) + min(y, h - 1) * stride;
  du[mine] = du0[at];
  dv[mine] = dv0[at];
  if (threadIdx.y == 0) {
    int below = min(y + by, h - 1), above = max(y - 1, 0);
    du[threadIdx.x + 1] = du0[min(x, w - 1) + above * stride];
    dv[threadIdx.x + 1] = dv0[min(x, w - 1) + above * stride];
    du[threadIdx.x + 1 + (by + 1) * (bx + 2)] = du0[min(x, w - 1) + below * stride];
    dv[threadIdx.x + 1 + (by + 1) * (bx + 2)] = dv0[min(x, w - 1) + below * stride];
  }
  if (threadIdx.x == 0) {
    int left = max(x - 1, 0), right = min(x + bx, w - 1);
    du[(threadIdx.y + 1) * (bx + 2)] = du0[left + min(y, h - 1) * stride];
    dv[(threadIdx.y + 1) * (bx + 2)] = dv0[left + min(y, h - 1) * stride];
    du[(threadIdx.y + 1) * (bx + 2) + bx + 1] = du0[right + min(y, h - 1) * stride];
    dv[(threadIdx.y + 1) * (bx + 2) + bx + 1] = dv0[right + min(y, h - 1) * stride];
  }
  cg::sync(block);
  if (x >= w || y >= h) return;
  float su = (du[mine - 1] + du[mine + 1] + du[mine - bx - 2] + du[mine + bx + 2]) * 0.25f;
  float sv = (dv[mine - 1] + dv[mine + 1] + dv[mine - bx - 2] + dv[mine + bx + 2]) * 0.25f;
  float frac = (ix[at] * su + iy[at] * sv + iz[at]) / (ix[at] * ix[at] + iy[at] * iy[at] + alpha);
  du1[at] = su - ix[at] * frac;
  dv1[at] = sv - iy[at] * frac;
}
__global__ void flow_warp(int width, int height, int stride, const float* u, const float* v, float* out,
                          cudaTextureObject_t target) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= width || y >= height) return;
  const int at = x + y * stride;
  out[at] = tex2D<float>(target, (x + u[at] + 0.5f) / width, (y + v[at] + 0.5f) / height);
}

// postProcessGL: a disc with a hot spot, pixels beyond the threshold weigh more.
__global__ void blur_disc(unsigned* out, int width, int tile_width, int r, float threshold, float highlight,
                          cudaTextureObject_t image) {
  extern __shared__ uchar4 pixels[];
  cg::thread_block block = cg::this_thread_block();
  const int tx = threadIdx.x, ty = threadIdx.y, bw = blockDim.x, bh = blockDim.y;
  const int x = blockIdx.x * bw + tx, y = blockIdx.y * bh + ty;
#define PIXEL(px, py) pixels[(py)*tile_width + (px)]
  PIXEL(r + tx, r + ty) = tex2D<uchar4>(image, x, y);
  if (tx < r) {
    PIXEL(tx, r + ty) = tex2D<uchar4>(image, x - r, y);
    PIXEL(r + bw + tx, r + ty) = tex2D<uchar4>(image, x + bw, y);
  }
  if (ty < r) {
    PIXEL(r + tx, ty) = tex2D<uchar4>(image, x, y - r);
    PIXEL(r + tx, r + bh + ty) = tex2D<uchar4>(image, x, y + bh);
  }
  if (tx < r && ty < r) {
    PIXEL(tx, ty) = tex2D<uchar4>(image, x - r, y - r);
    PIXEL(tx, r + bh + ty) = tex2D<uchar4>(image, x - r, y + bh);
    PIXEL(r + bw + tx, ty) = tex2D<uchar4>(image, x + bw, y - r);
    PIXEL(r + bw + tx, r + bh + ty) = tex2D<uchar4>(image, x + bw, y + bh);
  }
  cg::sync(block);
  float red = 0, green = 0, blue = 0, samples = 0;
  for (int dy = -r; dy <= r; dy++)
    for (int dx = -r; dx <= r; dx++) {
      uchar4 p = PIXEL(r + tx + dx, r + ty + dy);
      float l = dx * dx + dy * dy;
      if (l <= r * r) {
        float cr = p.x, cg = p.y, cb = p.z, lum = (cr + cg + cb) / (255 * 3);
        if (lum > threshold) {
          cr *= highlight;
          cg *= highlight;
          cb *= highlight;
        }
        red += cr;
        green += cg;
        blue += cb;
        samples += 1.0f;
      }
    }
#undef PIXEL
  out[y * width + x] = (unsigned)(blue / samples) << 16 | (unsigned)(green / samples) << 8 | (unsigned)(red / samples);
}

// simpleCUDA2GL: triangles in colors.
__global__ void paint_image(unsigned* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  extern __shared__ uchar4 unused_pixels[];
  uchar4 c = make_uchar4(x & 0x20 ? 100 : 0, 0, y & 0x20 ? 100 : 0, 0);
  out[y * width + x] = (unsigned)c.w << 24 | (unsigned)c.z << 16 | (unsigned)c.y << 8 | c.x;
}

// NV12toBGRandResize: two pixels of a row share their colors.
__global__ void nv12_to_bgr(const unsigned char* in, float* out, int width, int height, int pitch, int batch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  for (int image = 0; image < batch; image++) {
    const unsigned char* luma = in + (unsigned long long)image * pitch * height * 3 / 2;
    const unsigned char* chroma = luma + pitch * height;
    float l = luma[y * pitch + x], u = chroma[(y >> 1) * pitch + (x & ~1)] - 128.0f,
          v = chroma[(y >> 1) * pitch + (x | 1)] - 128.0f;
    float* plane = out + (unsigned long long)image * 3 * width * height;
    plane[y * width + x] = fminf(fmaxf(l + 1.772f * u, 0), 255);
    plane[width * height + y * width + x] = fminf(fmaxf(l - 0.344f * u - 0.714f * v, 0), 255);
    plane[2 * width * height + y * width + x] = fminf(fmaxf(l + 1.402f * v, 0), 255);
  }
}
__global__ void resize_nv12(cudaTextureObject_t luma, cudaTextureObject_t chroma, unsigned char* out, int width,
                            int height, float scale_x, float scale_y) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width / 2 || y >= height / 2) return;
  const int column = x * 2, row = y * 2;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      out[(row + i) * width + column + j] = tex2D<float>(luma, (column + j) * scale_x, (row + i) * scale_y) * 255.0f;
  float2 c = tex2D<float2>(chroma, x * scale_x, y * scale_y);
  out[(height + y) * width + column] = c.x * 255.0f;
  out[(height + y) * width + column + 1] = c.y * 255.0f;
}

// bicubicTexture: weights of the spline, four linear reads.
__global__ void bicubic(uchar4* out, unsigned width, unsigned height, float tx, float ty, float scale, float cx,
                        float cy, cudaTextureObject_t image) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float u = (x - cx) * scale + cx + tx, v = (y - cy) * scale + cy + ty;
  if (x >= width || y >= height) return;
  u -= 0.5f;
  v -= 0.5f;
  float px = floorf(u), py = floorf(v), fx = u - px, fy = v - py;
  auto w0 = [](float a) { return (1.0f / 6.0f) * (a * (a * (-a + 3.0f) - 3.0f) + 1.0f); };
  auto w1 = [](float a) { return (1.0f / 6.0f) * (a * a * (3.0f * a - 6.0f) + 4.0f); };
  auto w2 = [](float a) { return (1.0f / 6.0f) * (a * (a * (-3.0f * a + 3.0f) + 3.0f) + 1.0f); };
  auto w3 = [](float a) { return (1.0f / 6.0f) * (a * a * a); };
  auto g0 = [&](float a) { return w0(a) + w1(a); };
  auto g1 = [&](float a) { return w2(a) + w3(a); };
  auto h0 = [&](float a) { return -1.0f + w1(a) / g0(a) + 0.5f; };
  auto h1 = [&](float a) { return 1.0f + w3(a) / g1(a) + 0.5f; };
  float r = g0(fy) * (g0(fx) * tex2D<float>(image, px + h0(fx), py + h0(fy)) +
                      g1(fx) * tex2D<float>(image, px + h1(fx), py + h0(fy))) +
            g1(fy) * (g0(fx) * tex2D<float>(image, px + h0(fx), py + h1(fy)) +
                      g1(fx) * tex2D<float>(image, px + h1(fx), py + h1(fy)));
  out[y * width + x] = make_uchar4(r * 255, r * 255, r * 255, 0);
}
