// Images once more: colours, filters, transforms, votes.
#include <cstdint>
extern "C" {

__global__ void rgb_to_hsv(const float* __restrict__ rgb, float* __restrict__ hsv, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = rgb[3 * i], g = rgb[3 * i + 1], b = rgb[3 * i + 2];
  float high = fmaxf(r, fmaxf(g, b)), low = fminf(r, fminf(g, b)), d = high - low, h = 0;
  if (d > 0) {
    if (high == r)
      h = (g - b) / d;
    else if (high == g)
      h = 2 + (b - r) / d;
    else
      h = 4 + (r - g) / d;
    h = h < 0 ? h + 6 : h;
  }
  hsv[3 * i] = 60 * h;
  hsv[3 * i + 1] = high > 0 ? d / high : 0;
  hsv[3 * i + 2] = high;
}

// a thread slides a window down a column
__global__ void box_columns(const float* __restrict__ in, float* __restrict__ out, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  float sum = 0, scale = 1.0f / (2 * radius + 1);
  for (int y = -radius; y <= radius; ++y) sum += in[max(y, 0) * w + x];
  for (int y = 0; y < h; ++y) {
    out[y * w + x] = sum * scale;
    sum += in[min(y + radius + 1, h - 1) * w + x] - in[max(y - radius, 0) * w + x];
  }
}

__global__ void unsharp(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int h, float amount) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += in[(y + dy) * w + x + dx] * (dx == 0 ? 2 : 1) * (dy == 0 ? 2 : 1);
  float c = in[y * w + x];
  out[y * w + x] = (uint8_t)fminf(fmaxf(c + amount * (c - sum / 16), 0), 255);
}

// equalises a tile of 64 x 64 with a clipped histogram
__global__ void equalise_tile(const uint8_t* __restrict__ in, uint8_t* __restrict__ out, int w, int most) {
  __shared__ int bins[256], scan[256];
  int t = threadIdx.x;
  const uint8_t* tile = in + blockIdx.y * 64 * w + blockIdx.x * 64;
  bins[t] = 0;
  __syncthreads();
  for (int i = t; i < 4096; i += 256) atomicAdd(&bins[tile[i / 64 * w + i % 64]], 1);
  __syncthreads();
  scan[t] = min(bins[t], most);
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    int add = t >= step ? scan[t - step] : 0;
    __syncthreads();
    scan[t] += add;
    __syncthreads();
  }
  int total = scan[255];
  for (int i = t; i < 4096; i += 256)
    out[(blockIdx.y * 64 + i / 64) * w + blockIdx.x * 64 + i % 64] = scan[tile[i / 64 * w + i % 64]] * 255 / total;
}

// votes of bright pixels for lines through them
__global__ void hough_votes(const uint8_t* __restrict__ edges, unsigned* __restrict__ votes, int w, int h, int angles,
                            int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h || edges[y * w + x] < 240) return;
  for (int a = 0; a < angles; ++a) {
    float s, c;
    __sincosf(a * 3.14159265f / angles, &s, &c);
    int r = (int)(x * c + y * s) + rows / 2;
    if (r >= 0 && r < rows) atomicAdd(&votes[a * rows + r], 1u);
  }
}

__global__ void dilate_bits(const unsigned* __restrict__ in, unsigned* __restrict__ out, int words, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= words) return;
  unsigned found = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    int row = min(max(y + dy, 0), h - 1);
    unsigned c = in[row * words + x], l = x > 0 ? in[row * words + x - 1] : 0, r = x + 1 < words ? in[row * words + x + 1] : 0;
    found |= c | c << 1 | c >> 1 | l >> 31 | r << 31;
  }
  out[y * words + x] = found;
}

__global__ void rotate_nearest(const uint32_t* __restrict__ in, uint32_t* __restrict__ out, int w, int h, float c, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float dx = x - 0.5f * w, dy = y - 0.5f * h;
  int sx = (int)(c * dx + s * dy + 0.5f * w), sy = (int)(-s * dx + c * dy + 0.5f * h);
  out[y * w + x] = sx >= 0 && sy >= 0 && sx < w && sy < h ? in[sy * w + sx] : 0;
}

// local maxima go to a list
__global__ void corner_list(const float* __restrict__ score, int* __restrict__ list, int* __restrict__ count, int w, int h,
                            float least) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2) return;
  float own = score[y * w + x];
  if (own < least) return;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      if (score[(y + dy) * w + x + dx] > own) return;
  list[atomicAdd(count, 1)] = y * w + x;
}

// histograms of gradients of cells of 8 x 8, a warp each
__global__ void gradient_cells(const float* __restrict__ in, float* __restrict__ out, int w, int h) {
  __shared__ float bins[4][9];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32, cells = w / 8;
  int cell = blockIdx.x * 4 + warp, cx = cell % cells * 8, cy = cell / cells * 8;
  if (lane < 9) bins[warp][lane] = 0;
  __syncwarp();
  for (int i = lane; i < 64; i += 32) {
    int x = min(max(cx + i % 8, 1), w - 2), y = min(max(cy + i / 8, 1), h - 2);
    float gx = in[y * w + x + 1] - in[y * w + x - 1], gy = in[(y + 1) * w + x] - in[(y - 1) * w + x];
    float angle = atan2f(gy, gx);
    angle = angle < 0 ? angle + 3.14159265f : angle;
    atomicAdd(&bins[warp][min((int)(angle * 9 / 3.14159265f), 8)], sqrtf(gx * gx + gy * gy));
  }
  __syncwarp();
  if (lane < 9) out[cell * 9 + lane] = bins[warp][lane];
}

// cheapest seams, row after row, a block for an image
__global__ void seam_costs(const float* __restrict__ energy, float* __restrict__ costs, int w, int h) {
  __shared__ float row[2][1024];
  int x = threadIdx.x;
  const float* image = energy + (size_t)blockIdx.x * w * h;
  float* out = costs + (size_t)blockIdx.x * w * h;
  row[0][x] = image[x];
  out[x] = image[x];
  __syncthreads();
  for (int y = 1; y < h; ++y) {
    const float* last = row[(y + 1) & 1];
    float best = last[x];
    if (x > 0) best = fminf(best, last[x - 1]);
    if (x + 1 < w) best = fminf(best, last[x + 1]);
    float cost = best + image[y * w + x];
    row[y & 1][x] = cost;
    out[y * w + x] = cost;
    __syncthreads();
  }
}

// discrete cosine transform of tiles of 8 x 8, and quantisation
__global__ void dct_quantise(const uint8_t* __restrict__ in, short* __restrict__ out, const float* __restrict__ table, int w) {
  __shared__ float tile[4][8][9], half[4][8][9], cosines[8][8];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (z == 0) cosines[y][x] = cosf((2 * x + 1) * y * 0.19634954f) * (y == 0 ? 0.35355339f : 0.5f);
  int px = (blockIdx.x * 4 + z) * 8 + x, py = blockIdx.y * 8 + y;
  tile[z][y][x] = in[py * w + px] - 128.0f;
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += tile[z][y][i] * cosines[x][i];
  half[z][y][x] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += half[z][i][x] * cosines[y][i];
  out[py * w + px] = (short)rintf(sum / (1 + 50 * table[y * 8 + x]));
}

// distances along rows, there and back
__global__ void row_distances(const uint8_t* __restrict__ in, int* __restrict__ out, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= h) return;
  int far = w;
  for (int x = 0; x < w; ++x) {
    far = in[y * w + x] > 250 ? 0 : far + 1;
    out[y * w + x] = far;
  }
  far = w;
  for (int x = w - 1; x >= 0; --x) {
    int from_left = out[y * w + x];
    far = from_left == 0 ? 0 : far + 1;
    if (far < from_left) out[y * w + x] = far;
  }
}

__global__ void diffuse(const float* __restrict__ in, float* __restrict__ out, int w, int h, float k, float step) {
  __shared__ float s[10][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 340; i += 256) {
    int sx = min(max((int)blockIdx.x * 32 + i % 34 - 1, 0), w - 1), sy = min(max((int)blockIdx.y * 8 + i / 34 - 1, 0), h - 1);
    s[i / 34][i % 34] = in[sy * w + sx];
  }
  __syncthreads();
  if (x >= w || y >= h) return;
  float c = s[threadIdx.y + 1][threadIdx.x + 1], sum = 0;
  float d[4] = {s[threadIdx.y][threadIdx.x + 1] - c, s[threadIdx.y + 2][threadIdx.x + 1] - c, s[threadIdx.y + 1][threadIdx.x] - c,
                s[threadIdx.y + 1][threadIdx.x + 2] - c};
  for (int i = 0; i < 4; ++i) sum += d[i] * __expf(-d[i] * d[i] / (k * k));
  out[y * w + x] = c + step * sum;
}

// where a tile of 16 x 16 has moved to, a block for a tile, a thread for an offset
__global__ void motion_search(const uint8_t* __restrict__ now, const uint8_t* __restrict__ before, int* __restrict__ best, int w,
                              int h) {
  __shared__ uint8_t tile[256];
  __shared__ unsigned least;
  int t = threadIdx.x, bx = blockIdx.x * 16, by = blockIdx.y * 16;
  tile[t] = now[(by + t / 16) * w + bx + t % 16];
  if (t == 0) least = ~0u;
  __syncthreads();
  int ox = min(max(bx + t % 16 - 8, 0), w - 16), oy = min(max(by + t / 16 - 8, 0), h - 16);
  unsigned sum = 0;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) sum = __usad(tile[y * 16 + x], before[(oy + y) * w + ox + x], sum);
  atomicMin(&least, sum << 8 | t);
  __syncthreads();
  if (t == 0) best[blockIdx.y * gridDim.x + blockIdx.x] = least;
}

__global__ void denoise_in_time(const uchar4* __restrict__ frame, float4* __restrict__ mean, int n, float keep) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar4 f = frame[i];
  float4 m = mean[i];
  float d = fabsf(f.x - m.x) + fabsf(f.y - m.y) + fabsf(f.z - m.z);
  float a = d > 40 ? 1 : keep;
  m.x += a * (f.x - m.x), m.y += a * (f.y - m.y), m.z += a * (f.z - m.z);
  mean[i] = m;
}
}
